//! The inventory: everything that is kept of players and matches, page by page and each match whole, for commands that
//! carry it elsewhere or examine it.
//!
//! Invariants:
//! - What is there from the first page to the last is named at least once. What comes or goes meanwhile may be named or
//!   not; some may be named twice. A page may be empty while more follow.
//! - A match is read at one moment: its log has an entry for each of its versions and no more.
//!
//! What it deliberately lacks: what ends within a day or sooner (tickets, buckets, reservations), plans, which are their
//! owners' to make again, and an order.

use async_trait::async_trait;

use super::{ListScope, Listing, Replay, ReplayKey, Result, Stage, Stamp};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// Where a page begins. It holds for the store that gave it, while that is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageStart(pub(super) String);

/// A page of an inventory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InventoryPage<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next one begins; `None` after the last.
    pub next: Option<PageStart>,
}

/// Everything that is kept of one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WholeMatch {
    /// Its id.
    pub id: MatchId,
    /// How many commits it has seen.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// The match, as the last commit gave it.
    pub stored: Vec<u8>,
    /// Where it is listed; `None` only where the store is damaged.
    pub listing: Option<Listing>,
    /// When it is to be looked at, as the due index has it.
    pub due: Option<Timestamp>,
    /// The log entries, from version 1 on.
    pub entries: Vec<Vec<u8>>,
    /// What idempotency keys have committed in it, in no order.
    pub replays: Vec<(ReplayKey, Replay)>,
}

/// Everything that is kept of one session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptSession {
    /// Its id.
    pub id: SessionId,
    /// Whose it is.
    pub player: PlayerId,
    /// How often it has been written.
    pub revision: u64,
    /// What the last write gave.
    pub stored: Vec<u8>,
    /// When it ends.
    pub expires: Timestamp,
}

/// A match's place on a list where its listing does not say that it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrayEntry {
    /// Whose list.
    pub scope: ListScope,
    /// The stage of the list.
    pub stage: Stage,
    /// The game of the list.
    pub game: String,
    /// The match, which may not exist.
    pub id: MatchId,
}

/// Tells what there is.
#[async_trait]
pub trait Inventory: Send + Sync + 'static {
    /// The ids of all matches, in pages.
    async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>>;

    /// All matches and where they are listed, in pages. A match whose place on the lists cannot be read is left out.
    async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>>;

    /// The ids of all players, in pages.
    async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>>;

    /// Everything that is kept of one match.
    async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>>;

    /// The sessions of a player that have not ended and were not revoked.
    async fn kept_sessions(&self, player: &PlayerId) -> Result<Vec<KeptSession>>;

    /// The lists that a match of this listing is missing from, in words; empty if there are none. One that is noted as
    /// listed otherwise says that too.
    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>>;

    /// The entries of lists that the listing of their match does not ask for, in pages.
    async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>>;

    /// Whether lists and inboxes have followed every commit so far. A backend where they follow at once always says so.
    async fn caught_up(&self) -> Result<bool>;
}
