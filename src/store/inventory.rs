//! The inventory: everything that the store keeps of players and matches, in pages and each match whole, for commands
//! that transfer or examine it.
//!
//! Invariants:
//! - A thing that exists from the first page to the last is named at least once, or is among the damage of a page. A
//!   thing that is created or deleted meanwhile may be named or not; some may be named twice. A page may be empty while
//!   more follow.
//! - A match is read at one moment: its log has an entry for each of its versions and no more.
//! - An older state never replaces a newer one, and a restore is idempotent. A restored match gives no notices; it is
//!   announced as a commit is, so that a service that runs on the store sees it.
//!
//! Data that expires within a day (tickets, buckets, reservations), plans, which their owners can make again, and an
//! order are deliberately absent.

use super::concern::concern;
use super::{Inbox, ListScope, Listing, Replay, ReplayKey, Result, Revised, Stage, Stamp};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// The beginning of a page. It is valid for the store that returned it, while that is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageStart(pub(super) String);

/// A page of an inventory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InventoryPage<T> {
    /// The things on the page.
    pub items: Vec<T>,
    /// The beginning of the next page; `None` after the last.
    pub next: Option<PageStart>,
    /// The parts of the page that cannot be read, and are left out.
    pub damage: Vec<Damage>,
}

/// A thing in a store that cannot be read, or does not fit the things beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damage {
    /// The id of the owner of the thing; where there is none, the kind of key or the table.
    pub name: String,
    /// The fault, in a sentence that quotes nothing.
    pub what: String,
}

impl Damage {
    /// Makes the damage of the thing of this name.
    pub(super) fn of(name: impl ToString, what: impl Into<String>) -> Damage {
        Damage { name: name.to_string(), what: what.into() }
    }
}

/// All data of one match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WholeMatch {
    /// The match's id.
    pub id: MatchId,
    /// The number of commits.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// The match, as the last commit gave it.
    pub stored: Vec<u8>,
    /// The lists it is on; `None` only where the store is damaged.
    pub listing: Option<Listing>,
    /// The moment at which it is due, by the due index.
    pub due: Option<Timestamp>,
    /// The log entries, from version 1 on.
    pub entries: Vec<Vec<u8>>,
    /// The replays of idempotency keys in it, in no order.
    pub replays: Vec<(ReplayKey, Replay)>,
}

/// All data of one session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptSession {
    /// The session's id.
    pub id: SessionId,
    /// The player who owns it.
    pub player: PlayerId,
    /// The number of writes.
    pub revision: u64,
    /// The session, as the last write gave it.
    pub stored: Vec<u8>,
    /// The moment at which it ends.
    pub expires: Timestamp,
}

/// An entry of a match on a list where its listing does not put it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrayEntry {
    /// The owner of the list.
    pub scope: ListScope,
    /// The stage of the list.
    pub stage: Stage,
    /// The game of the list.
    pub game: String,
    /// The match, which may not exist.
    pub id: MatchId,
}

/// The outcome of a restore.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restored {
    /// The thing is written; it did not exist before, or only in an older state.
    Written,
    /// Nothing happened: the same state exists.
    Same,
    /// Nothing happened: the store has a newer state, or another one of the same number, or knows that the thing has
    /// ended.
    Kept,
}

concern! {
    /// Reads everything in the store, and restores data from elsewhere.
    pub trait Inventory {
        /// Returns the ids of all matches, in pages.
        async fn match_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<MatchId>>;

        /// Returns all matches and their listings, in pages. A match whose listing cannot be read is left out.
        async fn listings(&self, from: Option<&PageStart>) -> Result<InventoryPage<(MatchId, Listing)>>;

        /// Returns the ids of all players, in pages.
        async fn player_ids(&self, from: Option<&PageStart>) -> Result<InventoryPage<PlayerId>>;

        /// Returns all data of one match.
        async fn whole_match(&self, id: &MatchId) -> Result<Option<WholeMatch>>;

        /// Returns the sessions of a player that have not ended and were not revoked, on one page.
        async fn kept_sessions(&self, player: &PlayerId) -> Result<InventoryPage<KeptSession>>;

        /// Returns the lists that a match of this listing is missing from, in words; empty if there are none. A match
        /// whose noted listing differs is reported too.
        async fn missing_from(&self, id: &MatchId, listing: &Listing) -> Result<Vec<String>>;

        /// Returns the entries of lists that the listing of their match does not ask for, in pages.
        async fn strays(&self, from: Option<&PageStart>) -> Result<InventoryPage<StrayEntry>>;

        /// Returns the damage that belongs to no readable match, player or session, in pages: keys of another type than
        /// their name says, tables that cannot be read to their end, two tables that do not fit each other.
        async fn damaged(&self, from: Option<&PageStart>) -> Result<InventoryPage<Damage>>;

        /// Returns true if lists and inboxes have followed every commit so far. Always true for a backend where they
        /// follow at once.
        async fn caught_up(&self) -> Result<bool>;

        /// Writes a match with its log, replay keys and listing; replaces an earlier version of it.
        async fn restore_match(&self, whole: WholeMatch) -> Result<Restored>;

        /// Writes a player at its revision.
        async fn restore_player(&self, id: &PlayerId, player: Revised) -> Result<Restored>;

        /// Writes a session at its revision, until its end.
        async fn restore_session(&self, session: KeptSession) -> Result<Restored>;

        /// Remembers a revocation until its end, and ends the session.
        async fn restore_revocation(&self, id: &SessionId, until: Timestamp) -> Result<()>;

        /// Writes an inbox with its newest number; replaces one whose newest number is smaller. Its notices must be
        /// numbered without gaps.
        async fn restore_inbox(&self, player: &PlayerId, inbox: Inbox) -> Result<Restored>;

        /// Lists a match as this listing says, and nowhere else, if it is still at `version`. Returns true if it was.
        async fn relist(&self, id: &MatchId, version: u64, listing: &Listing) -> Result<bool>;

        /// Removes an entry from its list.
        async fn unlist(&self, stray: &StrayEntry) -> Result<()>;
    }
}
