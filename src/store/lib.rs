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
mod checkpoints;
mod due;
pub mod embedded;
mod error;
mod expiring;
mod inboxes;
mod instances;
mod inventory;
mod items;
pub mod keys;
mod levels;
mod lists;
mod live;
mod matches;
mod measured;
mod operations;
mod plans;
mod player_status;
mod players;
pub mod redis;
mod revised;
mod stage;
mod stamp;
mod subscriptions;
pub mod upgrade;

use async_trait::async_trait;
use sarsen_base::ambient::Timestamp;
use tokio::sync::broadcast;

pub use archives::Archived;
pub use audit::{Audit, AuditPlace};
pub use backups::{Backup, BackupError};
pub use checkpoints::Checkpoint;
pub use due::{Backlog, Due, DueMatch, QueueSize, Schedule};
pub use error::{Result, StoreError};
pub use expiring::{Allowance, ExpiringStore, Reservation, Taken};
pub use inboxes::{INBOX_KEPT, Inbox, Notice};
pub use instances::{
    BEAT_EVERY, BEATEN_WITHIN, Beat, Beaten, INSTANCE_DEAD_AFTER, Instances, OUTAGE_AFTER, OUTAGES_KEPT, Outage,
    Presence,
};
pub use inventory::{Damage, Inventory, InventoryPage, KeptSession, PageStart, Restored, StrayEntry, WholeMatch};
pub use items::{ItemKind, ItemOwner, ItemStore, Replaced};
pub use levels::Levels;
pub use lists::{LOOKED_AT, ListQuery, ListReader, ListScope, ListedMatch, Listing};
pub use live::Live;
pub use matches::{Commit, Committed, DELETED_REMEMBERED, LoadedMatch, MatchStore, Replay, ReplayKey, StampedVersion};
pub use measured::Measured;
pub use plans::KeptPlan;
pub use player_status::{Departure, PlayerStatusStore};
pub use players::PlayerStore;
pub use revised::Revised;
pub use stage::Stage;
pub use stamp::{NoStamp, Stamp};
pub use subscriptions::{Subscriptions, Topic};

/// The part of a store that the use cases of matches need.
pub trait MatchesStore: MatchStore + ExpiringStore {}

impl<S> MatchesStore for S where S: MatchStore + ExpiringStore {}

/// The part of a store that the use cases of accounts need.
pub trait AccountStore: PlayerStore + ItemStore + ExpiringStore {}

impl<S> AccountStore for S where S: PlayerStore + ItemStore + ExpiringStore {}

/// A whole store: every concern, and what is common to them.
#[async_trait]
pub trait Store:
    MatchesStore + AccountStore + Instances + PlayerStatusStore + Audit + Inventory + Schedule + Subscriptions
{
    /// What becomes true from now on, on any instance: of matches and inboxes at least where it [was asked
    /// for](Subscriptions). A receiver that lags should behave as on [`Live::Resync`].
    fn live(&self) -> broadcast::Receiver<Live>;

    /// The present moment by the store's clock, as well as this instance knows it, without a trip. All instances share that
    /// clock: what is due, and what has ended, is judged by it.
    fn now(&self) -> Timestamp;

    /// How full the store is, 0 to 1: the disk that it writes to, or the memory that a server of it may take, the fullest of
    /// several. `None` if that is unknown or has no bound.
    async fn used(&self) -> Result<Option<f64>>;

    /// Whether the store can serve right now; answers within about a second.
    async fn ready(&self) -> Result<()>;

    /// Makes a backup beside the store, of everything that was acknowledged before it began. One is made at a time, and
    /// goes on if the caller is gone; the newest two are kept.
    ///
    /// # Errors
    /// [`BackupError::Elsewhere`] where the store is not a file of this service; another backup that is running; the file.
    async fn back_up(&self) -> Result<Backup, BackupError>;

    /// Finishes what is under way and stops background work. Called once, at shutdown; whatever is asked afterwards is
    /// [`StoreError::Unavailable`].
    async fn close(&self);
}
