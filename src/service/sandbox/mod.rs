//! The sandbox: positions that travel with the client instead of living on the server, for those who train and test bots
//! against the rules.
//!
//! - [`position`] is a state with the dice that it goes on with, and what is sealed of it; [`seal`] seals and opens.
//! - [`set_up`], [`step`], [`playout`] and [`imagine`] are the four things that can be done: a new position, the one after a
//!   move, those at the end of playouts, and those that a view could be of.
//! - [`offload`] does long work, on threads of its own.
//!
//! Invariants: nothing is stored, so any instance can take any position, and a copy of the text is a copy of the position.
//! A position comes from the rules alone: what was not sealed here does not open. It is no match, and none can be made of it.
//!
//! Players, matches, a store and a clock are deliberately absent.

pub mod imagine;
pub mod offload;
pub mod playout;
pub(crate) mod position;
pub mod seal;
pub mod set_up;
pub mod step;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use aws_lc_rs::digest::{Context, SHA256};

use sarsen_accounts::auth::{NotDerived, SigningKeys};
use sarsen_base::ambient::Ambient;
use sarsen_games::bots::Bots;
use sarsen_games::{AnyGame, Games};
use sarsen_rules::DiceSeed;
use seal::{NotSealed, Seals};

pub use position::SandboxPosition;

/// The purpose that keys of positions are derived for.
const PURPOSE: &str = "sarsen/position/1";
/// The label that sets the seeds of the second position of a request, and of those after it, apart from anything else.
const SEEDS: &[u8] = b"sarsen/sandbox-seed/1";

/// The sandbox: sets up, steps and imagines positions.
pub struct Sandbox {
    games: Arc<Games>,
    seals: Seals,
    ambient: Ambient,
    bots: Bots,
}

/// The reason why there is no sandbox.
#[derive(Debug, thiserror::Error)]
pub enum NoSandbox {
    /// The keys cannot be derived.
    #[error(transparent)]
    Keys(#[from] NotDerived),
    /// The keys do not fit the cipher.
    #[error(transparent)]
    Seals(#[from] NotSealed),
}

impl Sandbox {
    /// One for these games, whose positions are sealed with what follows from these keys.
    ///
    /// # Errors
    /// If the library of cryptography fails.
    pub fn new(games: Arc<Games>, keys: &SigningKeys, ambient: Ambient) -> Result<Sandbox, NoSandbox> {
        let seals = Seals::new(&keys.derived(PURPOSE)?, &games, ambient.clone())?;
        Ok(Sandbox { games, seals, ambient, bots: Bots::default() })
    }

    /// The same with these bots, which can play on from positions.
    #[must_use]
    pub fn with_bots(self, bots: Bots) -> Sandbox {
        Sandbox { bots, ..self }
    }

    /// The newest version of a game.
    fn game(&self, id: &str) -> Option<&Arc<dyn AnyGame>> {
        self.games.newest(id)
    }

    /// The seeds of `count` positions. The first is `given`, or random without it; the others are derived from it.
    fn seeds(&self, given: Option<DiceSeed>, count: usize) -> impl Iterator<Item = DiceSeed> + use<> {
        let first = given.unwrap_or_else(|| DiceSeed(self.ambient.bytes()));
        (0..count).map(move |number| if number == 0 { first } else { further_seed(first, number as u32) })
    }

    /// The text that a client holds.
    ///
    /// # Errors
    /// If the state has no JSON form, or the library of cryptography fails.
    pub fn seal(&self, position: &SandboxPosition) -> Result<String, NotSealed> {
        self.seals.seal(position)
    }
}

/// The seed of the position of this number, counted from 0, of a request.
fn further_seed(first: DiceSeed, number: u32) -> DiceSeed {
    let mut context = Context::new(&SHA256);
    context.update(SEEDS);
    context.update(&first.0);
    context.update(&number.to_be_bytes());
    let mut seed = [0; 32];
    seed.copy_from_slice(context.finish().as_ref());
    DiceSeed(seed)
}
