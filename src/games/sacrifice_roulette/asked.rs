//! What the seat to act is asked.

use super::state::{Stage, State};
use sarsen_rules::{Asked, AskedBy};

/// The question of the stage.
pub fn asked(state: &State) -> Asked {
    let Some(boulder) = state.boulder.filter(|_| !matches!(state.stage, Stage::Placing { .. })) else {
        return Asked::of("place", "Place one of your sacrifices in an unoccupied pit.");
    };
    let way = state.direction().word();
    let text = format!("Roll the boulder, which stands on {boulder} and rolls {way}, with cards of one colour.");
    Asked::of("roll", text).by(AskedBy::entry("piece", "boulder"))
}
