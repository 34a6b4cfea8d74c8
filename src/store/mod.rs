//! The store: what must outlive a request, behind one trait at the level of the domain.
//!
//! Invariants, which the suite in `tests/store` proves for every backend:
//! - [`Store::commit`] is atomic and conditional: record, log entry, replay key and outbox change together or not at
//!   all, and only if the match is still at the version the commit was computed from. What was acknowledged survives
//!   `kill -9` of the server. A backend never repeats a commit on its own: an unknown result is
//!   [`StoreError::Unavailable`], and the caller finds out by loading again.
//! - Persist, then publish: a [`Live`] message is sent only for what a following load returns.
//! - Version `n` of a match has exactly one log entry, the `n`-th.
//! - Lists and inboxes follow the commits: at once in the embedded store; in Redis, where they live in other slots,
//!   within seconds even if the committing instance dies, because any instance works through the outbox.
//!
//! What it deliberately lacks: any knowledge of what is in a record. Records, log entries and sessions are opaque
//! bytes here; `crate::matches` and `crate::players` give them meaning.

pub mod embedded;
pub mod keys;
pub mod redis;

use async_trait::async_trait;
use tokio::sync::broadcast;

use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId, SessionId};

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is away or too slow. What was asked may or may not have happened; asking again later is right.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It holds something that this release cannot read.
    #[error("the store holds something unreadable: {0}")]
    Corrupt(String),
}

/// The result type of every store operation.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// A client's idempotency key, which belongs to one player in one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReplayKey {
    /// Whose key it is.
    pub player: PlayerId,
    /// The key as sent: 1 to 255 visible ASCII characters.
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
    /// The record, as the last commit gave it.
    pub record: Vec<u8>,
    /// How many commits the match has seen.
    pub version: u64,
    /// What the asked-for idempotency key has committed, if anything.
    pub replay: Option<Replay>,
}

/// Where a match stands, for lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// Waiting for players or for its start.
    Open,
    /// Being played.
    Playing,
    /// Ended by the rules, a resignation, a claim or an agreement.
    Finished,
    /// Called off before the start.
    Aborted,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 4] = [Stage::Open, Stage::Playing, Stage::Finished, Stage::Aborted];

    /// The stage's stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Open => "open",
            Stage::Playing => "playing",
            Stage::Finished => "finished",
            Stage::Aborted => "aborted",
        }
    }
}

/// Which lists a match belongs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The game's id.
    pub game: String,
    /// Where it stands.
    pub stage: Stage,
    /// Whether strangers see it listed.
    pub public: bool,
    /// Whose lists it is on: the creator and everyone seated. Whoever is missing here is taken off.
    pub players: Vec<PlayerId>,
}

/// One step of a match, all of which happens or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The match.
    pub id: MatchId,
    /// The version this step was computed from; the step makes `expected + 1`. 0 creates the match.
    pub expected: u64,
    /// The record after the step.
    pub record: Vec<u8>,
    /// The log entry of the step.
    pub entry: Vec<u8>,
    /// Where the match is listed from now on; `None` if that has not changed. Always given at creation.
    pub listing: Option<Listing>,
    /// The idempotency key of the request, and what to remember under it (its version is `expected + 1`).
    pub replay: Option<(ReplayKey, Replay)>,
    /// Players whose inbox gets a notice of this step: one each, however often a player is named.
    pub notify: Vec<PlayerId>,
}

/// What became of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Committed {
    /// It happened.
    Yes,
    /// Nothing happened: the match is not at the expected version (or exists already).
    Conflict,
}

/// Whose list is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListScope {
    /// All public matches.
    Public,
    /// All matches of this player, private ones too.
    Player(PlayerId),
}

/// A question for a list, newest match first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListQuery {
    /// Whose list.
    pub scope: ListScope,
    /// Only matches at this stage.
    pub stage: Option<Stage>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with a smaller id than this.
    pub before: Option<MatchId>,
    /// At most so many, 1 to 200.
    pub limit: usize,
}

/// A match on a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedMatch {
    /// Its id.
    pub id: MatchId,
    /// Its record.
    pub record: Vec<u8>,
    /// Its version.
    pub version: u64,
}

