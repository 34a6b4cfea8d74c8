//! A seat's observation: its view and its legal moves, in the types of its game, behind one opaque value.
//!
//! Invariant: an observation is made of a state but holds none, so a bot that is given one cannot see what the seat cannot.

use std::any::Any;

use sarsen_rules::{Game, Seat, Viewer};

/// A seat's view and its legal moves, of whichever game. Only the bots of that game open it.
pub struct SeatObservation {
    pub(crate) seat: Seat,
    /// The game's `(View, Vec<Move>)`.
    inner: Box<dyn Any + Send + Sync>,
}

impl SeatObservation {
    pub(super) fn of<G: Game>(game: &G, state: &G::State, seat: Seat) -> SeatObservation {
        let view = game.view(state, Viewer::Seat(seat));
        SeatObservation { seat, inner: Box::new((view, game.legal_moves(state, seat).moves)) }
    }

    /// The view and the legal moves; `None` if they are of another game.
    pub(crate) fn open<G: Game>(&self) -> Option<&(G::View, Vec<G::Move>)> {
        self.inner.downcast_ref()
    }
}
