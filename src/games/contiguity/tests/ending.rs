//! Draws, limits, and which ending counts.

use super::*;

/// White's and red's pieces go out and home again: four turns.
const SHUTTLE: [&str; 4] = ["30a-20a", "30d-20d", "20a-30a", "20d-30d"];

#[test]
fn co_15_the_third_occurrence_is_a_draw() {
    let mut state = set_up(Options::default());
    make(&mut state, &SHUTTLE);
    assert_eq!(state.occurrences(), Some(2), "the set-up was the first");
    make(&mut state, &SHUTTLE[..3]);
    assert!(matches!(state.status(), Status::ToAct(_)));
    make(&mut state, &SHUTTLE[3..]);
    assert_eq!(result(&state), ("repetition".to_owned(), vec![]));
    assert_eq!(state.turns(), 8);
}

#[test]
fn co_15_pieces_of_one_colour_are_alike_and_the_side_to_move_counts() {
    // Two white pieces change places: the same position, with the same side to move.
    let mut state = set_up(Options::default());
    make(
        &mut state,
        &["30a-5a", "30d-20d", "1d-5d", "20d-21d", "5a-5b", "21d-20d", "5d-5a", "20d-21d", "5b-5d", "21d-20d"],
    );
    let white: Vec<String> = state.position.pieces(Colour::White).map(|space| space.to_string()).collect();
    assert_eq!(white, ["5a", "1b", "29b", "2c", "30c", "5d"]);
    make(&mut state, &["29b-28b", "20d-21d", "28b-29b", "21d-20d"]);
    assert_eq!(state.occurrences(), Some(2));
    // One turn lost on the way: the same pieces with the other side to move are another position.
    let mut lost = set_up(Options::default());
    make(&mut lost, &["30a-20a", "30d-20d", "20a-25a", "20d-30d", "25a-30a"]);
    assert_eq!((lost.position, lost.occurrences()), (Position::set_up(), Some(1)));
}

#[test]
fn co_15_repetition_is_off_under_bidding() {
    let mut state = set_up(Options { bidding: true, ..Options::default() });
    make(&mut state, &["bid 20", "pass", "choose first"]);
    for _ in 0..4 {
        make(&mut state, &SHUTTLE);
    }
    assert_eq!((state.turns(), state.occurrences()), (16, None));
    assert!(matches!(state.status(), Status::ToAct(_)));
}

/// Twelve turns that repeat nothing, and then eight that bring the position after them back twice.
fn twenty_turns() -> Vec<&'static str> {
    let out = [
        "30a-10a", "30d-20d", "10a-11a", "20d-21d", "11a-12a", "21d-22d", "12a-13a", "22d-23d", "13a-14a", "23d-24d",
        "14a-15a", "24d-25d",
    ];
    let back_and_forth = ["15a-16a", "25d-26d", "16a-15a", "26d-25d"];
    out.into_iter().chain(back_and_forth).chain(back_and_forth).collect()
}

#[test]
fn co_15_the_turn_limit_is_a_draw() {
    let mut state = set_up(Options { turn_limit: 20, ..Options::default() });
    let turns = twenty_turns();
    make(&mut state, &turns[..19]);
    assert!(matches!(state.status(), Status::ToAct(_)));
    make(&mut state, &["26d-27d"]);
    assert_eq!(result(&state), ("turn_limit".to_owned(), vec![]));
}

#[test]
fn repetition_counts_before_the_turn_limit() {
    let mut state = set_up(Options { turn_limit: 20, ..Options::default() });
    make(&mut state, &twenty_turns());
    assert_eq!((state.turns(), result(&state)), (20, ("repetition".to_owned(), vec![])));
}

#[test]
fn connecting_counts_before_the_turn_limit() {
    let pieces = position("29c 30c 1c 2c 1b 20d", "5a 9b 14c 18a 22b 26c");
    let mut state = white_to_move(pieces, Options { turn_limit: 21, ..Options::default() });
    let (white, red) = (
        ["2c-3c", "3c-2c"],
        ["5a-6a", "6a-7a", "7a-8a", "8a-9a", "9a-10a", "10a-11a", "11a-12a", "12a-13a", "13a-14a", "14a-15a"],
    );
    for turn in 0..10 {
        make(&mut state, &[white[turn % 2], red[turn]]);
    }
    make(&mut state, &["20d-30d"]);
    assert_eq!((state.turns(), result(&state)), (21, ("connected".to_owned(), vec![0])));
}

#[test]
fn co_15_options_out_of_range_are_refused() {
    for turn_limit in [20, 21, 300, 2000] {
        assert_eq!(Contiguity.check_options(&Options { turn_limit, ..Options::default() }, TWO), Ok(()));
    }
    for turn_limit in [0, 19, 2001, u16::MAX] {
        let refusal = Contiguity.check_options(&Options { turn_limit, ..Options::default() }, TWO).unwrap_err();
        assert_eq!((refusal.rule, refusal.field), ("CO-15", Some("turn_limit")));
    }
}

#[test]
fn co_16_white_is_drawn_and_the_draw_can_be_repeated() {
    let white = |seed| Contiguity.setup(&Options::default(), TWO, &mut dice(seed)).0.white().unwrap().number();
    let drawn: Vec<u8> = (0..200).map(white).collect();
    assert_eq!(drawn, (0..200).map(white).collect::<Vec<_>>());
    let first = drawn.iter().filter(|seat| **seat == 0).count();
    assert!((60..=140).contains(&first), "seat 0 is white in {first} of 200");
}
