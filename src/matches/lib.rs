//! The use cases of matches: create, join, start, play, resign, claim, read, wait.
//!
//! Four rooms, each of which imports only those before it:
//!
//! - [`model`]: the values, as they are stored and refused;
//! - [`table`]: a match in memory and its steps, decided without a store: `(match, action, moment) -> (match, log entry)`;
//! - [`feed`]: the events that followers get;
//! - the use cases, one file each, on [`Matches`].
//!
//! Invariants: only what was committed is answered. A refusal is decided on freshly loaded state only, or on known
//! state that the store has confirmed. A reader without access gets the same answer as for a match that does not exist.

mod access;
mod archiving;
pub mod board_match;
pub mod bots;
mod cache;
pub(crate) mod create;
mod departing;
mod drawn;
pub mod examined;
mod exclusive;
pub mod export;
pub mod feed;
pub mod forking;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod fuzzed;
pub mod hints;
mod history;
pub mod idempotency;
pub mod invites;
pub mod lists;
mod log_replay;
pub mod model;
mod names;
pub mod narration;
pub mod news;
mod operating;
pub mod outage_detector;
pub mod plans;
pub mod play;
pub mod presets;
pub mod rated_result;
pub(crate) mod rematch;
mod repeated;
pub(crate) mod reserving;
pub mod reviews;
mod room;
mod room_locks;
mod scan;
pub mod schedule;
pub mod seats;
mod service;
pub mod summary;
pub mod table;
#[cfg(test)]
mod tests;
mod thinkers;
pub mod thinking;
pub mod timing;
pub mod undo;
mod viewed;

pub use create::NewMatch;
pub use model::refused::{Refused, Unread};
pub use sarsen_store::{Stage, Stamp};
pub(crate) use service::ATTEMPTS_MAX;
pub use service::{DueSoon, Matches, MatchesParts};
pub use viewed::{Reader, ViewedMatch};
