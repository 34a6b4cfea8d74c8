//! Pools: the records of players in matchmaking, the queues that they are in, and the matches that pairing has yet to make.
//!
//! Invariants:
//! - Records, queues and matches to make change together or not at all, and only if each record is still as it was found:
//!   so a player is paired once, and a ticket that was taken back is never paired.
//! - A record is in those queues, each at one moment, in which its last change put it.
//! - In Redis all of it lives in one slot. That is the limit: about 10,000 tickets at a time.

use super::Result;
use super::concern::concern;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

/// A place in a queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuePlace {
    /// The name of the queue: 1 to 41 printable ASCII characters.
    pub queue: String,
    /// The moment by which the queue is in order.
    pub at: Timestamp,
}

/// The change of one player's record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PoolChange {
    /// The player.
    pub player: PlayerId,
    /// The record that was found; `None` for none.
    pub found: Option<Vec<u8>>,
    /// The record from now on, which is never empty; `None` for none.
    pub by: Option<Vec<u8>>,
    /// The places that it had. A record that cannot be read may name a wrong one: the embedded store then looks for
    /// them all.
    pub leaves: Vec<QueuePlace>,
    /// The places that it has from now on.
    pub enters: Vec<QueuePlace>,
}

/// A match that pairing has yet to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairedMatch {
    /// Its id.
    pub id: MatchId,
    /// All that it is made of.
    pub stored: Vec<u8>,
}

concern! {
    /// Keeps records of players in matchmaking.
    pub trait PoolStore {
        /// Returns the record of a player.
        async fn pool_record(&self, player: &PlayerId) -> Result<Option<Vec<u8>>>;

        /// Returns the players of a queue up to the moment `until`, the earliest first, with their records; at most
        /// `limit`.
        async fn queue(&self, queue: &str, until: Timestamp, limit: usize) -> Result<Vec<(PlayerId, Vec<u8>)>>;

        /// Makes these changes of records, and adds a match to make, if every record is as it was found. Returns true
        /// if so.
        async fn change_pool_records(&self, changes: &[PoolChange], pairs: Option<&PairedMatch>) -> Result<bool>;

        /// Returns matches that are still to be made, at most `limit`.
        async fn paired_matches(&self, limit: usize) -> Result<Vec<PairedMatch>>;

        /// Returns a match that is still to be made.
        async fn paired_match(&self, id: &MatchId) -> Result<Option<PairedMatch>>;

        /// Removes a match that has been made.
        async fn forget_paired_match(&self, id: &MatchId) -> Result<()>;
    }
}
