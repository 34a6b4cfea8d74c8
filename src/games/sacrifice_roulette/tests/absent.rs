//! Section 10.2: moves for a seat whose player is away.

use super::*;

/// Returns how often each move of the list is drawn, for a number of draws a move.
fn drawn(state: &State, draws: usize) -> Vec<usize> {
    let (moves, mut dice) = (SacrificeRoulette.legal_moves(state, seat(0)).moves, dice(1));
    let mut counts = vec![0; moves.len()];
    for _ in 0..draws * moves.len() {
        let mv = SacrificeRoulette.absent_move(state, seat(0), &mut dice).unwrap();
        counts[moves.iter().position(|listed| *listed == mv).unwrap()] += 1;
    }
    counts
}

#[test]
fn each_move_of_the_list_is_as_likely() {
    let state = Table::new(3, 3, "N11 D17 D1 TW D4").state();
    // 400 expected of each, standard deviation 20.
    let counts = drawn(&state, 400);
    assert!(counts.len() > 10 && counts.iter().all(|count| (300..500).contains(count)), "{counts:?}");
}

#[test]
fn a_sacrifice_is_placed_anywhere_too() {
    let placing = |number| {
        let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(5), &mut dice(number));
        settle(&SacrificeRoulette, &mut state, &mut dice(number), &mut events);
        Some(state).filter(|state| matches!(state.stage, Stage::Placing { .. }) && state.actor() == Some(seat(0)))
    };
    // Some deal gives seat 0 a trilithon card.
    let state = (0..1000).find_map(placing).unwrap();
    let counts = drawn(&state, 1);
    assert!(counts.iter().filter(|count| **count > 0).count() > counts.len() / 2, "{counts:?}");
}
