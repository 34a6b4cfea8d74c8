//! Movement of pieces.

use super::*;

/// Returns where the piece on `from` can go.
fn targets(position: &Position, from: &str, jump: Jump) -> Vec<String> {
    let mut targets = vec![String::new(); 32];
    let count = Reach::new(&position.rows(), space(from), jump).write(&mut targets, |to| to.to_string());
    targets.truncate(count);
    targets
}

fn flying(position: &Position, from: &str) -> Vec<String> {
    targets(position, from, Jump::Flying)
}

fn in_row(targets: Vec<String>, row: char) -> Vec<String> {
    targets.into_iter().filter(|target| target.ends_with(row)).collect()
}

fn not_in_row(targets: Vec<String>, row: char) -> Vec<String> {
    targets.into_iter().filter(|target| !target.ends_with(row)).collect()
}

#[test]
fn co_01_there_are_120_spaces_and_one_day_and_night_space_a_number() {
    let board = Contiguity.board();
    let of_number = |number| {
        let spaces = board.places.iter().filter(|place| place.zone.starts_with("row_") && place.number == Some(number));
        spaces.map(|place| place.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!((1..=30).map(|number| of_number(number).len()).sum::<usize>(), 120);
    assert_eq!(of_number(7), ["7a", "7b", "7c", "7d"]);
    let state = white_to_move(position("7d 1a 3a 5a 9a 11a", "8d 1b 3b 5b 9b 11b"), Options::default());
    assert_eq!(refusal(&state, "7d-8d"), ("occupied", "CO-05", "to"));
}

#[test]
fn co_02_inside_out_and_mirrored_the_set_up_is_the_same() {
    let set_up = Position::set_up();
    let turned =
        |colour| set_up.pieces(colour).map(|space| Space::at(29 - space.column(), 3 - space.row())).collect::<Vec<_>>();
    assert_eq!(Position::of(&turned(Colour::White), &turned(Colour::Red)), set_up);
}

#[test]
fn co_03_columns_wrap() {
    assert_eq!(position("29c 30c 1c 2c 1b 30d", "").groups(Colour::White), 1);
    let sealed = position("30b", "28b 29b 30a 30c 30d");
    let expected: Vec<String> = (1..=27).map(|number| format!("{number}b")).collect();
    assert_eq!(flying(&sealed, "30b"), expected);
}

#[test]
fn co_04_rows_do_not_wrap() {
    // Were a and d neighbours, 10d would be one step away.
    let state = white_to_move(position("10a 1a 3a 5a 7a 20a", "10b 10c 1d 3d 5d 7d"), Options::default());
    assert!(!flying(&state.position, "10a").contains(&"10d".to_owned()));
    assert_eq!(refusal(&state, "10a-10d"), ("blocked", "CO-08", "to"));
    assert_eq!(position("10a 10d", "").groups(Colour::White), 2);
}

#[test]
fn co_05_a_slide_has_any_length_and_no_turns() {
    let lone = position("10b", "");
    assert_eq!(in_row(flying(&lone, "10b"), 'b').len(), 29);
    assert_eq!(not_in_row(flying(&lone, "10b"), 'b'), ["10a", "10c", "10d"]);
    assert_eq!(targets(&lone, "10b", Jump::Short).len(), 32);
    let state = set_up(Options::default());
    assert_eq!(refusal(&state, "30a-5b"), ("not_in_line", "CO-05", "to"));
    assert_eq!(refusal(&state, "30a-1a"), ("occupied", "CO-05", "to"));
    assert_eq!(refusal(&state, "5a-6a"), ("empty_space", "CO-05", "from"));
    assert_eq!(refusal(&state, "1a-5a"), ("not_your_piece", "CO-05", "from"));
    assert_eq!(out_of_turn(&state, 1), "3.1");
    let over = State { stage: Stage::Over { white: seat(0), ending: Ending::Connected }, ..state };
    assert_eq!([0, 1].map(|number| out_of_turn(&over, number)), ["4"; 2]);
}

#[test]
fn co_06_no_piece_ends_where_it_started() {
    let lone = position("10b", "");
    assert!(!flying(&lone, "10b").contains(&"10b".to_owned()));
    assert_eq!(refusal(&set_up(Options::default()), "30a-30a"), ("same_space", "CO-06", "to"));
}

#[test]
fn co_07_flying_jump_targets() {
    let sealed = position("10b", "8b 9b 13b");
    let expected: Vec<String> = (1..=7).chain([11, 12]).chain(14..=30).map(|number| format!("{number}b")).collect();
    assert_eq!(expected.len(), 26);
    assert_eq!(in_row(flying(&sealed, "10b"), 'b'), expected);
}

#[test]
fn co_07_short_jump_targets() {
    let sealed = position("10b", "8b 9b 13b");
    assert_eq!(in_row(targets(&sealed, "10b", Jump::Short), 'b'), ["11b", "12b"]);
    // Next to it a piece is jumped, and the space right behind it is the only one.
    let adjacent = position("10b", "9b 11b");
    assert_eq!(in_row(targets(&adjacent, "10b", Jump::Short), 'b'), ["8b", "12b"]);
    let behind_the_seam = position("30b", "1b 28b");
    assert_eq!(in_row(targets(&behind_the_seam, "30b", Jump::Short), 'b'), ["2b", "29b"]);
    let column = position("10a", "10b");
    assert_eq!(not_in_row(targets(&column, "10a", Jump::Short), 'a'), ["10c"]);
    let apart = position("10a", "10c");
    assert_eq!(not_in_row(targets(&apart, "10a", Jump::Short), 'a'), ["10b"]);

    let pieces = position("10b 1a 3a 5a 7a 20a", "12b 14b 1d 3d 5d 7d");
    let short = white_to_move(pieces, Options { jump: Jump::Short, ..Options::default() });
    assert_eq!(refusal(&short, "10b-13b"), ("blocked", "CO-07", "to"));
}

#[test]
fn co_08_never_over_two_pieces() {
    let row = position("10b", "11b 12b");
    let right: Vec<String> = in_row(flying(&row, "10b"), 'b');
    // Everything is reached anticlockwise up to 12b, which is the first piece that way; 11b is the second.
    assert_eq!(right.len(), 27);
    let both_ways = position("10b", "11b 12b 8b 9b");
    assert_eq!(in_row(flying(&both_ways, "10b"), 'b'), Vec::<String>::new());
    assert_eq!(not_in_row(flying(&position("10a", "10b 10c"), "10a"), 'a'), Vec::<String>::new());
    let apart = position("10b", "12b 14b 5b 7b");
    let expected = ["6b", "8b", "9b", "11b", "13b"];
    assert_eq!(in_row(flying(&apart, "10b"), 'b'), expected);
}

#[test]
fn co_09_own_pieces_are_jumped_and_nothing_is_captured() {
    let mut state = white_to_move(position("10a 10b 1a 3c 5a 7c", "1d 3d 5d 7d 20d 22d"), Options::default());
    assert_eq!(not_in_row(flying(&state.position, "10a"), 'a'), ["10c", "10d"]);
    let events = make(&mut state, &["10a-10d"]);
    assert!(matches!(&events[..], [Event::PieceMoved(moved)] if moved.jumped == Some(space("10b"))));
    conserved(&state);
}

#[test]
fn co_10_every_other_space_of_a_row_is_reached_once() {
    let row = position("10b", "17b");
    let expected: Vec<String> =
        (1..=30).filter(|number| ![10, 17].contains(number)).map(|number| format!("{number}b")).collect();
    assert_eq!(in_row(flying(&row, "10b"), 'b'), expected);
}

#[test]
fn co_11_no_jump_off_the_edge() {
    let edge = position("10c", "10d");
    assert_eq!(not_in_row(flying(&edge, "10c"), 'c'), ["10a", "10b"]);
    assert_eq!(not_in_row(targets(&edge, "10c", Jump::Short), 'c'), ["10a", "10b"]);
}

#[test]
fn lists_are_in_board_order_and_have_the_known_length() {
    for (jump, length) in [(Jump::Flying, 164), (Jump::Short, 114)] {
        let state = set_up(Options { jump, ..Options::default() });
        let moves = Contiguity.legal_moves(&state, seat(0)).moves;
        assert_eq!(moves.len(), length);
        let pairs: Vec<(Space, Space)> = moves
            .iter()
            .map(|mv| match mv {
                Move::Move(MovePiece { from, to }) => (*from, *to),
                other => panic!("{other:?}"),
            })
            .collect();
        assert!(pairs.is_sorted_by(|a, b| a < b));
    }
}

#[test]
fn no_list_is_longer_than_its_reserve() {
    let apart = position("1a 3b 5c 7d 9a 11b", "");
    assert!(piece_moves(&apart, Colour::White, Jump::Flying).len() <= MOST_MOVES);
}

#[test]
fn events_tell_the_way() {
    let moved = |white: &str, red: &str, text: &str| {
        let mut state = white_to_move(position(white, red), Options::default());
        match make(&mut state, &[text])[..] {
            [Event::PieceMoved(PieceMoved { kind, direction, jumped, .. })] => {
                (kind, direction, jumped.map(|space| space.to_string()).unwrap_or_default())
            }
            ref other => panic!("{other:?}"),
        }
    };
    let (slide, jump) = (Kind::Slide, Kind::Jump);
    let others = "1a 3c 5a 7c 9a";
    let red = "1d 3d 5d 7d 20d 22d";
    let with = |own: &str| format!("{own} {others}");
    assert_eq!(moved(&with("28b"), red, "28b-3b"), (slide, Direction::Clockwise, String::new()));
    assert_eq!(moved(&with("3b"), red, "3b-28b"), (slide, Direction::Anticlockwise, String::new()));
    assert_eq!(
        moved(&with("10b"), red, "10b-25b"),
        (slide, Direction::Clockwise, String::new()),
        "15 steps either way"
    );
    assert_eq!(moved(&with("10b"), red, "10b-10d"), (slide, Direction::Inwards, String::new()));
    assert_eq!(moved(&with("10d"), red, "10d-10a"), (slide, Direction::Outwards, String::new()));
    let red = "1d 3d 5d 7d 30b 22d";
    // The long slide anticlockwise counts before the short jump over 30b.
    assert_eq!(moved(&with("29b"), red, "29b-1b"), (slide, Direction::Anticlockwise, String::new()));
    let red = "1d 3d 5d 7d 30b 15b";
    assert_eq!(moved(&with("29b"), red, "29b-1b"), (jump, Direction::Clockwise, "30b".to_owned()));
    assert_eq!(moved(&with("1b"), red, "1b-29b"), (jump, Direction::Anticlockwise, "30b".to_owned()));
    let red = "1d 3d 5d 7d 10b 15b";
    assert_eq!(moved(&with("10a"), red, "10a-10d"), (jump, Direction::Inwards, "10b".to_owned()));
    assert_eq!(moved(&with("10d"), red, "10d-10a"), (jump, Direction::Outwards, "10b".to_owned()));
}
