//! The connections to one server, kept up. A background task, the keeper, opens the shared one, watches it and opens
//! the next; beside it each runtime may have one of its own (`own.rs`).
//!
//! Invariants: whether a server is still the right one is one question for all connections ([`ConnectionStanding`]), and
//! the keeper gives up all connections to another at once. A caller gets a connection at once, or an error at once while
//! the server is known to be away; only the time of the first attempt is waited out. No command is ever sent again. Once a
//! server is known to be the wrong one, no command is sent to it and none of its answers is valid, on any connection,
//! earlier commands included: it may have taken writes that the right one will never receive.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{ErrorKind, PushInfo, PushKind, RedisError, RedisResult};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::checks::ping;
use crate::config::RedisConfig;
use crate::connection::{Connection, ConnectionStanding, Suspicion};
use crate::connector::{Connector, Opened, is_master};
use crate::limit::{HEARTBEAT, within};
use crate::own::Beside;
use crate::runtimes::Runtimes;
use crate::wait_pool::WaitPool;

const RETRY_AT_FIRST: Duration = Duration::from_millis(50);
const RETRY_AT_MOST: Duration = Duration::from_millis(500);
/// The interval at which a server that Sentinels have named is asked whether it is still a master.
const ROLE_CHECK: Duration = Duration::from_millis(500);

/// The error codes of a server that may be the wrong one: a replica, or a master that lacks its replicas or its disk
/// and may have been replaced.
const DOUBTFUL: [&str; 4] = ["READONLY", "MASTERDOWN", "NOREPLICAS", "MISCONF"];

/// Returns true if the server answered with this code. Before version 7 the code of an error in a script is in its
/// text.
fn says(error: &RedisError, code: &str) -> bool {
    error.code() == Some(code) || error.detail().is_some_and(|detail| detail.contains(&format!("-{code} ")))
}

#[derive(Clone)]
enum State {
    Connecting,
    Up(Arc<Connections>),
    Down(RedisError),
}

/// A server in use: the shared connection, and those of the runtimes.
struct Connections {
    shared: Arc<Connection>,
    own: Arc<Runtimes<Arc<Connection>>>,
    beside: Beside,
}

impl Connections {
    /// Returns true if they lead to the right server, as far as this process knows.
    fn serve(&self) -> bool {
        !self.shared.standing.is_over()
    }

    /// Returns the connection for the calling runtime.
    fn connection(&self) -> Arc<Connection> {
        let own = self.own.own_or_begin(|place| self.beside.clone().keep(place));
        own.filter(|own| !own.ended.is_cancelled()).unwrap_or_else(|| Arc::clone(&self.shared))
    }
}

/// The client of one server.
pub struct Single {
    state: watch::Receiver<State>,
    suspicions: mpsc::Sender<Suspicion>,
}

impl Single {
    /// Opens the first connection and keeps one up until `closed`.
    ///
    /// # Errors
    /// If the server does not answer.
    pub async fn open(
        connector: Arc<Connector>,
        config: &RedisConfig,
        closed: CancellationToken,
    ) -> RedisResult<Single> {
        let (state, receiver) = watch::channel(State::Connecting);
        let (suspicions, suspected) = mpsc::channel(1);
        let (config, until) = (config.clone(), closed.clone());
        let keeper = Keeper { connector, state, suspicions: suspicions.clone(), suspected, config, closed: until };
        tokio::spawn(async move { closed.run_until_cancelled(keeper.run()).await });
        let single = Single { state: receiver, suspicions };
        single.connection().await?;
        Ok(single)
    }

    /// Returns the connection, if there is one.
    ///
    /// # Errors
    /// If there is none, and none comes in time.
    pub async fn connection(&self) -> RedisResult<Arc<Connection>> {
        if let State::Up(connections) = &*self.state.borrow()
            && connections.serve()
        {
            return Ok(connections.connection());
        }
        let mut state = self.state.clone();
        let settled = state.wait_for(|state| match state {
            State::Connecting => false,
            State::Up(connections) => connections.serve(),
            State::Down(_) => true,
        });
        let settled = settled.await;
        match settled.as_deref() {
            Ok(State::Up(connections)) => Ok(connections.connection()),
            Ok(State::Down(error)) => Err(error.clone()),
            _ => Err(RedisError::from((ErrorKind::Client, "the store is closed"))),
        }
    }

