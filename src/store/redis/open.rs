//! Opening the store: connections, checks, the subscription and the background work.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::client::RedisClient;
use super::clock::{self, ServerClock};
use super::live::Listeners;
use super::outbox::Outbox;
use super::subscriptions::Asked;
use super::{RedisStore, Shared, live, outbox_worker};
use crate::keys::Keys;
use sarsen_base::ambient::Ambient;
use sarsen_redis::access::Access;
use sarsen_redis::config::{ConnectError, RedisConfig};
use sarsen_redis::connector::Connector;
use sarsen_redis::limit::too_slow;
use sarsen_redis::{checks, durability_check};

impl RedisStore {
    /// Opens the store: connects, checks the server, subscribes and starts the background work, all on the runtime it
    /// is called on, which must outlive the store.
    ///
    /// # Errors
    /// If the settings do not fit, or the server cannot be reached or used.
    pub async fn connect(config: RedisConfig, ambient: Ambient) -> Result<RedisStore, ConnectError> {
        let store = RedisStore::connect_idle(config, ambient).await?;
        let worker = tokio::spawn(outbox_worker::work(Arc::clone(&store.shared), store.retiring.clone()));
        *store.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker);
        Ok(store)
    }

    /// Like [`RedisStore::connect`], but leaves its outbox to other instances, like an instance that dies right after
    /// its commits.
    ///
    /// # Errors
    /// Those of [`RedisStore::connect`].
    #[doc(hidden)]
    pub async fn connect_idle(config: RedisConfig, ambient: Ambient) -> Result<RedisStore, ConnectError> {
        if config.prefix.is_empty() || config.prefix.contains(['{', '}']) {
            return Err(ConnectError::Settings("the prefix must be a text without braces".to_owned()));
        }
        let closed = CancellationToken::new();
        let guard = closed.clone().drop_guard();
        let access = Access::of(&config, &closed)?;
        let connector = Arc::new(Connector::new(&config, &access, &closed)?);
        let patience = config.response_timeout;
        let (events, _) = mpsc::unbounded_channel();
        let opened = connector.connect(events).await.map_err(ConnectError::Unreachable)?;
        timeout(patience, checks::check(opened.connection.clone()))
            .await
            .unwrap_or_else(|_| Err(ConnectError::Unreachable(too_slow())))?;
        durability_check::warn(&opened, &config).await;
        let client = RedisClient::open(&config, &access, &connector, &opened.connection, closed.clone()).await?;
        let keys = Keys::new(&config.prefix);
        let clock = ServerClock::ask(&client, &keys).await.map_err(|error| ConnectError::Clock(Box::new(error)))?;
        let live = live::channel();
        let (ready, subscribed) = oneshot::channel();
        let asked = Arc::new(Asked::default());
        let told = Listeners { live: live.clone(), asked: Arc::clone(&asked) };
        let listening = live::listen(connector, keys.live(), patience, told, ready);
        let until = closed.clone();
        tokio::spawn(async move { until.run_until_cancelled(listening).await });
        match timeout(patience + config.connect_timeout, subscribed).await {
            Ok(Ok(())) => {}
            _ => return Err(ConnectError::Unreachable(too_slow())),
        }
        let shared =
            Arc::new(Shared { client, keys, ambient, clock, outbox: Outbox::default(), asked, games: config.games });
        guard.disarm();
        let (until, following) = (closed.clone(), clock::follow(Arc::clone(&shared)));
        tokio::spawn(async move { until.run_until_cancelled(following).await });
        Ok(RedisStore { shared, live, retiring: closed.child_token(), closed, worker: Mutex::default() })
    }
}
