//! The schedule: the moment of the next due work of each match (the due index), and leases of matches for bots.
//!
//! Invariants:
//! - An entry says when to check a match, never what to do: that follows from the match alone. A superfluous entry
//!   costs one check.
//! - A match has one entry at most, for the earliest work that is due in it. It changes with the commit that changes
//!   the match, together or not at all. While a seat has a plan ([`super::KeptPlan`]), every commit makes the match
//!   due.
//! - At most one claim on a match exists, and none lasts longer than its last renewal asked for; so an instance that
//!   dies is replaced soon. A claim saves work and decides nothing: the bot's move is committed, or not, like any step.

use super::Result;
use super::concern::concern;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// The change that a commit makes to the match's entry in the due index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Leaves the entry as it is.
    Leave,
    /// Removes the entry: nothing is due any more.
    Remove,
    /// Sets the entry: the match is due at this moment.
    At(Timestamp),
}

/// An entry of the due index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueMatch {
    /// The match.
    pub id: MatchId,
    /// The moment at which the match is due.
    pub at: Timestamp,
}

/// The size of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueueSize {
    /// The number of entries.
    pub length: u64,
    /// The moment at which the first entry is due, or was.
    pub oldest: Option<Timestamp>,
}

/// The sizes of the queues.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Backlog {
    /// Commits that lists and notices have not followed yet; `oldest` is the moment since which, to within some
    /// seconds, the first of them is known to wait.
    pub outbox: QueueSize,
    /// The due index. Most of its moments lie in the future.
    pub due: QueueSize,
}

concern! {
    /// Keeps the due index, and the leases of matches for their bots, called claims.
    pub trait Schedule {
        /// Returns matches that are due, the longest overdue first in each part of the index, at most `limit` of each
        /// part.
        async fn due_matches(&self, limit: usize) -> Result<Vec<DueMatch>>;

        /// Moves an entry to another moment, or removes it, if it is still as found. Returns true if it was.
        async fn move_due(&self, found: &DueMatch, to: Option<Timestamp>) -> Result<bool>;

        /// Adds entries for those matches that have none. Returns the number added.
        async fn note_due(&self, entries: &[DueMatch]) -> Result<u64>;

        /// Returns the present sizes of the queues.
        async fn backlog(&self) -> Result<Backlog>;

        /// Claims the match for `who` (a short ASCII text) for `millis` milliseconds from now on, also where `who`
        /// holds it already. Returns `None` on success; else the milliseconds, at least 1, after which the claim of
        /// another holder ends at the latest.
        async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>>;

        /// Releases the match, if `who` holds it.
        async fn release_match(&self, id: &MatchId, who: &str) -> Result<()>;
    }
}
