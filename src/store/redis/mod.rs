//! The Redis store: Redis 6.2 or later, or Valkey, as one server, behind Sentinels, or as a cluster.
//!
//! Its invariants are those of [`Store`]. A commit is one server-side script (`commit.lua`) on keys of the match's
//! slot. On one server it also updates lists and inboxes. In a cluster, where they live in other slots, it leaves a
//! task in an outbox, and any instance updates them from there (`outbox_worker.rs`). The keys are in [`super::keys`].
//!
//! Transactions across slots, blocking commands, and retries of commands that may have been carried out are
//! deliberately absent. With Sentinel or a cluster, replication is asynchronous: a master that dies may take the last
//! moments of acknowledged commits with it, unless commits wait for replicas ([`Replication`], `sarsen_redis`). While a
//! slot moves between two nodes of a cluster, commits to its shard are refused (a cluster refuses commands on several
//! keys then), and its matches can only be read.

mod audit;
mod client;
mod clock;
mod commit_effects;
mod condition;
mod due;
mod expiring;
mod instances;
mod inventory;
mod items;
mod jobs;
mod list_index;
mod listing;
mod lists;
mod live;
mod matches;
mod open;
mod outbox;
mod outbox_worker;
mod player_status;
mod players;
mod pools;
mod ratings;
mod scan;
mod script;
mod subscriptions;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use sarsen_redis::config::{ConnectError, RedisConfig, RedisMode, Replication, TlsFiles};

use self::client::{RedisClient, mark};
use self::clock::ServerClock;
use self::outbox::Outbox;
use self::subscriptions::Asked;
use super::keys::Keys;
use super::{Backup, BackupError, Live, Result, Store, Subscriptions, Topic};
use sarsen_base::ambient::{Ambient, Timestamp};

/// The time limit for closing.
const CLOSING: Duration = Duration::from_secs(3);

/// The state that the parts of the store share.
struct Shared {
    client: RedisClient,
    keys: Keys,
    ambient: Ambient,
    clock: ServerClock,
    outbox: Outbox,
    /// The subscriptions of this instance.
    asked: Arc<Asked>,
    /// The ids of the games whose lists are read.
    games: Arc<[String]>,
}

impl Shared {
    /// Returns the store's time.
    fn now(&self) -> Timestamp {
        self.clock.now(&self.ambient)
    }
}

/// The store on Redis. Dropping it stops its background work.
pub struct RedisStore {
    shared: Arc<Shared>,
    live: broadcast::Sender<Live>,
    /// Stops the worker, which first finishes the marked shards.
    retiring: CancellationToken,
    /// Stops everything else.
    closed: CancellationToken,
    worker: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RedisStore")
    }
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        self.closed.cancel();
    }
}

#[async_trait]
impl Subscriptions for RedisStore {
    fn is_subscribed(&self, topic: &Topic) -> bool {
        self.shared.asked.is_subscribed(&self.shared.client, topic)
    }

    async fn subscribe(&self, topics: &[Topic]) -> Result<()> {
        self.shared.asked.subscribe(&self.shared.client, &self.shared.keys, topics).await
    }
}

#[async_trait]
impl Store for RedisStore {
    fn live(&self) -> broadcast::Receiver<Live> {
        self.live.subscribe()
    }

    fn now(&self) -> Timestamp {
        self.shared.now()
    }

    async fn used(&self) -> Result<Option<f64>> {
        self.memory_used().await
    }

    async fn ready(&self) -> Result<()> {
        // Writes, because a server that only answers is not ready: a replica, one out of memory or one that cannot
        // save; or, where the store waits for replicas, one without them.
        self.shared.client.send_again_if_lost(&mark(self.shared.keys.ready())).await?;
        self.shared.client.settle(self.shared.keys.ready()).await
    }

    async fn back_up(&self) -> Result<Backup, BackupError> {
        Err(BackupError::Elsewhere)
    }

    async fn close(&self) {
        self.retiring.cancel();
        let worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(worker) = worker
            && timeout(CLOSING, worker).await.is_err()
        {
            tracing::warn!("the outbox is left to other instances");
        }
        self.closed.cancel();
    }
}