    /// Starts an examination of the connection after an error that it may have caused.
    pub fn suspect(&self, error: &RedisError) {
        let suspicion = match error {
            _ if DOUBTFUL.iter().any(|code| says(error, code)) => Suspicion::Wrong,
            _ if error.is_timeout() => Suspicion::Slow,
            _ => return,
        };
        if suspicion == Suspicion::Slow
            && let State::Up(connections) = &*self.state.borrow()
            && let Some(own) = connections.own.own()
        {
            own.doubted.notify_one();
        }
        // A full channel means that an examination is under way.
        let _ = self.suspicions.try_send(suspicion);
    }
}

struct Keeper {
    connector: Arc<Connector>,
    state: watch::Sender<State>,
    suspicions: mpsc::Sender<Suspicion>,
    suspected: mpsc::Receiver<Suspicion>,
    config: RedisConfig,
    closed: CancellationToken,
}

impl Keeper {
    async fn run(mut self) {
        let mut wait = RETRY_AT_FIRST;
        let mut away = false;
        loop {
            let (sender, mut events) = mpsc::unbounded_channel();
            match self.connector.connect(sender).await {
                Ok(opened) => {
                    if away {
                        tracing::info!("Redis is back");
                    }
                    (wait, away) = (RETRY_AT_FIRST, false);
                    let since = Instant::now();
                    let given_up = CancellationToken::new();
                    let connections = self.connections(&opened, &given_up);
                    let standing = connections.shared.standing.clone();
                    self.state.send_replace(State::Up(Arc::new(connections)));
                    let reason = self.watch_over(opened, &standing, &mut events).await;
                    self.state.send_replace(State::Connecting);
                    given_up.cancel();
                    tracing::warn!("the connection to Redis is given up: {reason}");
                    if since.elapsed() < RETRY_AT_MOST {
                        sleep(RETRY_AT_FIRST).await;
                    }
                }
                Err(error) => {
                    if !away {
                        tracing::warn!(%error, "Redis is away");
                    }
                    away = true;
                    self.state.send_replace(State::Down(error));
                    sleep(wait).await;
                    wait = (wait * 2).min(RETRY_AT_MOST);
                }
            }
        }
    }

    /// Makes the connections to a server from the opened one.
    fn connections(&self, opened: &Opened, given_up: &CancellationToken) -> Connections {
        let RedisConfig { connect_timeout, response_timeout, replication, .. } = self.config;
        let pool = replication.map(|wanted| WaitPool::new(opened.server.clone(), connect_timeout, wanted));
        let standing = ConnectionStanding { given_up: given_up.clone(), tenure: opened.tenure().cloned() };
        let (multiplexed, ended) = (opened.connection.clone(), CancellationToken::new());
        let shared = Arc::new(Connection { multiplexed, pool, standing, ended, doubted: Notify::new() });
        let beside = Beside {
            server: opened.server.clone(),
            shared: Arc::clone(&shared),
            connect_timeout,
            patience: response_timeout,
            keeper: self.suspicions.clone(),
            closed: self.closed.clone(),
        };
        Connections { shared, own: Runtimes::new(), beside }
    }

    /// Returns when the connection is of no use any more, with the reason.
    async fn watch_over(
        &mut self,
        opened: Opened,
        standing: &ConnectionStanding,
        events: &mut mpsc::UnboundedReceiver<PushInfo>,
    ) -> &'static str {
        let connection = &opened.connection;
        let named = opened.tenure().is_some();
        loop {
            let suspicion = tokio::select! {
                event = events.recv() => match event {
                    Some(event) if event.kind != PushKind::Disconnection => continue,
                    _ => return "it is lost",
                },
                () = standing.over() => return "the Sentinels replace the server",
                suspicion = self.suspected.recv() => suspicion,
                () = sleep(if named { ROLE_CHECK } else { HEARTBEAT }) => None,
            };
            // The Sentinels' announcement must not wait for the server's answer.
            let examined = tokio::select! {
                examined = self.examine(connection, named, suspicion) => examined,
                () = standing.over() => Err("the Sentinels replace the server"),
            };
            if let Err(reason) = examined {
                return reason;
            }
        }
    }

    async fn examine(
        &self,
        connection: &MultiplexedConnection,
        named: bool,
        suspicion: Option<Suspicion>,
    ) -> Result<(), &'static str> {
        let wrong = suspicion == Some(Suspicion::Wrong);
        if !named && !wrong {
            let answer = ping(connection, self.config.response_timeout).await;
            return if answer.is_err_and(|error| error.is_io_error()) { Err("the server is silent") } else { Ok(()) };
        }
        match within(self.config.response_timeout, is_master(connection)).await {
            Ok(Some(false)) => Err("the server is not a master"),
            Ok(None) if wrong => Err("the server may not be a master"),
            Err(error) if error.is_io_error() => Err("the server is silent"),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}
