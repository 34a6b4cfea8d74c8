//! The Redis store: Redis 6.2 or later, or Valkey, as one server, behind Sentinels, or as a cluster.
//!
//! Its invariants are those of [`Store`]. How they hold here: a commit is one server-side script on keys of one slot
//! (`commit.lua`), which also leaves a task in an outbox; lists and inboxes, which live in other slots, are fed from
//! there (`outbox.rs`) by whichever instance. The keys are in [`super::keys`].
//!
//! What it deliberately lacks: transactions across slots, blocking commands, and retries of anything that may have
//! been carried out. With Sentinel or a cluster, replication is asynchronous: a master that dies may take the last
//! moments of acknowledged commits with it. While a slot is on its way between two nodes of a cluster, commits to the
//! shard that lives there are refused (a cluster takes no step on several keys then), and its matches can only be read.

mod checks;
mod clustered;
mod config;
mod connector;
mod limits;
mod link;
mod lists;
mod live;
mod matches;
mod outbox;
mod players;
mod script;
mod single;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

pub use config::{ConnectError, RedisConfig, RedisMode};

use self::connector::{Connector, too_slow};
use self::link::Link;
use self::outbox::Outbox;
use super::keys::Keys;
use super::{
    Commit, Committed, Inbox, Limit, ListQuery, ListedMatch, Live, LoadedMatch, ReplayKey, Result, Store,
    StoredSession, Taken,
};
use crate::ambient::{Ambient, Timestamp};
use crate::ids::{MatchId, PlayerId, SessionId};

/// How many live messages a receiver may lag behind.
const LIVE_KEPT: usize = 8192;
/// How long closing may take.
const CLOSING: Duration = Duration::from_secs(3);

/// What the parts of the store share.
struct Shared {
    link: Link,
    keys: Keys,
    ambient: Ambient,
    outbox: Outbox,
}

/// The store on Redis. Dropping it stops its background work.
pub struct RedisStore {
    shared: Arc<Shared>,
    live: broadcast::Sender<Live>,
    /// Stops the worker, which finishes what is marked.
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

impl RedisStore {
    /// Opens the store: connects, checks the server, subscribes and starts the background work, all on the runtime it
    /// is called on, which must outlive the store.
    pub async fn connect(config: RedisConfig, ambient: Ambient) -> Result<RedisStore, ConnectError> {
        let store = RedisStore::connect_idle(config, ambient).await?;
        let worker = tokio::spawn(outbox::work(Arc::clone(&store.shared), store.retiring.clone()));
        *store.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker);
        Ok(store)
    }

    /// Like [`RedisStore::connect`], but leaves its outbox to other instances: how an instance looks to the others that
    /// dies right after its commits.
    #[doc(hidden)]
    pub async fn connect_idle(config: RedisConfig, ambient: Ambient) -> Result<RedisStore, ConnectError> {
        if config.prefix.is_empty() || config.prefix.contains(['{', '}']) {
            return Err(ConnectError::Settings("the prefix must be a text without braces".to_owned()));
        }
        let connector = Arc::new(Connector::new(&config)?);
        let patience = config.response_timeout;
        let (events, _) = mpsc::unbounded_channel();
        let server = connector.connect(events).await.map_err(ConnectError::Unreachable)?;
        timeout(patience, checks::check(server))
            .await
            .unwrap_or_else(|_| Err(ConnectError::Unreachable(too_slow())))?;
        let closed = CancellationToken::new();
        let guard = closed.clone().drop_guard();
        let link = Link::open(&config, &connector, closed.clone()).await?;
        let keys = Keys::new(&config.prefix);
        let (live, _) = broadcast::channel(LIVE_KEPT);
        let (ready, subscribed) = oneshot::channel();
        let listening = live::listen(connector, keys.live(), patience, live.clone(), ready);
        let until = closed.clone();
        tokio::spawn(async move { until.run_until_cancelled(listening).await });
        match timeout(patience + config.connect_timeout, subscribed).await {
            Ok(Ok(())) => {}
            _ => return Err(ConnectError::Unreachable(too_slow())),
        }
        guard.disarm();
        let shared = Arc::new(Shared { link, keys, ambient, outbox: Outbox::default() });
        Ok(RedisStore { shared, live, retiring: closed.child_token(), closed, worker: Mutex::default() })
    }
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        self.closed.cancel();
    }
}

#[async_trait]
impl Store for RedisStore {
    async fn load_match(&self, id: &MatchId, key: Option<&ReplayKey>) -> Result<Option<LoadedMatch>> {
        matches::load(&self.shared, id, key).await
    }

    async fn commit(&self, commit: Commit) -> Result<Committed> {
        matches::commit(&self.shared, commit).await
    }

    async fn log(&self, id: &MatchId, after: u64, limit: usize) -> Result<Vec<Vec<u8>>> {
        matches::log(&self.shared, id, after, limit).await
    }

    async fn list_matches(&self, query: &ListQuery) -> Result<Vec<ListedMatch>> {
        lists::list(&self.shared, query).await
    }

    async fn inbox(&self, player: &PlayerId, after: u64, limit: usize) -> Result<Inbox> {
        players::inbox(&self.shared, player, after, limit).await
    }

    async fn put_player(&self, id: &PlayerId, record: Vec<u8>) -> Result<()> {
        players::put_player(&self.shared, id, record).await
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>> {
        players::player(&self.shared, id).await
    }

    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        record: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool> {
        players::put_session(&self.shared, id, player, expected, record, expires).await
    }

    async fn session(&self, id: &SessionId) -> Result<Option<StoredSession>> {
        players::session(&self.shared, id).await
    }

    async fn revoke_session(&self, id: &SessionId, player: &PlayerId, until: Timestamp) -> Result<()> {
        players::revoke_session(&self.shared, id, player, until).await
    }

    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        players::sessions_of(&self.shared, player).await
    }

    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>> {
        players::revocations(&self.shared).await
    }

    async fn take(&self, bucket: &str, limit: Limit) -> Result<Taken> {
        limits::take(&self.shared, bucket, limit).await
    }

    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        limits::put_ticket(&self.shared, key, value, seconds).await
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        limits::take_ticket(&self.shared, key).await
    }

    fn live(&self) -> broadcast::Receiver<Live> {
        self.live.subscribe()
    }

    async fn ready(&self) -> Result<()> {
        limits::ready(&self.shared).await
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
