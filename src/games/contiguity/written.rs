//! The moves of pieces as JSON, each written once for the whole process: a list of them is most of what a client reads.
//!
//! Invariant: the text is what serde writes of the move; the conformance suite compares.

use std::sync::LazyLock;

use serde_json::value::{RawValue, to_raw_value};

use super::moves::{Move, MovePiece};
use crate::games::stonehenge::{SPACES, Space};

/// By start and target in board order; nothing where no line leads from one to the other.
static MOVES: LazyLock<Vec<Option<Box<RawValue>>>> = LazyLock::new(|| {
    let pairs = Space::all().flat_map(|from| Space::all().map(move |to| MovePiece { from, to }));
    pairs.map(|mv| if in_line(mv) { to_raw_value(&Move::Move(mv)).ok() } else { None }).collect()
});

fn in_line(MovePiece { from, to }: MovePiece) -> bool {
    from.row() == to.row() || from.column() == to.column()
}

/// The move as JSON, if it goes along a line.
pub fn piece_move(mv: MovePiece) -> Option<&'static RawValue> {
    let place = usize::from(mv.from.index()) * usize::from(SPACES) + usize::from(mv.to.index());
    MOVES.get(place)?.as_deref()
}
