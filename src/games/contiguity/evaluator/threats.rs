//! Moves that win at once, exactly.

use super::super::lines::{Jump, Reach};
use super::super::moves::MovePiece;
use super::super::position::{Colour, Position};
use crate::stonehenge::Space;

/// The moves of `colour` that connect all its pieces, by start and target in board order.
pub(crate) fn wins(position: &Position, colour: Colour, jump: Jump) -> Vec<MovePiece> {
    let mut found = Vec::new();
    let occupied = position.rows();
    for from in position.pieces(colour) {
        let targets = position.joins_without(colour, from);
        if targets == 0 {
            continue;
        }
        let reach = Reach::new(&occupied, from, jump);
        let mut left = targets;
        while left != 0 {
            let to = Space::from_index(left.trailing_zeros() as u8);
            left &= left - 1;
            found.extend(to.filter(|to| reach.contains(*to)).map(|to| MovePiece { from, to }));
        }
    }
    found
}

/// Returns whether there is one.
pub(crate) fn can_win(position: &Position, colour: Colour, jump: Jump) -> bool {
    let occupied = position.rows();
    position.pieces(colour).any(|from| {
        let mut left = position.joins_without(colour, from);
        if left == 0 {
            return false;
        }
        let reach = Reach::new(&occupied, from, jump);
        while left != 0 {
            if Space::from_index(left.trailing_zeros() as u8).is_some_and(|to| reach.contains(to)) {
                return true;
            }
            left &= left - 1;
        }
        false
    })
}
