//! Section 10.2: moves for a seat whose player is away.

use super::*;

/// How often each move of the list is drawn in so many draws a move.
fn drawn(game: SacrificeRoulette, state: &State, draws: usize) -> Vec<usize> {
    let (moves, mut dice) = (game.legal_moves(state, seat(0)).moves, dice(1));
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws * moves.len() {
        let mv = game.absent_move(state, seat(0), &mut dice).unwrap();
        counts[moves.iter().position(|listed| *listed == mv).unwrap()] += 1;
    }
    counts
}

#[test]
fn each_move_of_the_list_is_as_likely() {
    let state = Table::new(3, 3, "N11 D17 D1 TW D4").state();
    // 400 expected of each, standard deviation 20.
    let counts = drawn(SacrificeRoulette::default(), &state, 400);
    assert!(counts.len() > 10 && counts.iter().all(|count| (300..500).contains(count)), "{counts:?}");
}

#[test]
fn by_the_first_version_of_the_rules_it_is_the_first() {
    let first = SacrificeRoulette::default().earlier().remove(0);
    assert_eq!((first.rules_version(), SacrificeRoulette::default().rules_version()), (1, 2));
    let state = Table::new(3, 3, "N11 D17 D1 TW D4").state();
    let counts = drawn(first, &state, 10);
    assert_eq!((counts[0], counts[1..].iter().sum::<usize>()), (10 * counts.len(), 0));
}

#[test]
fn a_sacrifice_is_placed_anywhere_too() {
    let placing = |number| {
        let (mut state, mut events) = SacrificeRoulette::default().setup(&Options {}, seats(5), &mut dice(number));
        settle(&SacrificeRoulette::default(), &mut state, &mut dice(number), &mut events);
        Some(state).filter(|state| matches!(state.stage, Stage::Placing { .. }) && state.actor() == Some(seat(0)))
    };
    // Some deal gives seat 0 a trilithon card.
    let state = (0..1000).find_map(placing).unwrap();
    let counts = drawn(SacrificeRoulette::default(), &state, 1);
    assert!(counts.iter().filter(|count| **count > 0).count() > counts.len() / 2, "{counts:?}");
}
