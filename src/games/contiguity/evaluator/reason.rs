//! Reasons for good moves, in words: wins, threats and their defence, and shapes made or hindered.

use super::super::moves::{Bid, ChooseOrder, Move, MovePiece, TurnOrder};
use super::super::position::{Colour, PIECES, Position};
use super::super::state::State;
use super::{FAIR_BID, shapes, threats};
use crate::common::Pass;

/// The reason for a legal move.
pub(crate) fn of(state: &State, mv: &Move) -> Option<String> {
    let plain = |words: &str| Some(words.to_owned());
    match mv {
        Move::Move(mv) => of_piece_move(state, *mv),
        Move::Bid(Bid { turns }) if turns.get() >= FAIR_BID => {
            Some(format!("A game takes a good player about {FAIR_BID} turns, so this bid can be kept."))
        }
        Move::Bid(_) => None,
        Move::Pass(Pass {}) => plain("It is hard to win in fewer turns than the last bid."),
        Move::Choose(ChooseOrder { order: TurnOrder::First }) => plain("The player who moves first is a move ahead."),
        Move::Choose(ChooseOrder { order: TurnOrder::Second }) => None,
    }
}

fn of_piece_move(state: &State, mv: MovePiece) -> Option<String> {
    let (before, own, jump) = (&state.position, state.to_move(), state.options.jump);
    let other = own.other();
    let mut after = *before;
    after.shift(own, mv.from, mv.to);
    if after.groups(own) == 1 {
        return Some("It joins all six pieces, which wins at once.".to_owned());
    }
    if threats::can_win(&after, other, jump) {
        return None;
    }
    let stops = threats::can_win(before, other, jump);
    let threat = match threats::wins(&after, own, jump).len() {
        0 => None,
        1 => Some("threatens to win with the next move"),
        _ => Some("threatens to win in more than one way"),
    };
    match (stops, threat) {
        (true, Some(threat)) => Some(format!("It stops the other side from winning with its next move, and {threat}.")),
        (true, None) => Some("It stops the other side from winning with its next move.".to_owned()),
        (false, Some(threat)) => Some(format!("It {threat}.")),
        (false, None) => of_shapes(before, &after, own),
    }
}

/// Returns what becomes of the shapes that six pieces can make.
fn of_shapes(before: &Position, after: &Position, own: Colour) -> Option<String> {
    let best = |position: &Position, colour: Colour| {
        let counts = shapes::counts(position, colour);
        (shapes::TELLING..=PIECES).rev().map(|held| (held, counts[held])).find(|(_, count)| *count > 0)
    };
    let (own_before, own_after) = (best(before, own), best(after, own));
    let (other_before, other_after) = (best(before, own.other()), best(after, own.other()));
    let held = |best: Option<(usize, u32)>| best.map_or(0, |(held, _)| held);
    if held(own_after) > held(own_before) {
        return Some(format!(
            "It brings {} of your pieces together, and the others can still join them.",
            held(own_after)
        ));
    }
    if held(other_after) < held(other_before) {
        return Some(format!("It blocks every shape in which the other side has {} pieces.", held(other_before)));
    }
    if own_after > own_before {
        return Some(format!("It gives you more ways to join the {} pieces that stand together.", held(own_after)));
    }
    let fewer = other_after < other_before;
    fewer.then(|| format!("It leaves the other side fewer ways to join its {} pieces.", held(other_before)))
}
