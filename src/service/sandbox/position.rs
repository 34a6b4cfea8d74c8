//! A position: a state, and the dice that it goes on with.
//!
//! Invariant: what [`SandboxPosition::write`] writes is private to this file and to the key; a form that is not known does not
//! read.

use std::sync::Arc;

use serde_json::value::RawValue;

use sarsen_games::{AnyGame, AnyState, Corrupt};
use sarsen_rules::{DICE_SEED_BYTES, Dice, DiceSeed, SeatCount};

/// The present form: this byte, the seed of the dice, how many words of it are used, the state as it would be stored.
const FORM: u8 = 1;
const SEED_AT: usize = 1;
const USED_AT: usize = SEED_AT + DICE_SEED_BYTES;
const STATE_AT: usize = USED_AT + 8;

/// A state that can be played on.
pub struct SandboxPosition {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The state, with no chance step due.
    pub state: Box<dyn AnyState>,
    seed: DiceSeed,
    /// The dice of `seed`, as far as they have been used.
    pub(super) dice: Dice,
}

impl SandboxPosition {
    /// A state with the dice of a seed, some of which may have been used.
    pub(crate) fn new(game: Arc<dyn AnyGame>, state: Box<dyn AnyState>, seed: DiceSeed, dice: Dice) -> SandboxPosition {
        SandboxPosition { game, state, seed, dice }
    }

    /// Returns the number of seats.
    pub fn seat_count(&self) -> SeatCount {
        self.state.seat_count()
    }

    /// Returns whether `seat` has something to decide.
    #[cfg(test)]
    pub(crate) fn is_to_act(&self, seat: sarsen_rules::Seat) -> bool {
        matches!(self.state.status(), sarsen_rules::Status::ToAct(seats) if seats.contains(seat))
    }

    /// Appends everything about the position to `into`.
    ///
    /// # Errors
    /// A state that has no JSON form.
    pub(super) fn write(&self, into: &mut Vec<u8>) -> Result<(), Corrupt> {
        let state = self.state.store()?;
        into.reserve(STATE_AT + state.get().len());
        into.push(FORM);
        into.extend_from_slice(&self.seed.0);
        into.extend_from_slice(&self.dice.position().to_be_bytes());
        into.extend_from_slice(state.get().as_bytes());
        Ok(())
    }

    /// Reads what [`SandboxPosition::write`] wrote in a release whose states were of this version; `None` for anything else.
    pub(super) fn read(game: &Arc<dyn AnyGame>, state_version: u16, written: &[u8]) -> Option<SandboxPosition> {
        if written.first() != Some(&FORM) {
            return None;
        }
        let seed = DiceSeed(written.get(SEED_AT..USED_AT)?.try_into().ok()?);
        let used = u64::from_be_bytes(written.get(USED_AT..STATE_AT)?.try_into().ok()?);
        let state: &RawValue = serde_json::from_slice(written.get(STATE_AT..)?).ok()?;
        let state = game.load(state_version, state).ok()?;
        Some(SandboxPosition { game: Arc::clone(game), state, seed, dice: Dice::at(seed, used) })
    }
}
