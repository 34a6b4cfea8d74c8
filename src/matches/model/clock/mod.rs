//! Clocks: how much time a match gives its seats, and how each seat's time runs.
//!
//! Invariant: one formula for all. A turn begins when a seat has to act and ends when it no longer does. The time
//! beyond the delay is taken from the bank, and the increment is added. All of it follows from the terms and the
//! moments of the steps, so any reader of the record can compute every bank again.
//!
//! Deliberately missing: compensation for the lag that a client reports, which nobody can verify. A creator who wants
//! to compensate lag gives every turn a delay.

mod credit;
mod seat;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use credit::TimeCredit;
pub use seat::CLOCK_GRACE_MILLIS;
pub(crate) use seat::SeatClock;
pub(crate) use terms::TakeoverBot;
pub use terms::{ClockTerms, InvalidClock, OnTimeout, Speed, WantedClock};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The time that the service waits after a deadline and its grace before it acts by itself, in milliseconds. It gives a
/// move that was received in time the time to be committed.
pub(crate) const ACTED_AFTER_MILLIS: i64 = 1_000;
/// The time that a seat of a live match can be given in one turn at least, in milliseconds.
pub(crate) const GIVEN_A_TURN_MILLIS: i64 = 300_000;
/// The number of times that a seat may give time to others between two moves of its own, so that no log grows without
/// end.
pub(crate) const GIFTS_MAX: u8 = 20;

/// The consequence for a seat that let its time run out. More may come: ignore one that you do not know.
///
/// - `forfeit`: The seat has lost, as if it had resigned.
/// - `absent_move`: A fixed rule made its decisions until its turn was over.
/// - `bot`: A bot plays for it from now on.
/// - `no_start`: The match, of two, was called off, since the seat had not taken its first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum TimeoutConsequence {
    Forfeit,
    AbsentMove,
    Bot,
    NoStart,
}

/// The reason why time was added to a clock. More may come: ignore one that you do not know.
///
/// - `given`: Another seat gave it.
/// - `outage`: The service was not there for so long during the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CreditReason {
    /// Another seat gave it.
    Given,
    /// The service could not be reached for so long during the turn.
    Outage,
}
