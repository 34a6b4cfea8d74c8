//! Section 9.2: moves for a seat whose player is away.

use super::desk::Desk;
use super::*;

/// Returns how often each move of the list is drawn, for a number of draws a move.
fn drawn(desk: &Desk, draws: usize) -> Vec<usize> {
    let (state, actor) = (&desk.state, desk.actor());
    let (moves, mut dice) = (state.legal(actor), dice(1));
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws * moves.len() {
        let mv = Henge::default().absent_move(state, actor, &mut dice).unwrap();
        counts[moves.iter().position(|listed| *listed == mv).unwrap()] += 1;
    }
    counts
}

#[test]
fn each_move_is_as_likely_where_nothing_can_be_ended() {
    // The pawn is to move.
    let desk = Desk::new("hhh").coins(0, 9);
    assert!(!desk.allows("done"));
    // 400 expected of each, standard deviation 20.
    let counts = drawn(&desk, 400);
    assert!(counts.len() > 3 && counts.iter().all(|count| (300..500).contains(count)), "{counts:?}");
}

#[test]
fn what_can_be_ended_is_ended() {
    let mut desk = Desk::new("hhh").pawn(20);
    desk.play("rondel 1 income; income");
    assert!(desk.allows("done"));
    let (game, mut dice) = (Henge::default(), dice(1));
    let mv = game.absent_move(&desk.state, desk.actor(), &mut dice).unwrap();
    assert_eq!((game.notation(&mv), dice.position()), ("done".to_owned(), 0));
}
