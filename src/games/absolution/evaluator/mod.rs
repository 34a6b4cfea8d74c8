//! Evaluation of Absolution for bots: what a match is worth in each turn, what a hand is worth for the own turns to
//! come, which cards others could use, what to say about it, and why a move is a good one (`reason`).
//!
//! Invariant: of the hands only the seat's own is looked at. Signals are about the next own turn: a word for the
//! quality of the hand, and a wish for numbers that would help.

mod reason;

use super::Absolution;
use super::matching::{self, Fit};
use super::moves::{Exchange, Move, Nominate, Play};
use super::numbers::NumberSet;
use super::state::{State, Step};
use super::talk::{LIMIT, Ready, Wish, Word};
use super::track::{Druid, Phase, Turn, is_black};
use super::view::AbsolutionView;
use crate::common::Pass;
use crate::stonehenge::{Card, CardSet, Number};
use sarsen_rules::{Candidate, Candidates, Dice, Effort, Evaluator, Method, Rules, Seat, Tuning, Values, WON, ladder};

/// The weights of the seat's own later turns: the next, the one after it, and so on.
const AHEAD: [i32; 4] = [10, 7, 5, 4];
/// The value of one more card.
const CARD: i32 = 9;
/// The value of a trilithon card beyond that.
const TRILITHON: i32 = 14;
/// The value of a card in the Field that another seat needs in its next turn, and of one that it has wished for.
const GIFT: [i32; 2] = [9, 12];
/// The factor from worths to the units of values.
const UNIT: i32 = 25;
/// The most things that a bot wishes for.
const WISHES: usize = 3;

impl Evaluator for Absolution {
    const TUNING: Tuning = Tuning {
        version: 2,
        method: Method::Ranked,
        candidates: 8,
        // The quick player wins nearly always; a search cannot add to that, only take away. What the levels below lack is
        // attention.
        levels: [
            Effort { simulations: 0, noise: 1500, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 700, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 0, answer_milliseconds: 300 },
        ],
        rungs: ladder([(0, 700), (0, 640), (0, 575), (0, 510), (0, 450), (0, 350), (0, 180), (0, 0)]),
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        let moves = self.legal_moves(state, seat).moves.into_iter();
        let table = Table::of(state, seat);
        Candidates::best_of(moves.map(|mv| Candidate { worth: table.worth(&mv) * UNIT, mv }), most, true)
    }

    /// The move that seems best; equals by lot.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let moves = self.legal_moves(state, seat).moves;
        let table = Table::of(state, seat);
        let worths: Vec<i32> = moves.iter().map(|mv| table.worth(mv)).collect();
        let most = worths.iter().max()?;
        let best: Vec<&Move> =
            moves.iter().zip(&worths).filter(|(_, worth)| *worth == most).map(|(mv, _)| mv).collect();
        dice.index(best.len()).map(|index| best[index].clone())
    }

    /// Returns how far the Druid is from the altar, and how many pairs may still come home.
    fn value(&self, state: &State) -> Values {
        let mut values = Values::default();
        let value = match state.ending() {
            Some(_) => match state.status() {
                sarsen_rules::Status::Over(outcome) => return self.reward(&outcome),
                _ => WON / 2,
            },
            None => {
                let left = 60 - i32::from(state.turn.index());
                let room = i32::from(Druid::ALTAR.steps_from(state.druid));
                (WON / 2 + 150 * room - 60 * left).clamp(500, WON - 500)
            }
        };
        state.seats().seats().for_each(|seat| values[seat.index()] = value);
        values
    }

    fn begins_turn(&self, view: &AbsolutionView) -> bool {
        view.turn.as_ref().is_some_and(|turn| !turn.exchanged)
    }

    /// With an empty hand a seat can only pass.
    fn is_publicly_forced(&self, view: &AbsolutionView, seat: Seat, legal: &[Move]) -> bool {
        legal.len() == 1 && view.turn.is_some() && view.seats[seat.index()].hand_size == 0
    }

    fn reason(&self, state: &State, seat: Seat, mv: &Move) -> Option<String> {
        reason::of(state, seat, mv)
    }

    fn talk(&self, view: &AbsolutionView, seat: Seat) -> Vec<Move> {
        let own = &view.seats[seat.index()];
        let (Some(hand), Some(turn)) = (own.hand, next_turn(view, seat)) else { return Vec::new() };
        // One wish and one word a turn of the track, and nothing twice.
        if own.signals_left < LIMIT || view.step == Step::Over {
            return Vec::new();
        }
        let number = turn.number();
        let standing = matching::fit(hand, number);
        let word = match standing {
            Fit::Single | Fit::Trilithon => Word::Great,
            Fit::Pair | Fit::TrilithonPair => Word::Fair,
            Fit::None => Word::Poor,
        };
        let ready = Ready { phase: turn.phase(), number, word };
        let mut said = Vec::new();
        if !own.ready.contains(&ready) {
            said.push(Move::Ready(ready));
        }
        if word != Word::Great {
            let wish = Wish { numbers: helpful(hand, number), colours: Vec::new() };
            if !wish.numbers.is_empty() && own.wish.as_ref() != Some(&wish) {
                said.push(Move::Wish(wish));
            }
        }
        said
    }
}

