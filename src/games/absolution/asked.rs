//! What the seat to act is asked.

use super::state::{State, Step};
use super::track::Phase;
use crate::games::stonehenge::{Card, Stone};
use crate::rules::{Asked, AskedBy};

/// The question of the step.
pub fn asked(state: &State) -> Asked {
    if state.step == Step::Voting {
        return Asked::of("nominate", "Nominate the seat that is to play Day 1.");
    }
    let (phase, number) = (state.turn.phase(), state.number());
    let (name, day) = match phase {
        Phase::Day => ("Day", true),
        Phase::Night => ("Night", false),
    };
    let field = if state.exchanged { "" } else { ", or use the Exchange Field first" };
    let text = match state.rescue_pending() {
        true => format!("{name} {number}: only a match brings the Druid back from the altar{field}."),
        false => format!("{name} {number}: play cards that match {number}, or pass{field}."),
    };
    // The card of the turn has its name, and so has the small stone.
    Asked::of("turn", text).by(AskedBy::entry("card", Card::of_stone(Stone { number, day }).to_string()))
}
