//! Connected groups, and the wins by them.

use std::collections::BTreeSet;

use proptest::prelude::*;
use test_kit::environment::PROPTEST_CASES;

use super::*;

/// Six pieces a side, anywhere, or crowded into the first `columns` columns.
fn any_position() -> impl Strategy<Value = Position> {
    (3u8..=30).prop_flat_map(|columns| {
        let spaces: Vec<Space> = Space::all().filter(|space| space.column() < columns).collect();
        Just(spaces).prop_shuffle().prop_map(|spaces| Position::of(&spaces[..PIECES], &spaces[PIECES..2 * PIECES]))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: PROPTEST_CASES.value().unwrap_or(2000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn co_12_there_is_always_a_move(position in any_position()) {
        for colour in [Colour::White, Colour::Red] {
            for jump in [Jump::Flying, Jump::Short] {
                prop_assert!(!piece_moves(&position, colour, jump).is_empty(), "{colour:?} {jump:?}");
            }
        }
    }

    #[test]
    fn co_14_a_move_does_not_change_how_the_other_side_hangs_together(position in any_position()) {
        let before = position.groups(Colour::Red);
        for mv in piece_moves(&position, Colour::White, Jump::Flying) {
            let mut state = white_to_move(position, Options::default());
            play(&Contiguity, &mut state, seat(0), mv, &mut dice(0)).unwrap();
            prop_assert_eq!(state.position.groups(Colour::Red), before);
            prop_assert_eq!(matches!(state.status(), Status::Over(_)), state.position.groups(Colour::White) == 1);
        }
    }

    #[test]
    fn stored_positions_are_exact(position in any_position()) {
        let state = white_to_move(position, Options::default());
        let back: State = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
        prop_assert_eq!(back, state);
    }
}

#[test]
fn co_12_a_turn_cannot_be_passed() {
    assert_eq!(refusal(&set_up(Options::default()), "pass"), ("no_passing", "CO-12", "type"));
}

#[test]
fn co_13_all_six_and_not_over_corners() {
    assert_eq!(position("1a 2a 3a 5a 6a 7a", "").groups(Colour::White), 2);
    assert_eq!(position("1a 2a 3a 4a 5a 6b", "").groups(Colour::White), 2);
    assert_eq!(position("1a 2a 3a 4a 5a 5b", "").groups(Colour::White), 1);
    assert_eq!(Position::set_up().groups(Colour::White), 6);
    assert_eq!(Position::set_up().groups(Colour::Red), 6);
}

#[test]
fn co_14_connecting_wins_at_once() {
    let mut state = white_to_move(position("29c 30c 1c 2c 1b 20d", "5a 9b 14c 18a 22b 26c"), Options::default());
    make(&mut state, &["20d-30d"]);
    assert_eq!(result(&state), ("connected".to_owned(), vec![0]));
    assert_eq!(Contiguity.legal_moves(&state, seat(1)), LegalMoves { moves: Vec::new(), complete: true });
}

/// Every shape of six connected cells that is at most four high, as (column, row) from the left edge, row 0 being `a`.
fn hexominoes() -> BTreeSet<Vec<(i8, i8)>> {
    let mut shapes = BTreeSet::from([vec![(0i8, 0i8)]]);
    for _ in 1..PIECES {
        let mut grown = BTreeSet::new();
        for shape in &shapes {
            for (column, row) in shape {
                for next in [(column + 1, *row), (column - 1, *row), (*column, row + 1), (*column, row - 1)] {
                    if !shape.contains(&next) {
                        grown.insert(shape.iter().copied().chain([next]).collect());
                    }
                }
            }
        }
        shapes = grown.into_iter().map(at_the_corner).collect();
    }
    shapes.into_iter().filter(|shape| shape.iter().all(|(_, row)| *row < 4)).collect()
}

fn at_the_corner(shape: Vec<(i8, i8)>) -> Vec<(i8, i8)> {
    let left = shape.iter().map(|cell| cell.0).min().unwrap();
    let top = shape.iter().map(|cell| cell.1).min().unwrap();
    let mut moved: Vec<(i8, i8)> = shape.into_iter().map(|(column, row)| (column - left, row - top)).collect();
    moved.sort_unstable();
    moved
}

#[test]
fn co_22_any_shape_wins_also_across_the_seam() {
    let shapes = hexominoes();
    // Of the 216 fixed hexominoes, 17 are higher than four rows: 1 of six, 16 of five.
    assert_eq!(shapes.len(), 199);
    for shape in shapes {
        let height = shape.iter().map(|cell| cell.1).max().unwrap() as u8 + 1;
        for column in 0..30 {
            for row in 0..=4 - height {
                let spaces: Vec<Space> =
                    shape.iter().map(|cell| Space::at(column + cell.0 as u8, row + cell.1 as u8)).collect();
                assert_eq!(Position::of(&spaces, &[]).groups(Colour::White), 1, "{spaces:?}");
            }
        }
    }
}

#[test]
fn co_23_corners_do_not_connect() {
    let mut state = white_to_move(position("5b 6b 7b 8b 9c 20c", "1a 1b 12a 14d 25a 28d"), Options::default());
    make(&mut state, &["20c-10c"]);
    assert_eq!(state.position, position("5b 6b 7b 8b 9c 10c", "1a 1b 12a 14d 25a 28d"));
    assert_eq!(state.position.groups(Colour::White), 2);
    assert!(matches!(state.status(), Status::ToAct(_)));
}
