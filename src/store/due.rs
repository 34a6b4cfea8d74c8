//! The schedule: which matches are to be looked at, and when (the due index), and who thinks about them.
//!
//! Invariants:
//! - It says when to look, never what is to be done: that follows from the match alone. An entry too many costs a look.
//! - A match has one entry at most, for the earliest thing that is due in it. It changes with the commit that changes the
//!   match, together or not at all. Where a seat has a plan ([`super::KeptPlan`]), every commit has the match looked at.
//! - At most one claim stands for a match, and none for longer than it was last asked for; so whoever dies is replaced
//!   soon. It saves work and decides nothing: what comes of the thinking is committed or not like any step.

use async_trait::async_trait;

use super::Result;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// What a commit does with the match's entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Leaves it as it is.
    Leave,
    /// Takes it off: nothing is due any more.
    Remove,
    /// The match is to be looked at from this moment on.
    At(Timestamp),
}

/// A match that is to be looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DueMatch {
    /// The match.
    pub id: MatchId,
    /// Since when.
    pub at: Timestamp,
}

/// How much a queue holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueueSize {
    /// How many entries.
    pub length: u64,
    /// When the first of them is to be done, or was.
    pub oldest: Option<Timestamp>,
}

/// How much waits to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Backlog {
    /// Commits whose lists and notices have not followed yet; `oldest` is from when on, to some seconds, the first of them
    /// is known to wait.
    pub outbox: QueueSize,
    /// The due index. Most of it lies in the future.
    pub due: QueueSize,
}

/// Keeps the due index, and who thinks about which match for its bots.
#[async_trait]
pub trait Schedule: Send + Sync + 'static {
    /// Matches whose moment has come, those that have waited for longest first in each part of the index, at most `limit`
    /// of each part.
    async fn due_matches(&self, limit: usize) -> Result<Vec<DueMatch>>;

    /// Moves an entry to another moment, or takes it off, if it still stands where it was found. Answers whether it did.
    async fn move_due(&self, found: &DueMatch, to: Option<Timestamp>) -> Result<bool>;

    /// Makes entries for those matches that have none. Answers how many had none.
    async fn note_due(&self, entries: &[DueMatch]) -> Result<u64>;

    /// How much waits now.
    async fn backlog(&self) -> Result<Backlog>;

    /// Claims the match for `who` (a short ASCII text) for so many milliseconds from now on, also where `who` holds it
    /// already. `None` if that is so now; else for how many milliseconds, at least 1, somebody else has it at most.
    async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>>;

    /// Gives the match back, if `who` has it.
    async fn release_match(&self, id: &MatchId, who: &str) -> Result<()>;
}
