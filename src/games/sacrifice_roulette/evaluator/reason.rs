//! Reasons for good moves, in words: the sacrifices that a fall may take, and those ahead of the boulder.

use super::super::legal;
use super::super::moves::{Ending, Move, Place, Roll};
use super::super::state::State;
use super::Table;
use crate::stonehenge::Stone;
use sarsen_rules::Seat;
use sarsen_rules::phrases::counted;

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
        None => Some(format!("No other sacrifice lies at {number}, so a fall there takes one at most.")),
        Some(Some(owner)) if owner == seat => Some(format!("Both sacrifices at {number} are then your own.")),
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
        return safe
            .then(|| format!("The boulder stops on {end}, and no sacrifice of yours lies on the next 12 numbers."));
    }
    // A card for the fall takes what lies in the pits that it means: day, night or both.
    let taken = |day: bool| {
        let disk = state.pits.at(Stone { number: end, day });
        disk.is_some_and(|disk| state.owner(disk) != Some(seat))
    };
    let lost = |day: bool| state.pits.at(Stone { number: end, day }).is_some() && !taken(day);
    let (chances, all) = (table.chances(taken(true), taken(false)), table.all);
    let own = table.chances(lost(true), lost(false));
    let takes = |count| match count {
        1 => "1 takes".to_owned(),
        count if count == all => "all take".to_owned(),
        count => format!("{count} take"),
    };
    let (others, mine) = (takes(chances), takes(own));
    let all = counted(all.unsigned_abs(), "card", "cards");
    match (chances, own) {
        (0, _) => None,
        (_, 0) => Some(format!(
            "Of the {all} that may be drawn for a fall on {end}, {others} a sacrifice and none takes one of yours."
        )),
        _ => Some(format!(
            "Of the {all} that may be drawn for a fall on {end}, {others} a sacrifice of somebody else and {mine} one of yours."
        )),
    }
}
