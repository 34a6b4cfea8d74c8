//! Ratings: for each category a log of what has changed them, the rating of each player, and a board of those who are
//! shown on it.
//!
//! Invariants:
//! - The log of a category only grows, and every change names the length that it was computed from: changes are strictly
//!   ordered, and the players of one match are rated together or not at all.
//! - Ratings and board are a fold of the log, and can be made again from it, beside the present ones.
//! - A board is in ascending order of key, then of player.

use std::collections::HashMap;

use super::Result;
use super::concern::concern;
use sarsen_base::ids::{MatchId, PlayerId};

/// The present ratings of some players in a category.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FoundRatings {
    /// The length of the log.
    pub length: u64,
    /// The place in the log, from 0, of the last entry of the match that was asked for.
    pub entry: Option<u64>,
    /// The stored rating of each player, in the order in which they were asked for.
    pub stored: Vec<Option<Vec<u8>>>,
}

/// An entry to append to the log of a category, and the match that it is of.
pub type RatingEntry = (Vec<u8>, Option<MatchId>);

/// The rating of a player as it becomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PutRating {
    /// The player.
    pub player: PlayerId,
    /// The stored rating; `None` for none.
    pub stored: Option<Vec<u8>>,
    /// The key on the board, below 2^53 in amount; `None` for a player who is not on it.
    pub key: Option<i64>,
}

/// Generations of ratings that have not taken the place of the present ones, by category and moment.
pub(crate) type StagedRatings = HashMap<(String, i64), HashMap<PlayerId, PutRating>>;

/// A place on a board: key and player.
pub type BoardPlace = (i64, PlayerId);

/// The time for which a generation is kept that does not take the place of the present one, in seconds.
pub(crate) const STAGED_SECONDS: u32 = 3600;

concern! {
    /// Keeps ratings. The name of a category is short ASCII without braces and colons; a generation is named by the
    /// moment at which it was begun (ms).
    pub trait RatingStore {
        /// Returns the categories that have a log.
        async fn rating_categories(&self) -> Result<Vec<String>>;

        /// Returns the ratings of these players, with the place of a match in the log, all of one moment.
        async fn ratings(&self, category: &str, players: &[PlayerId], of: Option<&MatchId>) -> Result<FoundRatings>;

        /// Appends to the log and writes ratings, if the log still has this length. Returns true if it had.
        async fn change_ratings(
            &self,
            category: &str,
            length: u64,
            entries: Vec<RatingEntry>,
            ratings: Vec<PutRating>,
        ) -> Result<bool>;

        /// Returns entries of the log from a place on, from 0.
        async fn rating_log(&self, category: &str, from: u64, limit: usize) -> Result<Vec<Vec<u8>>>;

        /// Writes ratings of a generation that is not the present one: those of others stay there as they were written.
        async fn stage_ratings(&self, category: &str, generation: i64, ratings: Vec<PutRating>) -> Result<()>;

        /// Puts a generation in the place of all ratings and the board that there are, if the log still has this length
        /// and the generation this number of ratings. Returns true if so; otherwise the generation stays for an hour.
        async fn replace_ratings(&self, category: &str, length: u64, generation: i64, ratings: usize) -> Result<bool>;

        /// Removes a category with its log, its ratings and its board.
        async fn remove_category(&self, category: &str) -> Result<()>;

        /// Returns a stretch of the board: in front of a place, or behind one, or from its beginning on. The nearest
        /// comes first.
        async fn board(
            &self,
            category: &str,
            from: Option<&BoardPlace>,
            backwards: bool,
            limit: usize,
        ) -> Result<Vec<BoardPlace>>;

        /// Returns the number of players on the board whose key is below this one.
        async fn board_count(&self, category: &str, below: i64) -> Result<u64>;
    }
}
