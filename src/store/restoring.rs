//! Restoring: what an inventory has told, written as it was, and lists put right.
//!
//! Invariants: an older state never replaces a newer one, and restoring twice is restoring once. What is restored gives no
//! notices; it is announced as a commit is, so that a service that runs on the store sees it.

use async_trait::async_trait;

use super::{Inbox, KeptSession, Listing, Result, Revised, StrayEntry, WholeMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

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

/// Writes what was kept elsewhere.
#[async_trait]
pub trait Restoring: Send + Sync + 'static {
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
