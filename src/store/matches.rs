//! Matches: load, commit, log.
//!
//! Invariants:
//! - [`MatchStore::commit`] is atomic and conditional: match, log entry, replay key, due index and outbox change
//!   together or not at all, and only if the match is still at the version the commit was computed from, and that
//!   version still has the stamp that the commit names. So a step may be computed from a version that was loaded long
//!   ago, or by somebody else. What was acknowledged survives `kill -9` of the server. A backend never repeats a commit
//!   on its own: an unknown result is
//!   [`StoreError::Unavailable`](super::StoreError::Unavailable), and the caller finds out by loading again.
//! - One idempotency key commits once: a commit under a key that has committed in the match before does nothing.
//! - [`MatchStore::delete_match`] likewise. A match that was deleted is not made again under its id while somebody may
//!   still repeat the request that has made it ([`DELETED_REMEMBERED`]).
//! - Version `n` of a match has exactly one log entry, the `n`-th.

use std::time::Duration;

use async_trait::async_trait;

use super::{Archived, Checkpoint, Due, Inbox, KeptPlan, ListQuery, ListedMatch, Listing, Result, Stamp};
use sarsen_base::ids::{MatchId, PlayerId};

/// A client's idempotency key, which belongs to one player: in one match, or outside of all matches
/// ([`ExpiringStore`](super::ExpiringStore)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayKey {
    /// Whose key it is.
    pub player: PlayerId,
    /// The key as sent: 1 to 255 printable ASCII characters.
    pub key: String,
}

/// What was committed under an idempotency key.
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
    /// How many commits the match has seen.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// What the asked-for idempotency key has committed, if anything.
    pub replay: Option<Replay>,
}

/// Where a match stands: its version, and which one of that number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StampedVersion {
    /// How many commits the match has seen.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
}

/// One step of a match, all of which happens or none.
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
    /// Where the match is listed from now on; `None` if that has not changed. Always given at creation.
    pub listing: Option<Listing>,
    /// As what the match was listed before, where `listing` is given and the caller knows it. It makes the step cheaper and
    /// changes nothing else: where it is not known, or wrong, the store finds out by itself.
    pub listed: Option<Listing>,
    /// The idempotency key of the request, and what to remember under it (its version is `expected + 1`) unless it has
    /// committed before.
    pub replay: Option<(ReplayKey, Replay)>,
    /// Players whose inbox gets a notice of this step: one each, however often a player is named.
    pub notify: Vec<PlayerId>,
    /// What becomes of the match's entry in the due index.
    pub due: Due,
}

/// For so long a deleted match is remembered, at least: longer than any reservation of its id stands.
pub const DELETED_REMEMBERED: Duration = Duration::from_secs(25 * 60 * 60);

/// What became of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    /// It happened.
    Yes,
    /// Nothing happened: the match is not at the expected version (or exists already, or did and was deleted), or that
    /// version has been made again by another step.
    Conflict,
    /// Nothing happened: the step's idempotency key has committed in this match before, at whichever version. Loading the
    /// match with the key tells what.
    Repeated,
}

/// Keeps matches, their logs and the lists they are on.
#[async_trait]
pub trait MatchStore: Send + Sync + 'static {
    /// The match, and what `key` has committed in it, in one trip.
    async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>>;

    /// Where the match stands, without loading it.
    async fn standing(&self, id: &MatchId) -> Result<Option<StampedVersion>>;

    /// Makes one step, atomically. See the module's invariants.
    async fn commit(&self, commit: Commit) -> Result<Committed>;

    /// Makes every step of the match that there is as safe as [`MatchStore::commit`] makes one before it acknowledges it.
    /// For an answer that was given before or should have been: it promises what the first one did.
    async fn settle(&self, id: &MatchId) -> Result<()>;

    /// Deletes a match of which the version `expected` was seen, with its log, its idempotency keys and its entry in the
    /// due index; it goes off its lists as it would with a commit. Notices of it stay in the inboxes and lead nowhere.
    /// Whoever waits for the match is woken. [`Committed::Conflict`] if it is not at that version, or not there.
    async fn delete_match(&self, id: &MatchId, expected: u64, expected_stamp: Stamp) -> Result<Committed>;

    /// The log entries of versions `after + 1` and on, at most `limit` of them, in order. Empty for an unknown match.
    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>>;

    /// Matches by list, newest id first. May be shorter than `limit` only at the end of the list.
    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>>;

    /// The ids of those matches alone, of which none is loaded; here the limit may be up to 1000.
    async fn list_ids(&self, query: &ListQuery) -> Result<Vec<MatchId>>;

    /// The newest checkpoint of the match at version `at_most` or before.
    async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>>;

    /// Leaves a checkpoint, in place of one at the same version. Nothing happens where there is no such match (any more).
    /// It need not be safe from anything when this returns.
    async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()>;

    /// Whether the log of the match is archived.
    async fn is_archived(&self, id: &MatchId) -> Result<bool>;

    /// Puts these entries, which must be one for each version, in the place of the log of a match of which the version
    /// `expected` was seen; forgets what idempotency keys have committed in it, and does with its entry in the due index
    /// as told. All of it happens or none.
    async fn archive_match(
        &self,
        id: &MatchId,
        expected: u64,
        expected_stamp: Stamp,
        entries: &[Vec<u8>],
        due: Due,
    ) -> Result<Archived>;

    /// Notices with a number above `after`, at most `limit`, ascending. Where older ones have been dropped, it starts
    /// with the oldest kept.
    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox>;

    /// What is kept for the seats of a match, by seat.
    async fn plans(&self, id: &MatchId) -> Result<Vec<KeptPlan>>;

    /// Keeps a plan for its seat, in place of what was kept, if the match is at version `expected` and that is still the
    /// same one, as with [`commit`](super::MatchStore::commit). Answers whether it was.
    async fn keep_plan(&self, id: &MatchId, expected: u64, expected_stamp: Stamp, plan: KeptPlan) -> Result<bool>;

    /// Puts something else in the place of what was found, or takes it away, if it still stands there. Answers whether it
    /// did.
    async fn replace_plan(&self, id: &MatchId, found: &KeptPlan, by: Option<Vec<u8>>) -> Result<bool>;
}
