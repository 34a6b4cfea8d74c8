//! Secrecy: what a seat is told when it tries a move follows from what that seat sees.
//!
//! The law: for each visited state and each seat, another state is imagined that the seat cannot tell apart. Every
//! move that the seat tries in both gets the same answer: the same refusal, or the same redacted events (withheld ones
//! in the same places) and then the same status and view. Where the move ends the match, only the refusal, the events
//! and that it ends are compared: the end lays everything open, and the service withholds state and outcome of a dry
//! run that ends a game with secrets. What a game lays open at its end by an event therefore belongs into a chance
//! step. The move made for an absent player is the same too.
//!
//! Games that hide nothing keep this law trivially, for what is imagined is the very state.

use super::known::Known;
use super::{Plan, some};
use crate::rules::{Dice, Game, Refusal, Seat, SeatCount, Seats, Status, Viewer, rehearse};

/// What a seat is told of a move that the rules accept: as much as the service tells after a dry run.
#[derive(PartialEq, Debug)]
struct Told<E, V> {
    /// `None` for an event that is withheld.
    events: Vec<Option<E>>,
    /// `None` where the match is over.
    after: Option<(Status, V)>,
}

fn told<G: Game>(state: &G::State, seat: Seat, mv: &G::Move) -> Result<Told<G::Event, G::View>, Refusal> {
    let viewer = Viewer::Seat(seat);
    let mut tried = state.clone();
    let rehearsed = rehearse::<G>(&mut tried, seat, mv.clone())?;
    let events = rehearsed.events.iter().map(|event| G::redact(event, viewer)).collect();
    let after = match G::status(&tried) {
        Status::Over(_) => None,
        status => Some((status, G::view(&tried, viewer))),
    };
    Ok(Told { events, after })
}

/// Tries moves of every seat in `state` and in what that seat might take it for. Answers how often these differed.
pub(super) fn check<G: Game>(
    plan: &Plan<G>,
    state: &G::State,
    acting: Seats,
    count: SeatCount,
    known: &Known<G>,
    choice: &mut Dice,
) -> u32 {
    let mut different = 0;
    if !G::INFO.hidden_information {
        return different;
    }
    for seat in count.seats() {
        let viewer = Viewer::Seat(seat);
        let imagined = G::imagine(&G::view(state, viewer), viewer, choice);
        different += u32::from(&imagined != state);
        assert_eq!(
            G::absent_move(&imagined, seat),
            G::absent_move(state, seat),
            "secrecy: what is done for absent seat {seat} depends on what it cannot see"
        );
        let mut moves = some(&G::legal_moves(state, seat).moves, 8, choice);
        moves.extend(some(&(plan.further)(state, seat), 8, choice));
        moves.extend((0..12).filter_map(|_| known.candidate(choice)));
        for mv in moves {
            if !acting.contains(seat) && G::needs_turn(&mv) {
                continue;
            }
            let (here, there) = (told::<G>(state, seat, &mv), told::<G>(&imagined, seat, &mv));
            assert_eq!(here, there, "secrecy: what seat {seat} is told of {mv:?} depends on what it cannot see");
        }
    }
    different
}
