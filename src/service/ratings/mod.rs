//! Ratings: each rated match changes those of its players, and the boards show the order that follows. Boards of results are
//! kept in the same way.
//!
//! Invariants:
//! - A category has one log, and each change names the length that it was computed from: every instance computes
//!   ratings strictly in the order of the log. A match is in the log once, however often its result is handed in.
//! - Ratings and boards are a fold of the log ([`Refold`]); no match is read for them.
//! - The log has ids of players and never their names. A player who has left for good is on no board, and has no
//!   rating.

mod board;
mod board_key;
mod category;
mod contention;
mod counting;
mod entry;
mod fold;
mod formula;
mod history;
mod moderation;
mod rater;
mod rebuilding;
mod results;
#[cfg(test)]
mod results_tests;
#[cfg(test)]
mod tests;

pub use self::board::{BoardCursor, BoardRow, StaleCursor};
pub use self::category::{Category, CategoryKind};
pub use self::fold::COUNTED_A_DAY;
pub use self::formula::{Rating, shown};
pub use self::history::{MatchRating, RatedChange};
pub(crate) use self::moderation::NotRated;
pub use self::rater::Ratings;
pub use self::rebuilding::Refold;
pub use self::results::PlayerResult;
