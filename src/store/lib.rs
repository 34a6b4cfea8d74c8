//! The store: what must outlive a request, one trait a concern.
//!
//! Invariants, which the suite in `tests/store` proves for every backend:
//! - What one operation changes, it changes whole or not at all. What was acknowledged survives `kill -9` of the server.
//! - Persist, then publish: a [`Live`] message is sent only for what a following load returns.
//! - What a trait promises is said where it stands; both backends have the same floor plan, file by file.
//!
//! What it deliberately lacks: any knowledge of what the bytes mean that it stores. `sarsen_matches` and
//! `sarsen_accounts::players` give them meaning.

mod archives;
mod audit;
mod backups;
mod buckets;
mod checkpoints;
mod claims;
mod clock;
mod condition;
mod due;
pub mod embedded;
mod hearing;
mod inboxes;
mod instances;
mod inventory;
pub mod keys;
mod levels;
mod lists;
mod live;
mod marks;
mod matches;
mod measured;
mod plans;
mod players;
pub mod redis;
mod reservations;
mod restoring;
mod revised;
mod sessions;
mod stage;
mod stamp;
mod tickets;
pub mod upgrade;

use async_trait::async_trait;
use tokio::sync::broadcast;

pub use archives::{Archived, Archives};
pub use audit::{Audit, AuditPlace};
pub use backups::{Backup, BackupError, Backups};
pub use buckets::{Allowance, Buckets, Taken};
pub use checkpoints::{Checkpoint, Checkpoints};
pub use claims::MatchClaims;
pub use clock::StoreClock;
pub use condition::Condition;
pub use due::{Backlog, Backlogs, Due, DueMatch, DueMatches, QueueSize};
pub use hearing::{Hearing, Topic};
pub use inboxes::{INBOX_KEPT, Inbox, Inboxes, Notice};
pub use instances::{INSTANCE_DEAD_AFTER, Instances, OUTAGE_AFTER, OUTAGES_KEPT, Outage};
pub use inventory::{Inventory, InventoryPage, KeptSession, PageStart, StrayEntry, WholeMatch};
pub use levels::Levels;
pub use lists::{LOOKED_AT, ListQuery, ListReader, ListScope, ListedMatch, Listing};
pub use live::Live;
pub use marks::{Departure, PlayerMarks};
pub use matches::{Commit, Committed, DELETED_REMEMBERED, LoadedMatch, MatchStore, Replay, ReplayKey, StampedVersion};
pub use measured::Measured;
pub use plans::{KeptPlan, Plans};
pub use players::PlayerStore;
pub use reservations::{Reservation, Reservations};
pub use restoring::{Restored, Restoring};
pub use revised::Revised;
pub use sessions::Sessions;
pub use stage::Stage;
pub use stamp::{NoStamp, Stamp};
pub use tickets::Tickets;

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

impl From<upgrade::FormError> for StoreError {
    fn from(error: upgrade::FormError) -> StoreError {
        StoreError::Corrupt(error.to_string())
    }
}

/// The result type of every store operation.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// What the use cases of matches need of a store.
pub trait MatchesStore:
    MatchStore + Checkpoints + Archives + Inboxes + Plans + Tickets + Reservations + Instances
{
}

impl<S> MatchesStore for S where
    S: MatchStore + Checkpoints + Archives + Inboxes + Plans + Tickets + Reservations + Instances
{
}

/// A whole store: every concern, and what is common to them.
#[async_trait]
pub trait Store:
    MatchesStore
    + PlayerStore
    + Sessions
    + Buckets
    + Audit
    + PlayerMarks
    + StoreClock
    + Inventory
    + Restoring
    + Backups
    + DueMatches
    + MatchClaims
    + Backlogs
    + Condition
    + Hearing
{
    /// What becomes true from now on, on any instance: of matches and inboxes at least where it [was asked
    /// for](Hearing). A receiver that lags should behave as on [`Live::Resync`].
    fn live(&self) -> broadcast::Receiver<Live>;

    /// Whether the store can serve right now; answers within about a second.
    async fn ready(&self) -> Result<()>;

    /// Finishes what is under way and stops background work. Called once, at shutdown; whatever is asked afterwards is
    /// [`StoreError::Unavailable`].
    async fn close(&self);
}
