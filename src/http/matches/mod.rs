//! Matches over HTTP: one file a group of operations, thin handlers.

pub mod create;
pub mod list;
pub mod moves;
pub mod problems;
pub mod read;
pub mod record;
pub mod seats;
pub mod types;

pub use problems::match_problem;
pub use create::CreateMatch;
pub use types::{Decision, Event, LegalMovesForm, Match, MatchStatus, MatchView, MoveResult};
