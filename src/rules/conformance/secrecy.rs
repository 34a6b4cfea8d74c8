//! Secrecy: all that a viewer learns follows from what that viewer may know.
//!
//! The law: each visited state is put beside another one that a viewer must not be able to tell apart, with all that is
//! hidden dealt again by the game's tests ([`Plan::redeal`]); neither `view` nor `imagine` has a part in that, so a leak
//! in them shows. For each seat and for spectators both states give the same bytes:
//!
//! - the view, the status and the seat's legal moves;
//! - the answer to every move that the seat tries: the same refusal, or the same redacted events (withheld ones in the
//!   same places) and then the same status and view. Where the move ends the match, only the refusal, the events and
//!   that it ends are compared: the end lays everything open, and the service withholds state and outcome of a dry run
//!   that ends a game with secrets. What a game lays open at its end by an event therefore belongs into a chance step;
//! - the move made for an absent player, drawn with the same dice;
//! - in one state of [`PLAYED_ON`], what follows: all seats play on in both states, with the same dice and with moves
//!   that look the same to the viewer, chance steps included. This ends when an event that may do so
//!   ([`Plan::lays_open`]) has told the two apart.
//!
//! Now and then a trial is repeated in an imagined state too: players who plan ahead rely on that.
//!
//! Games that hide nothing keep this law trivially: there is no other state.

use super::known::Known;
use super::plan::{Plan, seeds, some};
use super::revealing::shows_nothing_new;
use crate::{Dice, Game, Refusal, Seat, SeatCount, Seats, Status, Viewer, rehearse};

/// One state out of this number is played on.
const PLAYED_ON: u32 = 4;
/// The most moves by which it is played on.
const MOVES: usize = 20;

/// The answer to a seat about a move that the rules accept: as much as the service answers after a dry run.
#[derive(PartialEq, Debug)]
pub(super) struct Told<E, V> {
    /// `None` for an event that is withheld.
    events: Vec<Option<E>>,
    /// `None` where the match is over.
    after: Option<(Status, V)>,
}

/// Returns what `viewer` learns from a move of `seat`, up to the first chance step.
pub(super) fn told<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    mv: &G::Move,
    viewer: Viewer,
) -> Result<Told<G::Event, G::View>, Refusal> {
    let mut tried = state.clone();
    let rehearsed = rehearse(game, &mut tried, seat, mv.clone())?;
    let events = rehearsed.events.iter().map(|event| game.redact(event, viewer)).collect();
    let after = match game.status(&tried) {
        Status::Over(_) => None,
        status => Some((status, game.view(&tried, viewer))),
    };
    Ok(Told { events, after })
}

/// Puts `state`, in which somebody is to act, beside others that its viewers must not tell apart from it. Answers how
/// often these differed.
pub(super) fn check<G: Game>(
    plan: &Plan<G>,
    state: &G::State,
    acting: Seats,
    count: SeatCount,
    known: &Known<G>,
    choice: &mut Dice,
) -> u32 {
    let game = &*plan.game;
    let mut different = 0;
    if !G::INFO.hidden_information {
        return different;
    }
    let viewers: Vec<Viewer> = count.seats().map(Viewer::Seat).chain([Viewer::Spectator]).collect();
    for viewer in &viewers {
        let twin = redealt(plan, state, *viewer, choice);
        different += u32::from(&twin != state);
        shows_the_same(game, state, &twin, *viewer);
        if choice.below(2) == 0
            && let Some(seat) = choice.one_of(acting.iter().collect())
        {
            shows_nothing_new(plan, [state, &twin], seat, *viewer, choice);
        }
        if let Viewer::Seat(seat) = *viewer {
            let other =
                if choice.below(4) == 0 { game.imagine(&game.view(state, *viewer), *viewer, choice) } else { twin };
            tells_the_same(plan, [state, &other], seat, acting, known, choice);
        }
    }
    if choice.below(PLAYED_ON) == 0
        && let Some(index) = choice.index(viewers.len())
    {
        let twin = redealt(plan, state, viewers[index], choice);
        play_on(plan, [state.clone(), twin], viewers[index], known, choice);
    }
    different
}

fn redealt<G: Game>(plan: &Plan<G>, state: &G::State, viewer: Viewer, dice: &mut Dice) -> G::State {
    let twin = (plan.redeal)(state, viewer, dice);
    (plan.conserved)(&twin);
    twin
}

/// The viewer in words.
pub(super) fn name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => format!("seat {seat}"),
        other => format!("{other:?}"),
    }
}

/// Compares what `viewer` sees in both. Answers whether the match goes on.
fn shows_the_same<G: Game>(game: &G, here: &G::State, there: &G::State, viewer: Viewer) -> bool {
    let name = name(viewer);
    let (status, other) = (game.status(here), game.status(there));
    if matches!((&status, &other), (Status::Over(_), Status::Over(_))) {
        return false;
    }
    assert_eq!(status, other, "secrecy: what {name} sees happen next depends on what it cannot see");
    let shown = |state| serde_json::to_string(&game.view(state, viewer)).unwrap();
    assert_eq!(shown(here), shown(there), "secrecy: what {name} sees depends on what it cannot see");
    if let (Status::ToAct(_), Viewer::Seat(seat)) = (status, viewer) {
        let (list, other) = (game.legal_moves(here, seat), game.legal_moves(there, seat));
        assert!(list == other, "secrecy: what {name} may do depends on what it cannot see");
        if !list.moves.is_empty() {
            let (prompt, other) = (game.prompt(here, seat), game.prompt(there, seat));
            assert_eq!(prompt, other, "secrecy: what {name} is asked depends on what it cannot see");
        }
    }
    true
}

