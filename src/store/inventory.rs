//! The inventory: everything that is kept of players and matches, page by page and each match whole, for commands that
//! carry it elsewhere or examine it.
//!
//! Invariants:
//! - What is there from the first page to the last is named at least once, or stands among the damage of a page.
//!   What comes or goes meanwhile may be named or not; some may be named twice. A page may be empty while more follow.
//! - A match is read at one moment: its log has an entry for each of its versions and no more.
//! - An older state never replaces a newer one, and restoring twice is restoring once. What is restored gives no notices;
//!   it is announced as a commit is, so that a service that runs on the store sees it.
//!
//! What it deliberately lacks: what ends within a day or sooner (tickets, buckets, reservations), plans, which are their
//! owners' to make again, and an order.

use async_trait::async_trait;

use super::{Inbox, ListScope, Listing, Replay, ReplayKey, Result, Revised, Stage, Stamp};
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
    /// What of it cannot be read, and is left out.
    pub damage: Vec<Damage>,
}

/// Something in a store that cannot be read, or does not fit what stands beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The id of what it belongs to; where there is none, the kind of key or the table.
    pub name: String,
    /// What is wrong, in a sentence that quotes nothing.
    pub what: String,
}

impl Damage {
    /// This is wrong with the thing of this name.
    pub(super) fn of(name: impl ToString, what: impl Into<String>) -> Damage {
        Damage { name: name.to_string(), what: what.into() }
    }
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

/// What became of something that was to be restored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restored {
    /// It is there now; it was not before, or in an older state.
    Written,
    /// It was there already, just so.
    Same,
    /// Nothing happened: the store has it in a newer state, or another of the same number, or knows that it has ended.
    Kept,
}

/// Tells what there is, and writes what was kept elsewhere.
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

    /// The sessions of a player that have not ended and were not revoked, on one page.
    async fn kept_sessions(&self, player: &PlayerId) -> Result<InventoryPage<KeptSession>>;

    /// The lists that a match of this listing is missing from, in words; empty if there are none. One that is noted as
    /// listed otherwise says that too.
    async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>>;

    /// The entries of lists that the listing of their match does not ask for, in pages.
    async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>>;

    /// What of the store is damaged and belongs to no match, player or session that can be read, in pages: keys of another
    /// type than their name says, tables that cannot be read to their end, two that do not fit each other.
    async fn damaged(&self, from: Option<&PageStart>) -> Result<InventoryPage<Damage>>;

    /// Whether lists and inboxes have followed every commit so far. A backend where they follow at once always says so.
    async fn caught_up(&self) -> Result<bool>;

    /// Writes a match with its log, replay keys and listing, in place of an earlier version of it.
    async fn restore_match(&self, whole: WholeMatch) -> Result<Restored>;

    /// Writes a player at its revision.
    async fn restore_player(&self, id: &PlayerId, player: Revised) -> Result<Restored>;

    /// Writes a session at its revision, until its end.
    async fn restore_session(&self, session: KeptSession) -> Result<Restored>;

    /// Remembers a revocation until its end, and ends the session.
    async fn restore_revocation(&self, id: &SessionId, until: Timestamp) -> Result<()>;

    /// Writes an inbox with its newest number, in place of one whose newest number is smaller. Its notices must be numbered
    /// without gaps.
    async fn restore_inbox(&self, player: &PlayerId, inbox: Inbox) -> Result<Restored>;

    /// Lists a match as this listing says, and nowhere else, if it is still at `version`. Answers whether it was.
    async fn relist(&self, id: &MatchId, version: u64, listing: &Listing) -> Result<bool>;

    /// Takes an entry off its list.
    async fn unlist(&self, stray: &StrayEntry) -> Result<()>;
}
