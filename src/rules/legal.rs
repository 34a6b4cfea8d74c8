//! A move that the rules have accepted.
//!
//! Invariant: only this module makes one, by [`play()`](super::play()) and [`rehearse()`](super::rehearse()), which
//! have asked the game first, and by a [`SilentWalk`](super::SilentWalk), which has asked or takes it from the game's
//! own list.

use super::seat::Seat;

/// A move that the rules have accepted, and who makes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Legal<M> {
    seat: Seat,
    mv: M,
}

impl<M> Legal<M> {
    /// The move `mv` of `seat`, which the game has accepted.
    pub(super) fn accepted(seat: Seat, mv: M) -> Legal<M> {
        Legal { seat, mv }
    }

    /// Returns the seat that makes the move.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The move.
    pub fn mv(&self) -> &M {
        &self.mv
    }

    /// The move itself, once it has been made.
    pub(super) fn into_move(self) -> M {
        self.mv
    }
}
