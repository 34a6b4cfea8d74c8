//! Marks: what every instance has to know of some players, and who is still to be seen off.
//!
//! Invariant: marks have revisions from one count, so whoever knows all up to one revision asks for those after it. Of
//! several writers who have read the same revision of a mark, one writes. That a player is to be seen off is written with
//! the mark that says so, or not at all; and of several who look after that player at once, one has the turn.

use async_trait::async_trait;

use super::{Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

/// A player who is to be seen off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Departure {
    /// Who.
    pub player: PlayerId,
    /// From when on somebody is to look whether there is anything left to do: at first, from the mark on.
    pub look_at: Timestamp,
    /// Since when there was nothing left to do: at first, since the mark.
    pub quiet_since: Timestamp,
}

/// Keeps marks. There are few: players who were renamed, banned or deleted.
#[async_trait]
pub trait PlayerStatusStore: Send + Sync + 'static {
    /// The mark of a player.
    async fn mark(&self, player: &PlayerId) -> Result<Option<Revised>>;

    /// Writes a mark if its revision is still `expected` (0: there must be none), and tells every instance. With
    /// `leaving` the player is to be seen off from now on, until [`PlayerStatusStore::seen_off`]. Answers the new
    /// revision, or `None` if nothing was written.
    async fn put_mark(&self, player: &PlayerId, expected: u64, stored: Vec<u8>, leaving: bool) -> Result<Option<u64>>;

    /// Marks with a revision above `after`, ascending, at most `limit`.
    async fn marks_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>>;

    /// Players who are to be seen off: the earliest look first, at most `limit`.
    async fn leaving(&self, limit: usize) -> Result<Vec<Departure>>;

    /// Puts off the look at a player, if it still stands where it was found. Answers whether it did.
    async fn put_off(&self, found: &Departure, look_at: Timestamp, quiet_since: Timestamp) -> Result<bool>;

    /// Takes a player off those who are to be seen off, if the look still stands where it was found. Answers whether it did.
    async fn seen_off(&self, found: &Departure) -> Result<bool>;
}
