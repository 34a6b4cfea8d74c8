//! What the seat to act is asked.

use super::state::{Stage, State};
use sarsen_rules::{Asked, AskedBy};

/// The question of the stage.
pub fn asked(state: &State) -> Asked {
    let colour = if state.to_move() == super::position::Colour::White { "white" } else { "red" };
    match state.stage {
        Stage::Bidding => match state.highest_bid() {
            Some(most) if state.bids.is_empty() => {
                Asked::of("bid", format!("Bid to win within at most {} turns of your own.", most.get()))
            }
            Some(most) => Asked::of("bid", format!("Bid at most {} turns of your own, or pass.", most.get())),
            None => Asked::of("bid", "Pass: no lower bid is possible."),
        },
        Stage::Choosing => Asked::of("order", "You bid lowest: choose to move first with white, or second with red."),
        Stage::Playing { .. } | Stage::Over { .. } => {
            Asked::of("move", format!("Move one of the {colour} pieces.")).by(AskedBy::entry("disk", colour))
        }
    }
}
