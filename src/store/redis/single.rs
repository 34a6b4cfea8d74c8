//! One connection to one server, kept up: a background task opens it, watches it and opens the next.
//!
//! Invariants: whoever asks for the connection gets it at once, or an error at once while the server is known to be
//! away; only the time of the first attempt is waited out. Nothing that was sent is ever sent again. From the moment that
//! a server is known to be the wrong one nothing that it answers counts, what was asked before included: it may have
//! taken what the right one will never hear of.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Cmd, ErrorKind, Pipeline, PushInfo, PushKind, RedisError, RedisResult, Value};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::config::RedisConfig;
use super::connector::{Connector, Opened, is_master};
use super::lanes::Lanes;
use super::limit::within;
use super::script::{in_full, unknown_script};
use super::sentinels::Tenure;

const RETRY_AT_FIRST: Duration = Duration::from_millis(50);
const RETRY_AT_MOST: Duration = Duration::from_millis(500);
/// How often a server is asked for a sign of life.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// How often one that Sentinels have named is asked whether it is a master still.
const ROLE_CHECK: Duration = Duration::from_millis(500);

/// What a server answers that may be the wrong one: a replica, or a master that lacks its replicas or its disk and may
/// have been replaced.
const DOUBTFUL: [&str; 4] = ["READONLY", "MASTERDOWN", "NOREPLICAS", "MISCONF"];

/// Whether the server answered with this code. Before version 7 the code of an error in a script stands in its text.
fn says(error: &RedisError, code: &str) -> bool {
    error.code() == Some(code) || error.detail().is_some_and(|detail| detail.contains(&format!("-{code} ")))
}

#[derive(Clone)]
enum State {
    Connecting,
    Up(Line),
    Down(RedisError),
}

/// A connection, for as long as it leads to the right server.
#[derive(Clone)]
pub(super) struct Line {
    connection: MultiplexedConnection,
    lanes: Option<Arc<Lanes>>,
    standing: Standing,
}

/// Whether what the server answers counts.
#[derive(Clone)]
struct Standing {
    given_up: CancellationToken,
    /// What the Sentinels say is known here before the connection can be given up for it.
    tenure: Option<Tenure>,
}

impl Standing {
    /// The outcome of a trip, if it counts when it is there.
    async fn of<T>(&self, trip: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
        let outcome = self.given_up.run_until_cancelled(trip).await;
        let is_over = self.given_up.is_cancelled() || self.tenure.as_ref().is_some_and(Tenure::is_over);
        outcome.filter(|_| !is_over).unwrap_or_else(gone)
    }
}

impl Line {
    /// Sends a command.
    pub(super) async fn send(&mut self, command: &Cmd) -> RedisResult<Value> {
        self.standing.of(self.connection.send_packed_command(command)).await
    }

    /// Sends several commands in one trip.
    async fn send_all(&mut self, commands: &Pipeline) -> RedisResult<Vec<Value>> {
        self.standing.of(self.connection.send_packed_commands(commands, 0, commands.len())).await
    }

    /// Sends several commands in one trip, each with an outcome of its own.
    pub(super) async fn send_each(&mut self, commands: Vec<Cmd>) -> RedisResult<Vec<RedisResult<Value>>> {
        let mut pipeline = Pipeline::with_capacity(commands.len());
        for command in commands {
            pipeline.add_command(command);
        }
        let answers = self.send_all(&pipeline).await?;
        let mut outcomes: Vec<RedisResult<Value>> = answers.into_iter().map(Value::extract_error).collect();
        // A script that is new to the server was refused: nothing happened, and the first call in full teaches it.
        let refused: Vec<(usize, Cmd)> = pipeline
            .cmd_iter()
            .enumerate()
            .filter(|&(place, _)| matches!(outcomes.get(place), Some(Err(error)) if unknown_script(error)))
            .map(|(place, command)| (place, in_full(command)))
            .collect();
        for (place, command) in refused {
            let outcome = self.send(&command).await.and_then(Value::extract_error);
            if let Some(refusal) = outcomes.get_mut(place) {
                *refusal = outcome;
            }
        }
        Ok(outcomes)
    }

    /// Sends several commands in one trip that waits for replicas too, where that is asked for.
    pub(super) async fn keep_each(&mut self, commands: Vec<Cmd>) -> RedisResult<Vec<RedisResult<Value>>> {
        let Some(lanes) = &self.lanes else { return self.send_each(commands).await };
        self.standing.of(lanes.carry(false, &commands)).await
    }
}

