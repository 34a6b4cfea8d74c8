//! Player statuses, which every instance knows, and deletions of players under way.
//!
//! Invariant: statuses have revisions from one count, so an instance that knows all up to one revision asks for those
//! after it. Of several writers who have read the same revision of a status, one writes. The deletion of a player is
//! written with the status that says so, or not at all; and of several instances that look after that player at once,
//! one gets the turn.

use super::concern::concern;
use super::{Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;

/// A deletion of a player that is under way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deletion {
    /// The player.
    pub player: PlayerId,
    /// The moment at which an instance next checks whether any work is left: at first, that of the status.
    pub look_at: Timestamp,
    /// The moment since which no work was left: at first, that of the status.
    pub quiet_since: Timestamp,
}

concern! {
    /// Keeps player statuses. There are few: of players who were renamed, banned or deleted.
    pub trait PlayerStatusStore {
        /// Returns the status of a player.
        async fn status(&self, player: &PlayerId) -> Result<Option<Revised>>;

        /// Writes a status if its revision is still `expected` (0: there must be none), and informs every instance.
        /// With `deleting` the deletion of the player is under way from now on, until [`PlayerStatusStore::end_deletion`].
        /// Returns the new revision, or `None` if nothing was written.
        async fn put_status(
            &self,
            player: &PlayerId,
            expected: u64,
            stored: Vec<u8>,
            deleting: bool,
        ) -> Result<Option<u64>>;

        /// Returns statuses with a revision above `after`, ascending, at most `limit`.
        async fn statuses_after(&self, after: u64, limit: usize) -> Result<Vec<(PlayerId, Revised)>>;

        /// Returns the deletions under way, the earliest check first, at most `limit`.
        async fn deletions(&self, limit: usize) -> Result<Vec<Deletion>>;

        /// Postpones the check of a deletion, if it is still as found. Returns true if it was.
        async fn put_off(&self, found: &Deletion, look_at: Timestamp, quiet_since: Timestamp) -> Result<bool>;

        /// Ends a deletion, if it is still as found. Returns true if it was.
        async fn end_deletion(&self, found: &Deletion) -> Result<bool>;
    }
}
