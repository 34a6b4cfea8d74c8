//! Section 9.2: moves for a seat whose player is away.

use super::desk::Desk;
use super::*;

/// How often each move of the list is drawn in so many draws a move.
fn drawn(game: &Henge, desk: &Desk, draws: usize) -> Vec<usize> {
    let (state, actor) = (&desk.state, desk.actor());
    let (moves, mut dice) = (state.legal(actor), dice(1));
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws * moves.len() {
        let mv = game.absent_move(state, actor, &mut dice).unwrap();
        counts[moves.iter().position(|listed| *listed == mv).unwrap()] += 1;
    }
    counts
}

fn first_version() -> Henge {
    Henge::default().earlier().remove(0)
}

#[test]
fn each_move_is_as_likely_where_nothing_can_be_ended() {
    // The pawn is to move.
    let desk = Desk::new("hhh").coins(0, 9);
    assert!(!desk.allows("done"));
    // 400 expected of each, standard deviation 20.
    let counts = drawn(&Henge::default(), &desk, 400);
    assert!(counts.len() > 3 && counts.iter().all(|count| (300..500).contains(count)), "{counts:?}");
    let counts = drawn(&first_version(), &desk, 10);
    assert_eq!((counts[0], counts[1..].iter().sum::<usize>()), (10 * counts.len(), 0));
}

#[test]
fn what_can_be_ended_is_ended_by_every_version() {
    let mut desk = Desk::new("hhh").pawn(20);
    desk.play("rondel 1 income; income");
    assert!(desk.allows("done"));
    for game in [Henge::default(), first_version()] {
        let mut dice = dice(1);
        let mv = game.absent_move(&desk.state, desk.actor(), &mut dice).unwrap();
        assert_eq!((game.notation(&mv), dice.position()), ("done".to_owned(), 0));
    }
}

#[test]
fn the_versions_keep_their_component_sets() {
    assert_eq!((first_version().rules_version(), Henge::default().rules_version()), (1, 2));
    assert_eq!(first_version().boards(), Henge::default().boards());
}
