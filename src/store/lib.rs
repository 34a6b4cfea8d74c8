//! The store: all data that outlives a request, one trait a concern.
//!
//! Invariants, which the suite in `tests/store` proves for every backend:
//! - An operation makes all its changes or none. An acknowledged change survives `kill -9` of the server.
//! - Persist, then publish: a [`Live`] message is sent only for what a following load returns.
//! - Each trait documents its guarantees; both backends have the same floor plan, file by file.
//!
//! The meaning of the stored bytes is deliberately absent: `sarsen_matches` and `sarsen_accounts::players` give it.

mod archives;
mod audit;
mod backups;
mod checkpoints;
mod concern;
mod due;
pub mod embedded;
mod error;
mod expiring;
mod inboxes;
mod instances;
mod inventory;
mod items;
mod jobs;
pub mod keys;
mod levels;
mod lists;
mod live;
mod matches;
mod measured;
mod plans;
mod player_status;
mod players;
mod pools;
mod ratings;
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
pub use concern::Wrapper;
pub use due::{Backlog, Due, DueMatch, QueueSize, Schedule};
pub use error::{Result, StoreError};
pub use expiring::{Allowance, ExpiringStore, Reservation, Taken};
pub use inboxes::{INBOX_KEPT, Inbox, Notice};
pub use instances::{BEAT_EVERY, Beat, Beaten, Instances, OUTAGE_AFTER, Outage, Presence};
pub(crate) use instances::{BEATEN_WITHIN, INSTANCE_DEAD_AFTER, OUTAGES_KEPT};
pub use inventory::{Damage, Inventory, InventoryPage, KeptSession, PageStart, Restored, StrayEntry, WholeMatch};
pub use items::{ItemKind, ItemOwner, ItemStore, Replaced};
pub use jobs::{Job, JobKind, JobStore, Work};
pub use levels::Levels;
pub(crate) use lists::LOOKED_AT;
pub use lists::{ListQuery, ListReader, ListScope, ListedMatch, Listing};
pub use live::{Live, StreamsMessage};
pub use matches::{Commit, Committed, DELETED_REMEMBERED, LoadedMatch, MatchStore, Replay, ReplayKey, StampedVersion};
pub use measured::Measured;
pub use plans::KeptPlan;
pub use player_status::{Deletion, PlayerStatusStore};
pub use players::PlayerStore;
pub use pools::{PairedMatch, PoolChange, PoolStore, QueuePlace};
pub use ratings::{BoardPlace, FoundRatings, PutRating, RatingEntry, RatingStore};
pub use revised::Revised;
pub use stage::Stage;
pub use stamp::Stamp;
pub use subscriptions::{Subscriptions, Topic};

/// The part of a store that the use cases of matches need.
pub trait MatchesStore: MatchStore + ExpiringStore + JobStore {}

impl<S> MatchesStore for S where S: MatchStore + ExpiringStore + JobStore {}

/// The part of a store that the use cases of accounts need.
pub trait AccountStore: PlayerStore + ItemStore + ExpiringStore {}

impl<S> AccountStore for S where S: PlayerStore + ItemStore + ExpiringStore {}

/// A whole store: every concern, and the operations that are common to them.
#[async_trait]
pub trait Store:
    MatchesStore
    + AccountStore
    + Instances
    + PlayerStatusStore
    + RatingStore
    + Audit
    + Inventory
    + Schedule
    + PoolStore
    + Subscriptions
{
    /// Subscribes to changes on any instance from now on: of matches and inboxes at least those [asked
    /// for](Subscriptions). A receiver that lags should behave as on [`Live::Resync`].
    fn live(&self) -> broadcast::Receiver<Live>;

    /// Returns the present moment by the store's clock, as well as this instance knows it, without a trip. All
    /// instances share that clock: due work and expiry are judged by it.
    fn now(&self) -> Timestamp;

    /// Returns the fill level of the store, 0 to 1: of the disk that it writes to, or of the memory limit of its
    /// server, the fullest of several. `None` if the level is unknown or has no bound.
    async fn used(&self) -> Result<Option<f64>>;

    /// Succeeds if the store can serve right now; answers within about a second.
    async fn ready(&self) -> Result<()>;

    /// Makes a backup beside the store, of everything that was acknowledged before it began. One backup runs at a time,
    /// and goes on if the caller is gone; the newest two are kept.
    ///
    /// # Errors
    /// [`BackupError::Elsewhere`] where the store is not a file of this service; [`BackupError::Running`] while another
    /// backup is made; errors of the file.
    async fn back_up(&self) -> Result<Backup, BackupError>;

    /// Finishes the operations under way and stops background work. Called once, at shutdown; later operations fail
    /// with [`StoreError::Unavailable`].
    async fn close(&self);
}
