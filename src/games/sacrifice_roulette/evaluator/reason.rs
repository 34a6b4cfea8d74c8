//! Why a move is a good one, in words: what a fall is likely to take, and what lies ahead of whoever follows.

use super::super::legal;
use super::super::moves::{Ending, Move, Place, Roll};
use super::super::state::State;
use super::Table;
use crate::stonehenge::Stone;
use sarsen_rules::Seat;

/// The reason for a legal move, where one is known.
pub(crate) fn of(state: &State, seat: Seat, mv: &Move) -> Option<String> {
    match mv {
        Move::Place(Place { pit }) => placed(state, seat, *pit),
        Move::Roll(roll) => rolled(state, seat, roll),
        Move::Reverse(_) => None,
    }
}

fn placed(state: &State, seat: Seat, pit: Stone) -> Option<String> {
    let beside = state.pits.at(Stone { number: pit.number, day: !pit.day });
    let number = pit.number;
    match beside.map(|disk| state.owner(disk)) {
        None => Some(format!("No other sacrifice lies at {number}, so nobody is drawn there by more than this one.")),
        Some(Some(owner)) if owner == seat => Some(format!("Only own sacrifices then lie at {number}.")),
        Some(_) => None,
    }
}

fn rolled(state: &State, seat: Seat, roll: &Roll) -> Option<String> {
    let way = legal::way(roll, state.boulder?, state.direction())?;
    let rolls = roll.cards.len() - usize::from(roll.ending == Ending::Fall);
    let end = way.number(rolls.saturating_sub(1) as u8);
    let table = Table::of(state, seat);
    if roll.ending == Ending::Stop {
        let safe = table.left[usize::from(end.column())] == 0;
        return safe.then(|| format!("The boulder stops at {end}, where no own sacrifice lies within the next 12."));
    }
    // A card for the fall takes what lies in the pits that it means: day, night or both.
    let taken = |day: bool| {
        let disk = state.pits.at(Stone { number: end, day });
        disk.is_some_and(|disk| state.owner(disk) != Some(seat))
    };
    let lost = |day: bool| state.pits.at(Stone { number: end, day }).is_some() && !taken(day);
    let (chances, all) = (table.chances(taken(true), taken(false)), table.all);
    let own = table.chances(lost(true), lost(false));
    match (chances, own) {
        (0, _) => None,
        (_, 0) => Some(format!(
            "{chances} of the {all} cards that may be drawn for a fall at {end} take a sacrifice, and none takes an own one."
        )),
        _ => Some(format!(
            "{chances} of the {all} cards that may be drawn for a fall at {end} take a sacrifice, {own} an own one."
        )),
    }
}
