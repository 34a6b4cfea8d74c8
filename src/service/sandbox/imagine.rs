//! Positions that a view could be of: what the viewer does not know is drawn.
//!
//! Invariants: each of them shows exactly the view. The work is bounded for any input, because nothing is tried twice:
//! the view is read, bounded, and dealt out once for each position.

use std::sync::Arc;

use serde_json::Value;

use super::{Sandbox, SandboxPosition};
use sarsen_rules::{Dice, DiceSeed, Seat, Viewer};

/// The positions to imagine.
pub struct ImagineOrder {
    /// The game's id.
    pub game: String,
    /// The value that may be a view of it.
    pub view: Value,
    /// The seat whose view it is; `None` for that of somebody without a seat.
    pub seat: Option<Seat>,
    /// The seed of the first position's dice; `None` for a random one.
    pub seed: Option<DiceSeed>,
    /// The number of positions.
    pub count: usize,
}

/// The reason why nothing was imagined.
#[derive(Debug, thiserror::Error)]
pub enum NotImagined {
    /// No such game.
    #[error("there is no such game here; there are {}", here.join(", "))]
    GameNotFound {
        /// The ids of those that there are.
        here: Vec<&'static str>,
    },
    /// No state shows it.
    #[error("no state of this game that somebody has to decide in, or that is over, shows this view")]
    Impossible,
}

impl Sandbox {
    /// Positions that `order.view` could be of.
    ///
    /// # Errors
    /// The reason why there are none.
    pub fn imagine(&self, order: &ImagineOrder) -> Result<Vec<SandboxPosition>, NotImagined> {
        let game = self.game(&order.game).ok_or_else(|| NotImagined::GameNotFound { here: self.games.ids() })?;
        let viewer = order.seat.map_or(Viewer::Spectator, Viewer::Seat);
        let seeds: Vec<DiceSeed> = self.seeds(order.seed, order.count).collect();
        let mut dice: Vec<Dice> = seeds.iter().copied().map(Dice::new).collect();
        let states = game.imagine(&order.view, viewer, &mut dice).ok_or(NotImagined::Impossible)?;
        let position = |((state, seed), dice)| SandboxPosition::new(Arc::clone(game), state, seed, dice);
        Ok(states.into_iter().zip(seeds).zip(dice).map(position).collect())
    }
}
