//! Evaluation of Sacrifice Roulette for bots: what a fall is worth where it happens, and where sacrifices lie safely.
//!
//! Invariant: of cards that the seat does not see each is as likely as the others to be drawn; where they are is not looked
//! at.

mod reason;

use super::SacrificeRoulette;
use super::legal;
use super::moves::{Ending, Move, Place, Roll};
use super::state::{Stage, State};
use super::track::Way;
use super::view::{Phase, SacrificeRouletteView};
use crate::stonehenge::{CardSet, Colour, NUMBERS, Number, Stone};
use sarsen_rules::{
    Candidate, Candidates, Dice, Effort, Evaluator, Method, Rules, Seat, Status, Tuning, Values, WON, ladder,
};

/// The value of a point.
const POINT: i32 = 400;
/// The value of a hand limit higher by one, in hundredths of a point.
const LIMIT: i32 = 90;
/// The number of cards left to draw at which it has its whole value.
const ENOUGH: i32 = 60;
/// The cost of playing a trilithon card, in hundredths of a point.
const TRILITHON: i32 = 12;
/// The greatest lead of a seat that has not won.
const LEAD: i32 = WON / 2 - 300;

impl Evaluator for SacrificeRoulette {
    const TUNING: Tuning = Tuning {
        version: 3,
        method: Method::Flat { horizon: 12, prior: 60 },
        candidates: 12,
        levels: [
            Effort { simulations: 0, noise: 1000, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 0, answer_milliseconds: 300 },
            Effort { simulations: 600, noise: 0, answer_milliseconds: 600 },
        ],
        rungs: ladder([(0, 1000), (0, 954), (0, 849), (0, 695), (0, 490), (0, 263), (0, 0), (600, 0)]),
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        let legal = self.legal_moves(state, seat);
        let table = Table::of(state, seat);
        let rated = legal.moves.into_iter().map(|mv| Candidate { worth: table.worth(state, seat, &mv), mv });
        Candidates::best_of(rated, most, legal.complete)
    }

    /// The move that seems best; equals by lot.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        match (state.stage, state.boulder) {
            (Stage::Turn(actor), Some(boulder)) if actor == seat => quick_roll(state, seat, boulder, dice),
            _ => {
                let moves = self.legal_moves(state, seat).moves;
                let table = Table::of(state, seat);
                let mut best = Best::new();
                moves.iter().for_each(|mv| best.meet(table.worth(state, seat, mv), *mv));
                best.drawn(dice)
            }
        }
    }

    /// Returns who leads, by how many points.
    fn value(&self, state: &State) -> Values {
        let mut values = Values::default();
        if let Status::Over(outcome) = state.status() {
            return self.reward(&outcome);
        }
        let use_of = use_of_limits(state);
        let mut points = Values::default();
        for (seat, (on_board, _)) in state.count().seats().zip(disks(state)) {
            let player = &state.players[seat.index()];
            let taken = player.taken.iter().sum::<u8>();
            let more = i32::from(player.taken[seat.index()]);
            points[seat.index()] = 200 * i32::from(on_board) + 100 * i32::from(taken) + more * use_of;
        }
        for seat in state.count().seats() {
            let others = state.count().seats().filter(|other| *other != seat);
            let ahead = points[seat.index()] - others.map(|other| points[other.index()]).max().unwrap_or(0);
            values[seat.index()] = WON / 2 + (ahead * POINT / 100).clamp(-LEAD, LEAD);
        }
        values
    }

    fn begins_turn(&self, view: &SacrificeRouletteView) -> bool {
        view.phase == Phase::Rolling
    }

    fn reason(&self, state: &State, seat: Seat, mv: &Move) -> Option<String> {
        reason::of(state, seat, mv)
    }
}

/// Those that are equally good and better than all others.
struct Best<T> {
    worth: i32,
    equals: Vec<T>,
}

impl<T: Copy> Best<T> {
    fn new() -> Best<T> {
        Best { worth: i32::MIN, equals: Vec::new() }
    }

    fn meet(&mut self, worth: i32, other: T) {
        if worth > self.worth {
            self.worth = worth;
            self.equals.clear();
        }
        if worth == self.worth {
            self.equals.push(other);
        }
    }

    fn drawn(&self, dice: &mut Dice) -> Option<T> {
        dice.index(self.equals.len()).map(|index| self.equals[index])
    }
}

/// The roll that seems best, without listing those that play the same cards for more trilithon cards.
fn quick_roll(state: &State, seat: Seat, boulder: Number, dice: &mut Dice) -> Option<Move> {
    let (hand, direction) = (state.players[seat.index()].hand, state.direction());
    let table = Table::of(state, seat);
    let trilithon = hand.iter().find(|card| card.is_trilithon());
    let mut best = Best::new();
    legal::plays(hand, boulder, direction, |way, cards, ending| {
        best.meet(table.rolled(way, cards.len(), ending), (CardSet::EMPTY, cards, ending));
    });
    if let (Some(card), false) = (trilithon, best.equals.is_empty()) {
        legal::plays(hand, boulder, direction.turned(), |way, cards, ending| {
            best.meet(table.rolled(way, cards.len(), ending) - TRILITHON, (CardSet::one(card), cards, ending));
        });
    }
    match best.drawn(dice) {
        Some((trilithons, cards, ending)) => Some(Move::Roll(Roll { trilithons, cards, ending })),
        None => SacrificeRoulette.legal_moves(state, seat).moves.into_iter().next(),
    }
}

