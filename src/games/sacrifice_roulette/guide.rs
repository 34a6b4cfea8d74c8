//! What bots know of Sacrifice Roulette: what a fall is worth where it happens, and where sacrifices lie safely.
//!
//! Invariant: of cards that the seat does not see each is as likely as the others to be drawn; where they are is not looked
//! at.

use super::SacrificeRoulette;
use super::legal;
use super::moves::{Ending, Move, Place, Roll};
use super::state::{Stage, State};
use crate::games::stonehenge::{CardSet, Colour, Number, Stone};
use crate::rules::{Candidate, Candidates, Dice, Effort, Guide, Method, Seat, Status, Tuning, Values, WON};

/// What a point is worth.
const POINT: i32 = 400;
/// What one more card to draw up to is worth, in hundredths of a point.
const LIMIT: i32 = 90;
/// What a trilithon card costs that is played, in hundredths of a point.
const TRILITHON: i32 = 12;
/// How far ahead one is at most without having won.
const LEAD: i32 = WON / 2 - 300;

impl Guide for SacrificeRoulette {
    const TUNING: Tuning = Tuning {
        version: 1,
        method: Method::Flat,
        candidates: 12,
        horizon: 12,
        prior: 60,
        levels: [
            Effort { simulations: 0, noise: 1000, answer_milliseconds: 300 },
            Effort { simulations: 0, noise: 0, answer_milliseconds: 300 },
            Effort { simulations: 600, noise: 0, answer_milliseconds: 600 },
        ],
    };

    fn candidates(&self, state: &State, seat: Seat, most: usize) -> Candidates<Move> {
        let legal = legal::moves(state, seat);
        let complete = legal.complete && legal.moves.len() <= most;
        let table = Table::of(state, seat);
        let rated = legal.moves.into_iter().map(|mv| Candidate { worth: table.worth(state, seat, &mv), mv });
        let mut list: Vec<Candidate<Move>> = rated.collect();
        list.sort_by_key(|candidate| std::cmp::Reverse(candidate.worth));
        list.truncate(most);
        Candidates { list, complete }
    }

    /// The move that seems best; equals by lot.
    fn policy(&self, state: &State, seat: Seat, dice: &mut Dice) -> Option<Move> {
        let moves = legal::moves(state, seat).moves;
        let table = Table::of(state, seat);
        let mut best: Vec<usize> = Vec::new();
        let mut most = i32::MIN;
        for (index, mv) in moves.iter().enumerate() {
            let worth = table.worth(state, seat, mv);
            if worth > most {
                best.clear();
                most = worth;
            }
            if worth == most {
                best.push(index);
            }
        }
        dice.index(best.len()).map(|index| moves[best[index]])
    }

    /// Who leads, by how many points.
    fn value(&self, state: &State) -> Values {
        let mut values = Values::default();
        if let Status::Over(outcome) = state.status() {
            return self.reward(&outcome);
        }
        for seat in state.count().seats() {
            let points = |seat: Seat| {
                let hand = i32::from(state.hand_limit(seat)) * LIMIT / 100 * i32::from(state.turns > 0);
                i32::from(state.points(seat)) * 100 / 100 + hand
            };
            let others = state.count().seats().filter(|other| *other != seat);
            let ahead = points(seat) - others.map(points).max().unwrap_or(0);
            values[seat.index()] = WON / 2 + (ahead * POINT).clamp(-LEAD, LEAD);
        }
        values
    }
}

/// What is worth knowing of a state before its moves are rated.
struct Table {
    /// What a fall is worth, in hundredths of a point, by the column of the number.
    falls: [i32; 30],
    /// What it means that the boulder stands there for the seat that follows.
    left: [i32; 30],
}

impl Table {
    fn of(state: &State, seat: Seat) -> Table {
        let mut table = Table { falls: [0; 30], left: [0; 30] };
        if !matches!(state.stage, Stage::Turn(_)) {
            return table;
        }
        let own = &state.players[seat.index()];
        let seen = state.players.iter().fold(own.hand, |seen, player| seen.union(player.known));
        let unseen = CardSet::ALL.minus(seen).minus(state.discards.set()).minus(state.marker.into_iter().collect());
        let (mut days, mut nights, mut all) = (0, 0, 0);
        for card in unseen.iter() {
            all += 1;
            match card.stone() {
                Some(stone) if stone.day => days += 1,
                Some(_) => nights += 1,
                None => (days, nights) = (days + 1, nights + 1),
            }
        }
        let others = i32::from(state.count().get()) - 1;
        let gain = |disk: Option<Colour>| match disk.map(|disk| (disk, state.owner(disk))) {
            None => 0,
            Some((_, Some(owner))) if owner == seat => LIMIT - 100,
            // What another loses helps against that one alone.
            Some((_, Some(owner))) => 100 + 200 * rivalry(state, seat, owner) / (100 * others),
            Some((_, None)) => 100,
        };
        for number in Number::all() {
            let pit = |day| gain(state.pits.at(Stone { number, day }));
            table.falls[usize::from(number.column())] = (pit(true) * days + pit(false) * nights) / all.max(1);
        }
        // Whoever follows looks for falls near the boulder; own disks there are in danger.
        for number in Number::all() {
            let mut danger = 0;
            for ahead in 1..=12_u8 {
                let column =
                    if state.marker.is_none() { number.column() + ahead } else { number.column() + 30 - ahead };
                let near = Number::in_column(column);
                for day in [true, false] {
                    let disk = state.pits.at(Stone { number: near, day });
                    danger += i32::from(disk.and_then(|disk| state.owner(disk)) == Some(seat));
                }
            }
            table.left[usize::from(number.column())] = -3 * danger;
        }
        table
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
        let Some(boulder) = state.boulder else { return 0 };
        let Some(way) = legal::way(roll, boulder, state.direction()) else { return 0 };
        let rolls = roll.cards.len() - usize::from(roll.ending == Ending::Fall);
        let end = usize::from(way.number(rolls.saturating_sub(1) as u8).column());
        let fall = if roll.ending == Ending::Stop { 0 } else { self.falls[end] };
        fall + self.left[end] - TRILITHON * roll.trilithons.len() as i32
    }
}

/// How much it matters, in hundredths, what `other` has: most with the one who leads among the others.
fn rivalry(state: &State, seat: Seat, other: Seat) -> i32 {
    let points = |seat: Seat| i32::from(state.points(seat));
    let ahead = state.count().seats().filter(|third| *third != seat && points(*third) > points(other)).count() as i32;
    match state.count().get() {
        2 => 100,
        _ if ahead == 0 => 160,
        _ => 90,
    }
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
