//! What the seat to act is asked.

use super::state::{State, Step};
use sarsen_rules::Asked;

/// The question of the step.
pub fn asked(state: &State) -> Asked {
    if state.step == Step::Voting {
        return Asked::of("nominate", "Nominate the seat that is to play Day 1.");
    }
    let (name, number) = (state.turn.phase().title(), state.number());
    let field = if state.exchanged { "" } else { ", or use the Exchange Field first" };
    let text = match state.rescue_pending() {
        true => format!("{name} {number}: only a match brings the Druid back from the altar{field}."),
        false => format!("{name} {number}: play cards that match {number}, or pass{field}."),
    };
    // The stone of the turn is named by the words alone: as a source it would have the name of a card that may be hidden.
    Asked::of("turn", text)
}
