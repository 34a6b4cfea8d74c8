//! What the thief's player is asked.

use super::state::{Stage, State};
use sarsen_rules::{Asked, AskedBy};

/// The question of the stage.
pub fn asked(state: &State) -> Asked {
    let Some(thief) = state.thief.filter(|_| state.stage != Stage::ChoosingStart) else {
        return Asked::of("start", "Choose to set out from 30a or 1a.");
    };
    let text = match state.points() {
        0 => format!("You are on {} and have no points: stay.", thief.at),
        1 => format!("You are on {} and have 1 point: go, or stay.", thief.at),
        points => format!("You are on {} and have {points} points: go, or stay.", thief.at),
    };
    Asked::of("walk", text).by(AskedBy::place(thief.at.to_string()))
}