/// A notice in a player's inbox: something happened in a match of theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The notice's number in this inbox, from 1, ascending without gaps.
    pub number: u64,
    /// The match.
    pub match_id: MatchId,
    /// The version whose step it is about.
    pub version: u64,
}

/// A stretch of a player's inbox. An inbox keeps at least the newest [`INBOX_KEPT`] notices. Those of one match stand in
/// the order of its versions, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inbox {
    /// Ascending by number.
    pub notices: Vec<Notice>,
    /// The number of the newest notice of the inbox, 0 while there is none.
    pub newest: u64,
}

/// How many notices an inbox keeps at least.
pub const INBOX_KEPT: u64 = 1000;

/// A session as stored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredSession {
    /// What `crate::players` keeps of it.
    pub record: Vec<u8>,
    /// How often it has been written.
    pub revision: u64,
}

/// A token bucket: it holds up to `burst` and gains `per_minute` in a minute.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limit {
    /// The most that can be taken at once, 1 to 1,000,000.
    pub burst: u32,
    /// What comes back in a minute, 1 to 60,000,000.
    pub per_minute: u32,
}

/// The answer of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Whether one was taken.
    pub allowed: bool,
    /// What is left, whole units.
    pub remaining: u32,
    /// Milliseconds until one can be taken; 0 if one can be now.
    pub retry_after_millis: u64,
}

/// Something that has just become true in the store, on whichever instance. Messages may be lost (a broken
/// connection) or repeated; whoever listens reads the store to learn the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Live {
    /// The match has reached this version.
    Match(MatchId, u64),
    /// The player has new notices.
    Inbox(PlayerId),
    /// The session was revoked; its access tokens are refused until they would have expired by themselves.
    Revoked(SessionId, Timestamp),
    /// Messages may have been lost just now: whoever waits should look.
    Resync,
}

/// The store.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// The match, and what `key` has committed in it, in one trip.
    async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>>;

    /// Makes one step, atomically. See the module's invariants.
    async fn commit(&self, commit: Commit) -> Result<Committed>;

    /// The log entries of versions `after + 1` and on, at most `limit` of them, in order. Empty for an unknown match.
    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>>;

    /// Matches by list, newest id first. May be shorter than `limit` only at the end of the list.
    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>>;

    /// Notices with a number above `after`, at most `limit`, ascending. Where older ones have been dropped, it starts
    /// with the oldest kept.
    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox>;

    /// Writes a player's record, new or known.
    async fn put_player(&self, id: &PlayerId, record: Vec<u8>) -> Result<()>;

    /// A player's record.
    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>>;

    /// Writes a session of `player` if its revision is still `expected` (0: it must be new), and forgets it by itself
    /// at `expires`, which replaces the end given before. Answers whether it was written. A session that has expired
    /// or was revoked is at no revision any more; a session's player never changes.
    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        record: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool>;

    /// A session that has not expired and was not revoked.
    async fn session(&self, id: &SessionId) -> Result<Option<StoredSession>>;

    /// Deletes the session and remembers until `until` that it was revoked; tells every instance. Unknown sessions
    /// are remembered too; of several ends for one session the latest counts.
    async fn revoke_session(&self, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()>;

    /// The sessions of a player that have not expired and were not revoked.
    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>>;

    /// All revocations that are still remembered, with their end.
    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>>;

    /// Takes one from a bucket, which is full at first. `bucket` is a short ASCII name.
    async fn take(&self, bucket: &str, limit: Limit) -> Result<Taken>;

    /// Keeps a value until it is taken, `seconds` long at most, in place of what was kept under this key. `key` is a
    /// short ASCII name.
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()>;

    /// Takes a value kept by [`Store::put_ticket`]: of several callers at most one gets it.
    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Everything that becomes true from now on, on any instance. A receiver that lags should behave as on
    /// [`Live::Resync`].
    fn live(&self) -> broadcast::Receiver<Live>;

    /// Whether the store can serve right now; answers within about a second.
    async fn ready(&self) -> Result<()>;

    /// Finishes what is under way and stops background work. Called once, at shutdown; whatever is asked afterwards is
    /// [`StoreError::Unavailable`].
    async fn close(&self);
}