/// Tries moves of `seat` in both.
fn tells_the_same<G: Game>(
    plan: &Plan<G>,
    [here, there]: [&G::State; 2],
    seat: Seat,
    acting: Seats,
    known: &Known<G>,
    choice: &mut Dice,
) {
    let game = &*plan.game;
    let absent = |state| game.absent_move(state, seat, &mut choice.clone());
    assert_eq!(
        absent(there),
        absent(here),
        "secrecy: what is done for absent seat {seat} depends on what it cannot see"
    );
    let viewer = Viewer::Seat(seat);
    let mut moves = some(&game.legal_moves(here, seat).moves, 8, choice);
    moves.extend(some(&(plan.further)(here, seat), 8, choice));
    moves.extend((0..12).filter_map(|_| known.candidate(choice)));
    for mv in moves {
        if !acting.contains(seat) && game.needs_turn(&mv) {
            continue;
        }
        let (told, other) = (told(game, here, seat, &mv, viewer), told(game, there, seat, &mv, viewer));
        assert_eq!(told, other, "secrecy: what seat {seat} is told of {mv:?} depends on what it cannot see");
    }
}

/// Compares the events of both sides as `viewer` sees them. Returns whether the sides still look the same.
fn reads_the_same<G: Game>(plan: &Plan<G>, here: &[G::Event], there: &[G::Event], viewer: Viewer) -> bool {
    let game = &*plan.game;
    let name = name(viewer);
    let seen = |event| game.redact(event, viewer).map(|event| serde_json::to_string(&event).unwrap());
    for (event, other) in here.iter().zip(there) {
        if seen(event) != seen(other) {
            let may_differ = [event, other].iter().any(|event| (plan.lays_open)(event, viewer));
            assert!(may_differ, "secrecy: what {name} is told depends on what it cannot see: {event:?} or {other:?}");
            return false;
        }
    }
    assert_eq!(here.len(), there.len(), "secrecy: what {name} is told is longer for what it cannot see: {here:?}");
    true
}

/// A seat to act, and its move in each of the two states. Both moves look the same to the viewer.
fn next_moves<G: Game>(
    plan: &Plan<G>,
    [here, there]: [&G::State; 2],
    viewer: Viewer,
    same: bool,
    choice: &mut Dice,
) -> Option<(Seat, [G::Move; 2])> {
    let game = &*plan.game;
    let Status::ToAct(acting) = game.status(here) else { return None };
    let seat = choice.one_of(acting.iter().collect())?;
    let mut moves = some(&game.legal_moves(here, seat).moves, 16, choice);
    if choice.below(4) == 0 {
        moves.extend(some(&(plan.further)(here, seat), 4, choice));
        moves.retain(|mv| game.check(here, seat, mv).is_ok());
    }
    choice.shuffle(&mut moves);
    let seen = |mv: &G::Move| game.redact_move(mv, seat, viewer);
    if !same && let Some(mv) = moves.first().filter(|mv| seen(mv).is_none()) {
        let unseen: Vec<G::Move> =
            game.legal_moves(there, seat).moves.into_iter().filter(|mv| seen(mv).is_none()).collect();
        return Some((seat, [mv.clone(), choice.one_of(unseen)?]));
    }
    let mv = moves.into_iter().find(|mv| game.check(there, seat, mv).is_ok())?;
    Some((seat, [mv.clone(), mv]))
}

/// Plays both on until they can be told apart.
fn play_on<G: Game>(
    plan: &Plan<G>,
    [mut here, mut there]: [G::State; 2],
    viewer: Viewer,
    known: &Known<G>,
    choice: &mut Dice,
) {
    let game = &*plan.game;
    let mut dice = seeds(choice.below(u32::MAX)).1;
    let mut other_dice = dice.clone();
    let same = choice.below(2) == 0;
    for _ in 0..MOVES {
        let Some((seat, [mv, other])) = next_moves(plan, [&here, &there], viewer, same, choice) else { return };
        if let (Viewer::Seat(own), Some(mv)) = (viewer, known.candidate(choice))
            && (own == seat || !game.needs_turn(&mv))
        {
            let (told, other) = (told(game, &here, own, &mv, viewer), told(game, &there, own, &mv, viewer));
            assert_eq!(told, other, "secrecy: what seat {own} is told of {mv:?} depends on what it cannot see");
        }
        let mut events = rehearse(game, &mut here, seat, mv).unwrap().events;
        let mut other_events = rehearse(game, &mut there, seat, other).unwrap().events;
        loop {
            if !reads_the_same(plan, &events, &other_events, viewer) || !shows_the_same(game, &here, &there, viewer) {
                return;
            }
            if !matches!(game.status(&here), Status::Chance) {
                break;
            }
            (events, other_events) = (Vec::new(), Vec::new());
            game.resolve(&mut here, &mut dice, &mut events);
            game.resolve(&mut there, &mut other_dice, &mut other_events);
        }
    }
}
