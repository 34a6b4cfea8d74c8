//! One connection to one server, kept up: a background task opens it, watches it and opens the next.
//!
//! Invariants: whoever asks for the connection gets it at once, or an error at once while the server is known to be
//! away; only the time of the first attempt is waited out. Nothing that was sent is ever sent again.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{ErrorKind, PushInfo, PushKind, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::connector::{Connector, too_slow};

const RETRY_AT_FIRST: Duration = Duration::from_millis(50);
const RETRY_AT_MOST: Duration = Duration::from_millis(500);
const HEARTBEAT: Duration = Duration::from_secs(2);

#[derive(Clone)]
enum State {
    Connecting,
    Up(MultiplexedConnection),
    Down(RedisError),
}

#[derive(Clone, Copy, PartialEq)]
enum Suspicion {
    /// Something took too long: ask the server whether it is there.
    Slow,
    /// It is not the server to talk to.
    Wrong,
}

/// The connection.
pub(super) struct Single {
    state: watch::Receiver<State>,
    suspicions: mpsc::Sender<Suspicion>,
}

impl Single {
    /// Opens the first connection and keeps one up until `closed`.
    pub(super) async fn open(
        connector: Arc<Connector>,
        patience: Duration,
        closed: CancellationToken,
    ) -> RedisResult<Single> {
        let (state, receiver) = watch::channel(State::Connecting);
        let (suspicions, suspected) = mpsc::channel(1);
        let keeper = Keeper { connector, state, suspected, patience };
        tokio::spawn(async move { closed.run_until_cancelled(keeper.run()).await });
        let single = Single { state: receiver, suspicions };
        single.connection().await?;
        Ok(single)
    }

    /// The connection, if there is one.
    pub(super) async fn connection(&self) -> RedisResult<MultiplexedConnection> {
        if let State::Up(connection) = &*self.state.borrow() {
            return Ok(connection.clone());
        }
        let mut state = self.state.clone();
        let settled = state.wait_for(|state| !matches!(state, State::Connecting)).await;
        match settled.as_deref() {
            Ok(State::Up(connection)) => Ok(connection.clone()),
            Ok(State::Down(error)) => Err(error.clone()),
            _ => Err(RedisError::from((ErrorKind::Client, "the store is closed"))),
        }
    }

    /// Has the connection examined after an error that may be its own.
    pub(super) fn suspect(&self, error: &RedisError) {
        let suspicion = match error.kind() {
            ErrorKind::Server(ServerErrorKind::ReadOnly | ServerErrorKind::MasterDown) => Suspicion::Wrong,
            _ if error.is_timeout() => Suspicion::Slow,
            _ => return,
        };
        // Full: it is being examined already.
        let _ = self.suspicions.try_send(suspicion);
    }
}

struct Keeper {
    connector: Arc<Connector>,
    state: watch::Sender<State>,
    suspected: mpsc::Receiver<Suspicion>,
    patience: Duration,
}

impl Keeper {
    async fn run(mut self) {
        let mut wait = RETRY_AT_FIRST;
        let mut away = false;
        loop {
            let (sender, mut events) = mpsc::unbounded_channel();
            match self.connector.connect(sender).await {
                Ok(connection) => {
                    if away {
                        tracing::info!("Redis is back");
                    }
                    (wait, away) = (RETRY_AT_FIRST, false);
                    let since = Instant::now();
                    self.state.send_replace(State::Up(connection.clone()));
                    self.watch_over(connection, &mut events).await;
                    tracing::warn!("the connection to Redis is lost");
                    self.state.send_replace(State::Connecting);
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

    /// Returns when the connection is of no use any more.
    async fn watch_over(&mut self, connection: MultiplexedConnection, events: &mut mpsc::UnboundedReceiver<PushInfo>) {
        loop {
            tokio::select! {
                event = events.recv() => match event {
                    Some(event) if event.kind != PushKind::Disconnection => continue,
                    _ => return,
                },
                suspicion = self.suspected.recv() => if suspicion == Some(Suspicion::Wrong) { return },
                () = sleep(HEARTBEAT) => {}
            }
            if ping(&connection, self.patience).await.is_err_and(|error| error.is_io_error()) {
                return;
            }
        }
    }
}

/// Asks the server for a sign of life.
pub(super) async fn ping(connection: &MultiplexedConnection, patience: Duration) -> RedisResult<Value> {
    let mut connection = connection.clone();
    match timeout(patience, connection.send_packed_command(&redis::cmd("PING"))).await {
        Ok(answer) => answer,
        Err(_) => Err(too_slow()),
    }
}
