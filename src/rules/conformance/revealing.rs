//! Laws of undo: a move that `Secrets::reveals` says reveals nothing shows nobody anything that was
//! hidden from them.
//!
//! The law: two states that a viewer must not be able to tell apart (one of them dealt again, as for secrecy) look
//! alike to it after such a move too. A move that the viewer sees must be possible in both states, or the move itself
//! would tell them apart. For a move that the viewer does not see, the other state has one that looks the same.

use super::plan::{Plan, some};
use super::secrecy::{Told, name, told};
use crate::{Dice, Game, Refusal, Seat, Viewer};

/// The number of moves tried in a state.
const TRIED: usize = 2;
/// The number of moves that are searched for one that looks the same.
const OTHERS: usize = 64;

/// Compares what `viewer` learns from moves of `seat`, which is to act, in both states.
pub(super) fn shows_nothing_new<G: Game>(
    plan: &Plan<G>,
    [here, there]: [&G::State; 2],
    seat: Seat,
    viewer: Viewer,
    choice: &mut Dice,
) {
    let game = &*plan.game;
    for mv in some(&movable(plan, here, seat), TRIED, choice) {
        let Ok(shown) = told(game, here, seat, &mv, viewer) else { continue };
        let known = game.reveals(there, seat, &mv);
        match game.redact_move(&mv, seat, viewer) {
            Some(_) if known => panic!("undo: whether {mv:?} reveals something depends on what is hidden"),
            Some(_) => {
                let other = told(game, there, seat, &mv, viewer);
                assert_eq!(Ok(&shown), other.as_ref(), "undo: {mv:?} of seat {seat} shows {} something", name(viewer));
            }
            None => assert!(
                another(plan, there, seat, viewer, &shown),
                "undo: the secret {mv:?} of seat {seat} shows {} something",
                name(viewer)
            ),
        }
    }
}

/// Returns whether `seat` can make a secret move there that looks like `shown` to `viewer`.
fn another<G: Game>(
    plan: &Plan<G>,
    there: &G::State,
    seat: Seat,
    viewer: Viewer,
    shown: &Told<G::Event, G::View>,
) -> bool {
    let game = &*plan.game;
    let moves = movable(plan, there, seat);
    let secret = moves.iter().filter(|mv| game.redact_move(mv, seat, viewer).is_none());
    let like = |mv: &G::Move| -> Result<bool, Refusal> { Ok(told(game, there, seat, mv, viewer)? == *shown) };
    secret.take(OTHERS).any(|mv| like(mv).unwrap_or(false))
}

/// All moves of `seat` that the rules accept and that reveal nothing.
fn movable<G: Game>(plan: &Plan<G>, state: &G::State, seat: Seat) -> Vec<G::Move> {
    let game = &*plan.game;
    let mut moves = game.legal_moves(state, seat).moves;
    moves.extend((plan.further)(state, seat).into_iter().filter(|mv| game.check(state, seat, mv).is_ok()));
    moves.retain(|mv| !game.reveals(state, seat, mv));
    moves
}
