//! Steps: a move of a seat from a position to the next.
//!
//! Invariants: the move is judged as in a match, in the same order: readable, over, turn, legal. The same position and the
//! same move lead to the same, dice included.

use super::seal::KindHint;
use super::set_up::Reached;
use super::{Sandbox, SandboxPosition};
use sarsen_games::{AnyMove, Corrupt, MalformedMove, MoveInput, PlayError};
use sarsen_rules::{Refusal, Seat, Status};

/// The choice of a move.
pub enum Choice {
    /// As it is written.
    Move(MoveInput),
    /// By its place in the list of legal moves, from 0.
    Index(usize),
}

/// The step to take.
pub struct StepOrder {
    /// The text of the position.
    pub position: String,
    /// The seat that moves.
    pub seat: Seat,
    /// The choice of the move.
    pub choice: Choice,
}

/// The reason why a step was not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotStepped {
    /// The text was not sealed here.
    #[error("the position was not sealed by this service with a key and for rules that it still has")]
    PositionInvalid,
    /// The move does not read.
    #[error(transparent)]
    Malformed(MalformedMove),
    /// The position has fewer seats.
    #[error("the position has no seat {0}")]
    NoSuchSeat(Seat),
    /// Nothing follows.
    #[error("the position is the last of its game")]
    Over,
    /// The seat has nothing to decide.
    #[error("seat {0} has nothing to decide in this position")]
    NotYourTurn(Seat),
    /// The list of legal moves is shorter.
    #[error("there are {0} legal moves, counted from 0")]
    NoSuchIndex(usize),
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(Refusal),
    /// The position after the move cannot be written.
    #[error(transparent)]
    Corrupt(Corrupt),
}

impl From<PlayError> for NotStepped {
    fn from(error: PlayError) -> NotStepped {
        match error {
            PlayError::Refused(refusal) => NotStepped::Illegal(refusal),
            PlayError::Corrupt(corrupt) => NotStepped::Corrupt(corrupt),
        }
    }
}

impl Sandbox {
    /// Takes the step. `hint` is kept from one step of a request to the next.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn step(&self, order: &StepOrder, hint: &mut KindHint) -> Result<Reached, NotStepped> {
        let mut position = self.seals.open(&order.position, hint).ok_or(NotStepped::PositionInvalid)?;
        let mv = ready(&position, order)?;
        let played = position.state.play(order.seat, mv, &mut position.dice)?;
        Ok(Reached { position, events: played.events })
    }
}

/// The move, if the seat may try it now.
fn ready(position: &SandboxPosition, order: &StepOrder) -> Result<AnyMove, NotStepped> {
    let seat = order.seat;
    let read = match &order.choice {
        Choice::Move(input) => Some(position.game.read_move(input).map_err(NotStepped::Malformed)?),
        Choice::Index(_) => None,
    };
    if !position.seat_count().contains(seat) {
        return Err(NotStepped::NoSuchSeat(seat));
    }
    let needs_turn = read.as_ref().is_none_or(|mv| mv.needs_turn);
    match position.state.status() {
        Status::Over(_) => return Err(NotStepped::Over),
        Status::ToAct(seats) if needs_turn && !seats.contains(seat) => return Err(NotStepped::NotYourTurn(seat)),
        Status::ToAct(_) | Status::Chance => {}
    }
    match (read, &order.choice) {
        (Some(mv), _) => Ok(mv),
        (None, Choice::Index(index)) => position.state.listed_move(seat, *index).map_err(NotStepped::NoSuchIndex),
        (None, Choice::Move(_)) => Err(NotStepped::NoSuchIndex(0)),
    }
}
