//! Laws of every move, legal or not, and the choice of the one that is made.

use std::collections::HashSet;

use super::facts::check_refusal;
use super::known::Known;
use super::plan::{Plan, some};
use crate::{Dice, Game, LegalMoves, Rulebook, Seat, SeatCount, Seats, Status, play};

/// A list that is no longer is checked in every state, a longer one in one state of eight; otherwise this many moves
/// of it are.
const SAMPLE: usize = 32;

/// The list is without duplicates and is what `check` accepts.
pub(super) fn check_moves<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    legal: &LegalMoves<G::Move>,
    known: &mut Known<G>,
    choice: &mut Dice,
) {
    let whole = legal.moves.len() <= SAMPLE || choice.below(8) == 0;
    if whole {
        let mut listed = HashSet::new();
        for mv in &legal.moves {
            assert!(listed.insert(game.notation(mv)), "listed twice, or two are written the same: {mv:?}");
        }
    }
    for mv in some(&legal.moves, if whole { legal.moves.len() } else { SAMPLE }, choice) {
        assert_eq!(game.check(state, seat, &mv), Ok(()), "listed, but refused: {mv:?}");
        assert!(game.needs_turn(&mv), "listed, but needs no turn: {mv:?}");
        let written = game.written(&mv).map(|json| json.get().to_owned());
        assert!(written.is_none_or(|json| json == serde_json::to_string(&mv).unwrap()), "written otherwise: {mv:?}");
    }
    known.meet_some(game, &legal.moves, choice);
    for try_number in 0..32 {
        let Some(mv) = known.candidate(choice) else { continue };
        let is_listed = legal.moves.contains(&mv);
        match game.check(state, seat, &mv) {
            Ok(()) => {
                assert!(is_listed || !legal.complete || !game.needs_turn(&mv), "accepted, but not listed: {mv:?}")
            }
            Err(refusal) => {
                assert!(!is_listed);
                check_refusal(&known.rulebook, &refusal);
                if try_number < 4 {
                    let mut unchanged = state.clone();
                    let again = play(game, &mut unchanged, seat, mv.clone(), &mut choice.clone());
                    assert_eq!((again.err(), &unchanged), (Some(refusal), state));
                }
            }
        }
    }
    if let Some((mv, _)) = known.any(choice) {
        garble(game, &known.rulebook, &game.notation(mv), choice);
    }
}

/// Returns what happens next: mostly a listed move, sometimes one that is not listed or needs no turn.
pub(super) fn choose<G: Game>(
    plan: &Plan<G>,
    state: &G::State,
    acting: Seats,
    count: SeatCount,
    known: &mut Known<G>,
    choice: &mut Dice,
) -> Option<(Seat, G::Move)> {
    let game = &*plan.game;
    if acting.is_empty() {
        return None;
    }
    for seat in count.seats() {
        let mut further = (plan.further)(state, seat);
        choice.shuffle(&mut further);
        known.meet_some(game, &further, choice);
        for mv in further {
            let fits = acting.contains(seat) || !game.needs_turn(&mv);
            if fits && game.check(state, seat, &mv).is_ok() && choice.below(4) == 0 {
                if !game.needs_turn(&mv) {
                    check_signal(game, state, seat, &mv, choice);
                }
                return Some((seat, mv));
            }
        }
    }
    let seats: Vec<Seat> = acting.iter().collect();
    let seat = seats[choice.index(seats.len())?];
    let mut moves = game.legal_moves(state, seat).moves;
    let chosen = choice.index(moves.len())?;
    Some((seat, moves.swap_remove(chosen)))
}

/// A move that needs no turn leaves every open decision as it is.
fn check_signal<G: Game>(game: &G, state: &G::State, seat: Seat, mv: &G::Move, choice: &Dice) {
    let mut after = state.clone();
    play(game, &mut after, seat, mv.clone(), &mut choice.clone()).unwrap();
    let kind = serde_json::to_value(mv).unwrap()["type"].clone();
    assert!(game.signals().iter().any(|signal| kind == signal.kind), "{kind} is not in the vocabulary");
    let (Status::ToAct(before), Status::ToAct(now)) = (game.status(state), game.status(&after)) else {
        panic!("{mv:?} ends the match");
    };
    assert_eq!(before, now, "{mv:?} changes who is to act");
    for seat in before.iter() {
        assert_eq!(game.legal_moves(state, seat), game.legal_moves(&after, seat), "{mv:?} changes what is legal");
    }
}

/// Text that is almost a move is refused or is a move; it never panics.
fn garble<G: Game>(game: &G, rulebook: &Rulebook, notation: &str, choice: &mut Dice) {
    let mut text: Vec<char> = notation.chars().collect();
    for _ in 0..=choice.below(2) {
        let at = choice.index(text.len()).unwrap_or(0);
        let strange = ['0', '9', 'z', 'B', '-', ' ', ',', '\u{e9}', '\u{0}'][choice.below(9) as usize];
        match choice.below(3) {
            0 => text.insert(at, strange),
            1 if !text.is_empty() => text[at] = strange,
            _ => text.truncate(at),
        }
    }
    let text: String = text.into_iter().collect();
    match game.parse(&text) {
        Ok(mv) => assert_eq!(game.parse(&game.notation(&mv)), Ok(mv), "{text}"),
        Err(refusal) => check_refusal(rulebook, &refusal),
    }
}
