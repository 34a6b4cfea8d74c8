//! Matches: load, commit, log.
//!
//! Invariants:
//! - [`MatchStore::commit`] is atomic and conditional: match, log entry, replay key, due index, jobs and outbox change
//!   together or not at all, and only if the match is still at the version the commit was computed from, and that
//!   version still has the stamp that the commit names. So a step may be computed from a version that was loaded long
//!   ago, or by somebody else. An acknowledged commit survives `kill -9` of the server. A backend never repeats a
//!   commit on its own: an unknown result is [`StoreError::Unavailable`](super::StoreError::Unavailable), and the
//!   caller loads again to learn the result.
//! - One idempotency key commits once: a commit under a key that has committed in the match before does nothing.
//! - [`MatchStore::delete_match`] likewise. A deleted match is not made again under its id while somebody may still
//!   repeat the request that made it ([`DELETED_REMEMBERED`]).
//! - Version `n` of a match has exactly one log entry, the `n`-th.

use std::time::Duration;

use super::concern::concern;
use super::{Archived, Checkpoint, Due, Inbox, Job, KeptPlan, ListQuery, ListedMatch, Listing, Result, Stamp};
use sarsen_base::ids::{MatchId, PlayerId};

/// A client's idempotency key, which belongs to one player: in one match, or outside of all matches
/// ([`ExpiringStore`](super::ExpiringStore)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayKey {
    /// The player who owns the key.
    pub player: PlayerId,
    /// The key as sent: 1 to 255 printable ASCII characters.
    pub key: String,
}

/// The result of the commit under an idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The version that the commit made.
    pub version: u64,
    /// Fingerprint of the request, to tell a repetition from a misuse of the key. Short ASCII.
    pub fingerprint: String,
}

/// A match as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadedMatch {
    /// The match, as the last commit gave it.
    pub stored: Vec<u8>,
    /// The number of commits.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// The replay of the asked-for idempotency key, if it has committed.
    pub replay: Option<Replay>,
}

/// A version of a match with its stamp, which tells it from others of the same number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StampedVersion {
    /// The number of commits.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
}

/// One step of a match, which is written whole or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The match.
    pub id: MatchId,
    /// The version this step was computed from; the step makes `expected + 1`. 0 creates the match.
    pub expected: u64,
    /// The stamp of the version this step was computed from, which must be the present one; `None` at creation only.
    pub expected_stamp: Option<Stamp>,
    /// The stamp of the version that the step makes.
    pub stamp: Stamp,
    /// The match after the step.
    pub stored: Vec<u8>,
    /// The log entry of the step.
    pub entry: Vec<u8>,
    /// The listing of the match from now on; `None` if that has not changed. Always given at creation.
    pub listing: Option<Listing>,
    /// The listing of the match before, where `listing` is given and the caller knows it. It makes the step cheaper and
    /// changes nothing else: where it is missing or wrong, the store finds out by itself.
    pub listed: Option<Listing>,
    /// The idempotency key of the request, and its replay (with version `expected + 1`), which is written unless the
    /// key has committed before.
    pub replay: Option<(ReplayKey, Replay)>,
    /// Players whose inbox gets a notice of this step: one each, however often a player is named.
    pub notify: Vec<PlayerId>,
    /// The change to the match's entry in the due index.
    pub due: Due,
    /// The jobs that the step orders. Their ids begin with that of the match.
    pub jobs: Vec<Job>,
}

/// The minimum time for which a deleted match is remembered: longer than any reservation of its id.
pub const DELETED_REMEMBERED: Duration = Duration::from_secs(25 * 60 * 60);

/// The outcome of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    /// The step was committed.
    Yes,
    /// Nothing happened: the match is not at the expected version (or exists already, or was deleted), or another step
    /// has made that version again.
    Conflict,
    /// Nothing happened: the step's idempotency key has committed in this match before, at any version. A load of the
    /// match with the key returns the replay.
    Repeated,
}

concern! {
    /// Keeps matches, their logs and the lists they are on.
    pub trait MatchStore {
        /// Returns the match and the replay of `key` in it, in one trip.
        async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>>;

        /// Returns the version of the match with its stamp, without loading the match.
        async fn standing(&self, id: &MatchId) -> Result<Option<StampedVersion>>;

        /// Makes one step, atomically. See the module's invariants.
        async fn commit(&self, commit: Commit) -> Result<Committed>;

        /// Makes every committed step of the match as safe as [`MatchStore::commit`] makes a step before it
        /// acknowledges it. Needed before a repeated answer, or one that a failure prevented: it promises the same as
        /// the first one.
        async fn settle(&self, id: &MatchId) -> Result<()>;

        /// Deletes a match at version `expected` with its log, its idempotency keys and its entry in the due index; the
        /// lists follow as they do for a commit. Notices of it stay in the inboxes and lead nowhere. Waiters for the
        /// match are woken. [`Committed::Conflict`] if it is not at that version, or does not exist.
        async fn delete_match(&self, id: &MatchId, expected: u64, expected_stamp: Stamp) -> Result<Committed>;

        /// Returns the log entries from version `after + 1` on, at most `limit` of them, in order. Empty for an unknown
        /// match.
        async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>>;

        /// Returns matches of a list, newest id first. Fewer than `limit` only at the end of the list.
        async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>>;

        /// Returns only the ids of those matches, without loading any; here the limit may be up to 1000.
        async fn list_ids(&self, query: &ListQuery) -> Result<Vec<MatchId>>;

        /// Returns the newest checkpoint of the match at version `at_most` or before.
        async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>>;

        /// Writes a checkpoint; replaces one at the same version. Does nothing where there is no such match (any more).
        /// The checkpoint need not be durable when this returns.
        async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()>;

        /// Returns true if the log of the match is archived.
        async fn is_archived(&self, id: &MatchId) -> Result<bool>;

        /// Replaces the log of a match at version `expected` by these entries, which must be one for each version;
        /// deletes the replays of its idempotency keys, and changes its entry in the due index by `due`. All of it
        /// happens or none.
        async fn archive_match(
            &self,
            id: &MatchId,
            expected: u64,
            expected_stamp: Stamp,
            entries: &[Vec<u8>],
            due: Due,
        ) -> Result<Archived>;

        /// Returns notices with a number above `after`, at most `limit`, ascending. Where older ones have been dropped,
        /// it starts with the oldest kept.
        async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox>;

        /// Returns the plans of the seats of a match, by seat.
        async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>>;

        /// Writes the plan of a seat and replaces its plan from before, if the match is at version `expected` with that
        /// stamp, as with [`commit`](super::MatchStore::commit). Returns true if it was.
        async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool>;

        /// Replaces or removes the plan `found`, if it is still the present one. Returns true if it was.
        async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool>;
    }
}
