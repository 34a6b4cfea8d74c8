//! New positions.
//!
//! Invariant: the first position of a seed is what a match with that seed of its dice would be after its set-up.

use std::sync::Arc;

use serde_json::Value;

use super::{Sandbox, SandboxPosition};
use sarsen_games::{Corrupt, GameEvent, OptionsError};
use sarsen_rules::{Dice, DiceSeed, SeatCount};

/// The positions to set up.
pub struct SetUpOrder {
    /// The game's id.
    pub game: String,
    /// Its options; null for its defaults.
    pub options: Value,
    /// The number of seats; `None` for the fewest.
    pub seats: Option<SeatCount>,
    /// The seed of the first position's dice; `None` for a random one.
    pub seed: Option<DiceSeed>,
    /// The number of positions.
    pub count: usize,
}

/// The reason why nothing was set up.
#[derive(Debug, thiserror::Error)]
pub enum NotSetUp {
    /// No such game.
    #[error("there is no such game here; there are {}", here.join(", "))]
    GameNotFound {
        /// The ids of those that there are.
        here: Vec<&'static str>,
    },
    /// The game cannot be played by this number of players.
    #[error("`seats` has to be an integer from {min} to {max}: this game is for so many players")]
    SeatCount {
        /// The fewest.
        min: u8,
        /// The most.
        max: u8,
    },
    /// The options are not of the game's schema, or do not fit.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The game does not read its own options.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}

/// A position, and what happened in its set-up or in the step to it.
pub struct Reached {
    /// The position.
    pub position: SandboxPosition,
    /// The events of the set-up, secrets included.
    pub events: Vec<GameEvent>,
}

impl Sandbox {
    /// New positions; each is set up when it is asked for.
    ///
    /// # Errors
    /// The reason why there are none.
    pub fn set_up(
        &self,
        order: SetUpOrder,
    ) -> Result<impl Iterator<Item = Result<Reached, Corrupt>> + use<'_>, NotSetUp> {
        let game = self.game(&order.game).ok_or_else(|| NotSetUp::GameNotFound { here: self.games.ids() })?;
        let info = game.info();
        let seats = order.seats.or(SeatCount::new(info.min_seats));
        let fits = |seats: &SeatCount| (info.min_seats..=info.max_seats).contains(&seats.get());
        let seats = seats.filter(fits).ok_or(NotSetUp::SeatCount { min: info.min_seats, max: info.max_seats })?;
        let options = game.options(&order.options, seats)?;
        Ok(self.seeds(order.seed, order.count).map(move |seed| {
            let mut dice = Dice::new(seed);
            let set_up = game.setup(&options, seats, &mut dice)?;
            let position = SandboxPosition::new(Arc::clone(game), set_up.state, seed, dice);
            Ok(Reached { position, events: set_up.events })
        }))
    }
}
