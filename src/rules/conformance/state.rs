//! Laws of every state, for every viewer, and of the steps between two.

use super::absence;
use super::plan::{Plan, viewers};
use super::reading::{round_trip, stored_and_loaded};
use crate::{Dice, Game, Outcome, Seat, SeatCount, Seats, Status, Viewer};

/// Returns who is to act; nobody once the match is over.
pub(super) fn check_state<G: Game>(plan: &Plan<G>, state: &G::State, count: SeatCount, choice: &mut Dice) -> Seats {
    let game = &*plan.game;
    (plan.conserved)(state);
    let acting = match game.status(state) {
        Status::Chance => panic!("a chance step is left over"),
        Status::Over(outcome) => {
            check_outcome::<G>(&outcome, count);
            let all = game.view(state, Viewer::Omniscient);
            assert_eq!(game.ended(all.clone()), all, "the view of a game that is over is changed");
            for viewer in viewers(count) {
                assert_eq!(game.view(state, viewer), all, "the match is over, but {viewer:?} does not see everything");
            }
            Seats::EMPTY
        }
        Status::ToAct(seats) => {
            assert!(!seats.is_empty() && seats.iter().all(|seat| count.contains(seat)), "{seats:?} are to act");
            seats
        }
    };
    for seat in count.seats() {
        let legal = game.legal_moves(state, seat);
        assert_eq!(legal.moves.is_empty(), !acting.contains(seat), "seat {seat} of {acting:?}");
        if acting.contains(seat) {
            absence::absent_move(game, state, seat, &mut choice.clone());
        }
    }
    if !acting.is_empty() {
        let ended = round_trip(&game.ended(game.view(state, Viewer::Omniscient)));
        assert_eq!(game.ended(ended.clone()), ended, "a match ends twice");
    }
    for viewer in viewers(count) {
        let view = round_trip(&game.view(state, viewer));
        let imagined = game.imagine(&view, viewer, choice);
        assert_eq!(game.view(&imagined, viewer), view, "{viewer:?} sees something else in what was imagined");
        assert_eq!(game.status(&imagined), game.status(state));
        (plan.conserved)(&stored_and_loaded(game, &imagined));
        if let Viewer::Seat(seat) = viewer {
            assert_eq!(game.legal_moves(&imagined, seat), game.legal_moves(state, seat));
        }
        if !G::INFO.hidden_information {
            assert_eq!(&imagined, state, "nothing is hidden, but a view does not tell everything");
        }
    }
    acting
}

fn check_outcome<G: Game>(outcome: &Outcome, count: SeatCount) {
    assert!(G::INFO.endings.contains(&&*outcome.ending), "{} is not among the endings", outcome.ending);
    assert!(outcome.standings.iter().map(|standing| standing.seat).eq(count.seats()), "{outcome:?}");
    assert!(outcome.standings.iter().any(|standing| standing.rank == 1), "nobody is first: {outcome:?}");
    round_trip(outcome);
}

pub(super) fn check_events<G: Game>(game: &G, events: &[G::Event], count: SeatCount) {
    for event in events {
        round_trip(event);
        assert_eq!(game.redact(event, Viewer::Omniscient).as_ref(), Some(event));
        for viewer in viewers(count) {
            let seen = game.redact(event, viewer);
            if !G::INFO.hidden_information {
                assert_eq!(seen.as_ref(), Some(event), "nothing is hidden, but an event is");
            }
            if game.is_open(event) {
                let seen = seen.as_ref().map(|seen| serde_json::to_string(seen).unwrap());
                assert_eq!(seen, serde_json::to_string(event).ok(), "secrecy: an event that is called open is hidden");
            }
            if let Some(seen) = seen {
                round_trip(&seen);
                assert_eq!(game.redact(&seen, viewer).as_ref(), Some(&seen), "redacted twice, it changes");
            }
        }
    }
}

/// Checks that every viewer who may see the event gets a text of it that can be read aloud.
pub(super) fn check_event_text<G: Game>(game: &G, event: &G::Event, options: &G::Options, count: SeatCount) {
    for viewer in viewers(count) {
        if let Some(seen) = game.redact(event, viewer) {
            check_text(&game.event_text(&seen, options));
        }
    }
}

/// A text is a sentence, without the marks of a program.
pub(super) fn check_text(text: &str) {
    let plain = !text.contains(['_', '{', '}', '"']) && !text.contains("  ");
    assert!(text.len() > 1 && text.ends_with('.') && plain, "cannot be read aloud: {text:?}");
}

pub(super) fn check_move_shown<G: Game>(game: &G, mv: &G::Move, by: Seat, count: SeatCount) {
    for viewer in viewers(count) {
        let seen = game.redact_move(mv, by, viewer);
        if viewer.may_see(by) || !G::INFO.hidden_information || game.moves_are_open() {
            assert_eq!(seen.as_ref(), Some(mv), "{viewer:?} does not see the move of seat {by}");
        }
        if let Some(seen) = seen {
            round_trip(&seen);
        }
    }
}
