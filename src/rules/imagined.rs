//! States imagined from views that a client may have made up.
//!
//! Invariant: an imagined state can be played on like any state of the game. It reads back from its stored form,
//! where a game refuses contradictions; it shows the same view; and some seat has something to decide in
//! it, or it is over.

use serde_json::value::to_raw_value;

use super::dice::Dice;
use super::game::{Game, Status};
use super::seat::Viewer;

/// A state that `viewer` could be looking at, given the view; `None` if no state shows it. Hidden parts
/// are drawn.
pub fn imagined<G: Game>(game: &G, view: &G::View, viewer: Viewer, dice: &mut Dice) -> Option<G::State> {
    if !game.is_plausible(view) {
        return None;
    }
    let state = game.imagine(view, viewer, dice);
    // Read first: a state that contradicts itself may not even be looked at.
    let stored = to_raw_value(&state).ok()?;
    if game.load(&stored).ok()? != state {
        return None;
    }
    let count = game.seat_count(&state);
    if let Viewer::Seat(seat) = viewer
        && !count.contains(seat)
    {
        return None;
    }
    let possible = match game.status(&state) {
        Status::ToAct(seats) => {
            !seats.is_empty()
                && seats.iter().all(|seat| count.contains(seat) && !game.legal_moves(&state, seat).moves.is_empty())
        }
        Status::Over(_) => true,
        Status::Chance => false,
    };
    (possible && game.view(&state, viewer) == *view).then_some(state)
}