/// The disks of each colour that pieces have: how many are on the board, and how many at each number.
fn disks(state: &State) -> [(u8, [u8; NUMBERS as usize]); Colour::PIECES.len()] {
    let mut disks = [(0, [0; NUMBERS as usize]); Colour::PIECES.len()];
    for (pit, colour) in state.pits.occupied() {
        if let Some((count, columns)) = disks.get_mut(colour as usize) {
            *count += 1;
            columns[usize::from(pit.number.column())] += 1;
        }
    }
    disks
}

/// Returns what one more card to draw up to is worth, in hundredths of a point: less and less as the decks run out.
fn use_of_limits(state: &State) -> i32 {
    let decks = i32::from(state.last_depletion().saturating_sub(state.depletions + 1));
    let left = state.deck.len() as i32 + 45 * decks;
    LIMIT * left.min(ENOUGH) / ENOUGH
}

/// The facts about a state that the ratings of its moves share.
struct Table {
    /// The value of a fall, in hundredths of a point, by the column of the number.
    falls: [i32; NUMBERS as usize],
    /// The value for the next seat of the boulder standing there.
    left: [i32; NUMBERS as usize],
    /// Of the cards that may be drawn, those that mean the pit of the day, and of the night.
    days: i32,
    nights: i32,
    all: i32,
}

impl Table {
    fn of(state: &State, seat: Seat) -> Table {
        let mut table = Table { falls: [0; NUMBERS as usize], left: [0; NUMBERS as usize], days: 0, nights: 0, all: 0 };
        if !matches!(state.stage, Stage::Turn(_)) {
            return table;
        }
        let own = &state.players[seat.index()];
        let seen = state.players.iter().fold(own.hand, |seen, player| seen.union(player.known));
        let unseen = CardSet::ALL.minus(seen).minus(state.discards.set()).minus(state.marker.into_iter().collect());
        for card in unseen.iter() {
            table.all += 1;
            match card.stone() {
                Some(stone) if stone.day => table.days += 1,
                Some(_) => table.nights += 1,
                None => (table.days, table.nights) = (table.days + 1, table.nights + 1),
            }
        }
        let disks = disks(state);
        let gains = gains(state, seat, &disks.map(|(count, _)| count));
        for (pit, colour) in state.pits.occupied() {
            let chances = if pit.day { table.days } else { table.nights };
            let gain = gains.get(colour as usize).copied().unwrap_or(0);
            table.falls[usize::from(pit.number.column())] += gain * chances;
        }
        table.falls.iter_mut().for_each(|fall| *fall /= table.all.max(1));
        // The next seat looks for falls near the boulder; own disks there are in danger.
        let (_, columns) = disks[seat.index()];
        for (column, left) in table.left.iter_mut().enumerate() {
            let near = |ahead: usize| if state.marker.is_none() { column + ahead } else { column + 30 - ahead };
            let danger: u8 = (1..=12).map(|ahead| columns[near(ahead) % columns.len()]).sum();
            *left = -3 * i32::from(danger);
        }
        table
    }

    /// Returns how many of the cards that may be drawn mean one of these pits.
    fn chances(&self, day: bool, night: bool) -> i32 {
        match (day, night) {
            (true, true) => self.all,
            (true, false) => self.days,
            (false, true) => self.nights,
            (false, false) => 0,
        }
    }

    /// In the units of values.
    fn worth(&self, state: &State, seat: Seat, mv: &Move) -> i32 {
        let hundredths = match mv {
            Move::Place(Place { pit }) => place(state, seat, *pit),
            Move::Reverse(_) => 0,
            Move::Roll(roll) => self.roll(state, roll),
        };
        hundredths * POINT / 100
    }

    fn roll(&self, state: &State, roll: &Roll) -> i32 {
        let way = state.boulder.and_then(|boulder| legal::way(roll, boulder, state.direction()));
        let Some(way) = way else { return 0 };
        self.rolled(way, roll.cards.len(), roll.ending) - TRILITHON * roll.trilithons.len() as i32
    }

    /// The cost of playing this number of cards, in hundredths of a point.
    fn rolled(&self, way: Way, cards: usize, ending: Ending) -> i32 {
        let rolls = cards - usize::from(ending == Ending::Fall);
        let end = usize::from(way.number(rolls.saturating_sub(1) as u8).column());
        let fall = if ending == Ending::Stop { 0 } else { self.falls[end] };
        fall + self.left[end]
    }
}

/// The value of taking a disk by its colour, in hundredths of a point, with this number on the board.
fn gains(state: &State, seat: Seat, on_board: &[u8; Colour::PIECES.len()]) -> [i32; Colour::PIECES.len()] {
    let seats = state.count();
    let points = |seat: Seat| {
        let taken = state.players[seat.index()].taken.iter().sum::<u8>();
        2 * i32::from(on_board[seat.index()]) + i32::from(taken)
    };
    // What another loses helps against that one alone: most with the one who leads among the others.
    let rivalry = |other: Seat| {
        let ahead = seats.seats().any(|third| third != seat && points(third) > points(other));
        match seats.get() {
            2 => 100,
            _ if ahead => 90,
            _ => 160,
        }
    };
    let mut gains = [100; Colour::PIECES.len()];
    for owner in seats.seats() {
        gains[State::colour(owner) as usize] = if owner == seat {
            use_of_limits(state) - 100
        } else {
            100 + 200 * rivalry(owner) / (100 * (i32::from(seats.get()) - 1))
        };
    }
    gains
}

/// A sacrifice lies best beside an own one or alone: nobody is drawn there by what they would win.
fn place(state: &State, seat: Seat, pit: Stone) -> i32 {
    let beside = state.pits.at(Stone { number: pit.number, day: !pit.day });
    match beside.map(|disk| state.owner(disk)) {
        Some(Some(owner)) if owner == seat => 20,
        None => 40,
        Some(None) => -20,
        Some(Some(_)) => 0,
    }
}
