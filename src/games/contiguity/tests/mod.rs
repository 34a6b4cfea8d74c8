//! The rulings as tests: a test whose name begins with `co_07` shows the position of CO-07.
//!
//! CO-17 (resignation) is a rule of the service and is tested where matches are played.

mod bidding;
mod connecting;
mod ending;
mod moving;
mod perft;
mod wire;

use test_kit::environment::CONFORMANCE_MATCHES;

use super::legal::{MOST_MOVES, piece_moves};
use super::lines::Reach;
use super::position::PIECES;
use super::state::{Contract, Stage, TWO};
use super::*;
use crate::common::Pass;
use crate::pictures::Picture;
use crate::stonehenge::Space;
use sarsen_rules::{
    Dice, DiceSeed, LegalMoves, Notation, Rulebook, Rules, Seat, Secrets, Status, Verdict, Viewer, play,
};

fn dice(seed: u8) -> Dice {
    Dice::new(DiceSeed([seed; 32]))
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn space(text: &str) -> Space {
    text.parse().unwrap()
}

/// Spaces from a list such as `29b 30c`.
fn spaces(list: &str) -> Vec<Space> {
    list.split_whitespace().map(space).collect()
}

fn position(white: &str, red: &str) -> Position {
    Position::of(&spaces(white), &spaces(red))
}

/// A match in which seat 0 plays white and is to move in this position.
fn white_to_move(position: Position, options: Options) -> State {
    State { position, ..State::new(options, seat(0)) }
}

/// The set-up with seat 0 to open the bidding or to play white.
fn set_up(options: Options) -> State {
    State::new(options, seat(0))
}

/// Makes these moves, each by the seat to act, and answers the last events.
fn make(state: &mut State, moves: &[&str]) -> Vec<Event> {
    let mut events = Vec::new();
    for text in moves {
        let actor = state.actor().unwrap_or_else(|| panic!("over before {text}"));
        let mv = Contiguity.parse(text).unwrap();
        events = play(&Contiguity, state, actor, mv, &mut dice(0)).unwrap_or_else(|why| panic!("{text}: {why}")).events;
    }
    events
}

/// The code, rule and field with which this move is refused to the seat to act.
fn refusal(state: &State, text: &str) -> (&'static str, &'static str, &'static str) {
    let refusal = Contiguity.check(state, state.actor().unwrap(), &Contiguity.parse(text).unwrap()).unwrap_err();
    (refusal.code, refusal.rule, refusal.field.unwrap_or("-"))
}

/// The rule with which a seat that is not to act is refused.
fn out_of_turn(state: &State, number: u8) -> &'static str {
    let refusal = Contiguity.check(state, seat(number), &Contiguity.parse("29b-5b").unwrap()).unwrap_err();
    assert_eq!((refusal.code, refusal.field), ("not_your_turn", None));
    refusal.rule
}

/// Returns how it ended, and who won.
fn result(state: &State) -> (String, Vec<u8>) {
    let Status::Over(outcome) = state.status() else { panic!("it goes on") };
    let winners = outcome.standings.iter().filter(|standing| standing.verdict == Verdict::Won);
    (outcome.ending.to_string(), winners.map(|standing| standing.seat.number()).collect())
}

/// Six pieces a side on different spaces, whatever happens, and bids that fall.
fn conserved(state: &State) {
    for colour in [Colour::White, Colour::Red] {
        assert_eq!(state.position.pieces(colour).count(), PIECES);
        assert!(state.position.pieces(colour).all(|space| !state.position.has(colour.other(), space)));
    }
    assert!(state.bids.is_sorted_by(|earlier, later| earlier > later));
    assert!(state.turns() <= state.options.turn_limit);
}

#[test]
fn contiguity_keeps_the_laws() {
    keeps_the_laws(false, [(Jump::Flying, 20), (Jump::Short, 40)], 700);
}

#[test]
fn contiguity_keeps_the_laws_with_bidding() {
    keeps_the_laws(true, [(Jump::Flying, 24), (Jump::Short, 198)], 420);
}

fn keeps_the_laws(bidding: bool, options: [(Jump, u16); 2], matches: u32) {
    crate::laws::laws(&sarsen_rules::conformance::Plan {
        game: std::sync::Arc::new(Contiguity),
        options: options.map(|(jump, turn_limit)| Options { bidding, jump, turn_limit }).to_vec(),
        seats: vec![2],
        matches: CONFORMANCE_MATCHES.value().unwrap_or(matches),
        longest: 300,
        conserved,
        further: |_, _| vec![Move::Pass(Pass {})],
        redeal: |state, _, _| state.clone(),
        lays_open: |_, _| false,
    });
}

#[test]
fn the_plain_drawing_has_each_piece_in_its_row_and_column() {
    let view = Contiguity.view(&set_up(Options::default()), Viewer::Spectator);
    let drawing = Contiguity.draw_plain(&view).unwrap();
    let lines: Vec<&str> = drawing.lines().skip(1).collect();
    assert!(lines.len() == 5 && lines.iter().all(|line| line.len() == 2 + 30 * 3), "{drawing}");
    // Of each row the numbers 29, 30, 1 and 2, as section 2.1 of the rules has them.
    let cells = |line: &str| -> Vec<String> {
        line.as_bytes()[2..].chunks(3).map(String::from_utf8_lossy).map(|cell| cell.trim().to_owned()).collect()
    };
    let seam = |line: &str| [28, 29, 0, 1].map(|column| cells(line)[column].clone()).join(" ");
    let expected = [("  ", "29 30 1 2"), ("a ", ". W R ."), ("b ", "W R W R"), ("c ", "R W R W"), ("d ", ". R W .")];
    for (line, (head, expected)) in lines.iter().zip(expected) {
        assert!(line.starts_with(head) && seam(line) == expected, "{drawing}");
    }
    assert_eq!(drawing.lines().skip(2).map(|line| line.matches(['W', 'R']).count()).sum::<usize>(), 2 * PIECES);
}

#[test]
fn every_point_has_its_ruling() {
    let rules = Rulebook::read(Contiguity::INFO.rules);
    let ids: Vec<&str> = rules.rulings().iter().map(|ruling| ruling.id).collect();
    let expected: Vec<String> = (1..=23).map(|number| format!("CO-{number:02}")).collect();
    assert_eq!(ids, expected);
}