/// The next turn of `seat`, from which on it can use what is said now; `None` where it has none, or is on turn.
fn next_turn(view: &AbsolutionView, seat: Seat) -> Option<Turn> {
    let (Some(first), Some(turn)) = (view.first_seat, view.turn) else {
        // In the vote, signals are about Day 1.
        return (view.step == Step::Voting).then_some(Turn::FIRST);
    };
    if turn.seat == seat {
        return None;
    }
    let seats = view.seats.len();
    let turns = std::iter::successors(Turn::of(turn.phase, turn.number).next(), |turn| turn.next());
    turns.take(seats).find(|turn| (first.index() + usize::from(turn.index())) % seats == seat.index())
}

/// Numbers whose card would match `number` with a card of this hand: that number itself, which needs none, and then the
/// lowest.
fn helpful(hand: CardSet, number: Number) -> NumberSet {
    let helps = |wished: &Number| {
        let card = Card::numbers().find(|card| card.number() == Some(*wished));
        card.is_some_and(|card| hand.iter().any(|own| own != card && matches_with(own, card, number)))
    };
    let others = Number::all().filter(|other| *other != number).filter(helps);
    std::iter::once(number).chain(others).take(WISHES).collect()
}

fn matches_with(own: Card, card: Card, number: Number) -> bool {
    matching::is_match(CardSet::EMPTY.with(own).with(card), number)
}

/// The facts about a state that the ratings of its moves share.
struct Table<'a> {
    state: &'a State,
    hand: CardSet,
    /// The value of matching the number.
    need: i32,
    /// The numbers of the own turns to come.
    ahead: Vec<Number>,
    /// The value of each card in the Field.
    gifts: Vec<(Number, i32)>,
    nominee: Option<Seat>,
}

impl Table<'_> {
    fn of(state: &State, seat: Seat) -> Table<'_> {
        let hand = state.players[seat.index()].hand;
        let seats = usize::from(state.seats().get());
        let turns = || std::iter::successors(state.turn.next(), |turn| turn.next());
        let ahead = turns().skip(seats - 1).step_by(seats).take(AHEAD.len()).map(|turn| turn.number()).collect();
        let mut gifts = Vec::new();
        let mut after = seat;
        for turn in turns().take(seats - 1) {
            after = after.next(state.seats());
            gifts.push((turn.number(), GIFT[0]));
            if let Some(wish) = &state.players[after.index()].talk.wish {
                gifts.extend(wish.numbers.iter().map(|number| (number, GIFT[1])));
            }
        }
        let great = |seat: &Seat| {
            let words = &state.players[seat.index()].talk.ready;
            words.iter().any(|ready| ready.turn() == Turn::FIRST && ready.word == Word::Great)
        };
        let nominee = state.seats().seats().find(great).or(state.seats().seats().next());
        Table { state, hand, need: need(state), ahead, gifts, nominee }
    }

    fn worth(&self, mv: &Move) -> i32 {
        match mv {
            Move::Play(Play { cards }) => self.play(self.hand, *cards, self.state.exchanged),
            Move::Pass(Pass {}) => self.outlook(self.hand),
            Move::Exchange(Exchange { give, take }) => {
                let mut hand = self.hand.with(*take);
                hand.remove(*give);
                let plays = matching::matches(hand, self.state.number());
                let best = plays.into_iter().map(|cards| self.play(hand, cards, true)).max();
                let best = best.map_or(self.outlook(hand), |best| best.max(self.outlook(hand)));
                best + self.gift(*give) - self.gift(*take) - 1
            }
            Move::Nominate(Nominate { seat }) => i32::from(self.nominee == Some(*seat)),
            Move::Wish(_) | Move::Ready(_) => 0,
        }
    }

    /// A match: what it brings, the cards that are drawn for it, and what is left.
    fn play(&self, hand: CardSet, cards: CardSet, exchanged: bool) -> i32 {
        let drawn = self.state.pile.len().min(if exchanged { 1 } else { 2 }) as i32;
        self.need + drawn * CARD + self.outlook(hand.minus(cards))
    }

    /// Returns what a hand is worth for the turns to come.
    fn outlook(&self, hand: CardSet) -> i32 {
        let trilithons = hand.iter().filter(|card| card.is_trilithon()).count() as i32;
        let stands = |number: &Number| match matching::fit(hand, *number) {
            Fit::None => 0,
            Fit::TrilithonPair => 10,
            Fit::Pair => 17,
            Fit::Trilithon => 20,
            Fit::Single => 30,
        };
        let ahead: i32 = self.ahead.iter().zip(AHEAD).map(|(number, weight)| stands(number) * weight / 10).sum();
        hand.len() as i32 * CARD + trilithons * TRILITHON + ahead
    }

    fn gift(&self, card: Card) -> i32 {
        let Some(number) = card.number() else { return -TRILITHON / 2 };
        self.gifts.iter().filter(|(wanted, _)| *wanted == number).map(|(_, worth)| worth).sum()
    }
}

/// Returns what matching the number of the turn is worth.
fn need(state: &State) -> i32 {
    let gone = i32::from(state.druid.steps_from(Druid::START));
    let room = i32::from(Druid::ALTAR.steps_from(state.druid));
    let number = state.number();
    // The fewer stones are left for the misses to come, the dearer is one.
    let danger = 10 + 3 * gone + if room <= 3 { 40 } else { 0 };
    match (state.turn.phase(), is_black(number)) {
        (Phase::Day, false) => danger,
        (Phase::Day, true) => 12,
        (Phase::Night, false) => 45 + danger,
        (Phase::Night, true) if state.rescue_pending() => 500,
        (Phase::Night, true) if state.trilithons.contains(number) => danger,
        (Phase::Night, true) => 0,
    }
}