/// The outcome of a trip whose answer would not count.
fn gone<T>() -> RedisResult<T> {
    Err(io::Error::new(io::ErrorKind::ConnectionAborted, "it was the wrong server").into())
}

#[derive(Clone, Copy, PartialEq)]
enum Suspicion {
    /// Something took too long: ask the server whether it is there.
    Slow,
    /// It may not be the server to talk to: ask it.
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
        config: &RedisConfig,
        closed: CancellationToken,
    ) -> RedisResult<Single> {
        let (state, receiver) = watch::channel(State::Connecting);
        let (suspicions, suspected) = mpsc::channel(1);
        let keeper = Keeper { connector, state, suspected, config: config.clone() };
        tokio::spawn(async move { closed.run_until_cancelled(keeper.run()).await });
        let single = Single { state: receiver, suspicions };
        single.line().await?;
        Ok(single)
    }

    /// The connection, if there is one.
    pub(super) async fn line(&self) -> RedisResult<Line> {
        if let State::Up(line) = &*self.state.borrow() {
            return Ok(line.clone());
        }
        let mut state = self.state.clone();
        let settled = state.wait_for(|state| !matches!(state, State::Connecting)).await;
        match settled.as_deref() {
            Ok(State::Up(line)) => Ok(line.clone()),
            Ok(State::Down(error)) => Err(error.clone()),
            _ => Err(RedisError::from((ErrorKind::Client, "the store is closed"))),
        }
    }

    /// Has the connection examined after an error that may be its own.
    pub(super) fn suspect(&self, error: &RedisError) {
        let suspicion = match error {
            _ if DOUBTFUL.iter().any(|code| says(error, code)) => Suspicion::Wrong,
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
    config: RedisConfig,
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
                    let lanes = self
                        .config
                        .replication
                        .map(|wanted| Lanes::new(opened.client.clone(), self.config.connect_timeout, wanted));
                    let standing = Standing { given_up: given_up.clone(), tenure: opened.tenure().cloned() };
                    let line = Line { connection: opened.connection.clone(), lanes, standing };
                    self.state.send_replace(State::Up(line));
                    let reason = self.watch_over(opened, &mut events).await;
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

    /// Returns when the connection is of no use any more, and why.
    async fn watch_over(&mut self, opened: Opened, events: &mut mpsc::UnboundedReceiver<PushInfo>) -> &'static str {
        let (connection, mut opened) = (opened.connection.clone(), opened);
        let named = opened.tenure().is_some();
        loop {
            let suspicion = tokio::select! {
                event = events.recv() => match event {
                    Some(event) if event.kind != PushKind::Disconnection => continue,
                    _ => return "it is lost",
                },
                () = opened.wrong() => return "the Sentinels replace the server",
                suspicion = self.suspected.recv() => suspicion,
                () = sleep(if named { ROLE_CHECK } else { HEARTBEAT }) => None,
            };
            // What the Sentinels say must not wait for the server's answer.
            let examined = tokio::select! {
                examined = self.examine(&connection, named, suspicion) => examined,
                () = opened.wrong() => Err("the Sentinels replace the server"),
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

/// Asks the server for a sign of life.
pub(super) async fn ping(connection: &MultiplexedConnection, patience: Duration) -> RedisResult<Value> {
    let mut connection = connection.clone();
    within(patience, connection.send_packed_command(&redis::cmd("PING"))).await
}

#[cfg(test)]
mod tests {
    use super::super::sentinels::tests::tenure_beside;
    use super::super::words::tests::says;
    use super::*;

    #[tokio::test]
    async fn an_answer_counts_only_while_the_server_is_the_right_one() {
        let given_up = CancellationToken::new();
        let standing = |tenure| Standing { given_up: given_up.clone(), tenure };
        let (mine, newer) = (says(5, 2), says(6, 3));
        assert_eq!(standing(None).of(async { Ok(1) }).await, Ok(1));
        assert_eq!(standing(Some(tenure_beside([mine.clone()]))).of(async { Ok(1) }).await, Ok(1));
        // The Sentinels have said so, and the connection is about to be given up for it.
        assert!(standing(Some(tenure_beside([mine, newer]))).of(async { Ok(1) }).await.is_err());
        // It is given up in the moment in which the answer is there.
        let answer = async {
            given_up.cancel();
            Ok(1)
        };
        assert!(standing(None).of(answer).await.is_err());
    }
}
