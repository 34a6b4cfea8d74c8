//! Trips to Redis, whatever its arrangement.
//!
//! Invariants:
//! - A trip ends within the response timeout, in an answer or an error.
//! - What is sent once is never sent again when it may have been carried out. It is sent again where the server refused
//!   it unread: a script that it did not know, or a slot that lives on another node of a cluster.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use redis::{Cmd, ErrorKind, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::clustered::Clustered;
use super::config::{ConnectError, RedisConfig, RedisMode};
use super::connector::{Connector, too_slow};
use super::script::{Part, Script, in_full};
use super::single::Single;
use crate::store::{Result, StoreError};

enum Route {
    Single(Single),
    Cluster(Clustered),
}

/// The way to Redis.
pub(super) struct Link {
    route: Route,
    patience: Duration,
    closed: CancellationToken,
}

fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(error.into())
}

/// A command on one key, to which arguments may be added.
pub(super) fn command(name: &str, key: String) -> Cmd {
    let mut command = Cmd::new();
    command.arg(name).arg(key);
    command
}

/// Reads an answer as what it must be.
pub(super) fn read<T: redis::FromRedisValue>(answer: Value) -> Result<T> {
    redis::from_redis_value(answer).map_err(|error| StoreError::Corrupt(error.to_string()))
}

impl Link {
    pub(super) async fn open(
        config: &RedisConfig,
        connector: &Arc<Connector>,
        closed: CancellationToken,
    ) -> Result<Link, ConnectError> {
        let patience = config.response_timeout;
        let route = if config.mode == RedisMode::Cluster {
            Route::Cluster(Clustered::open(config, closed.clone()).await?)
        } else {
            let single = Single::open(Arc::clone(connector), patience, closed.clone()).await;
            Route::Single(single.map_err(ConnectError::Unreachable)?)
        };
        Ok(Link { route, patience, closed })
    }

    /// Sends one command, once.
    pub(super) async fn send_once(&self, command: &Cmd) -> Result<Value> {
        self.in_time(self.send(command)).await
    }

    /// Sends one command that may be carried out twice: once more if the connection is lost before the answer.
    pub(super) async fn send_again_if_lost(&self, command: &Cmd) -> Result<Value> {
        self.in_time(async {
            match self.send(command).await {
                Err(error) if error.is_connection_dropped() => self.send(command).await,
                answer => answer,
            }
        })
        .await
    }

    /// Sends several commands in one trip, each once and with an outcome of its own, to be carried out in any order.
    pub(super) async fn send_each_once(&self, commands: Vec<Cmd>) -> Result<Vec<RedisResult<Value>>> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        self.in_time(async {
            match &self.route {
                Route::Single(single) => pipelined(single, commands).await,
                Route::Cluster(_) => Ok(join_all(commands.iter().map(|command| self.send(command))).await),
            }
        })
        .await
    }

    /// Like [`Link::send_each_once`], but the first failure is the failure of all.
    pub(super) async fn send_all_once(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.send_each_once(commands).await?.into_iter().map(|answer| answer.map_err(unavailable)).collect()
    }

    /// Has a script do the same for each of these keys, in one call where all keys live together, and answers for each
    /// whether it is done. What it does may be done twice.
    pub(super) async fn call_for_each_maybe_twice(
        &self,
        script: &Script,
        common: &[String],
        parts: Vec<Part>,
    ) -> Result<Vec<bool>> {
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        if matches!(self.route, Route::Single(_)) && self.send_once(&script.on_each(common, &parts)).await.is_ok() {
            return Ok(vec![true; parts.len()]);
        }
        // One by one, so that one that fails does not keep the others from being done.
        let calls = parts.iter().map(|part| script.on_each(common, std::slice::from_ref(part))).collect();
        Ok(self.send_each_once(calls).await?.into_iter().map(|answer| answer.is_ok()).collect())
    }

    async fn in_time<T>(&self, trip: impl Future<Output = RedisResult<T>>) -> Result<T> {
        if self.closed.is_cancelled() {
            return Err(unavailable("the store is closed"));
        }
        let outcome = timeout(self.patience, trip).await.unwrap_or_else(|_| Err(too_slow()));
        outcome.map_err(|error| {
            match &self.route {
                Route::Single(single) => single.suspect(&error),
                Route::Cluster(cluster) => cluster.suspect(&error),
            }
            unavailable(error)
        })
    }

    async fn send(&self, command: &Cmd) -> RedisResult<Value> {
        match self.send_as_is(command).await {
            Err(error) if unknown_script(&error) => self.send_as_is(&in_full(command)).await,
            answer => answer,
        }
    }

    async fn send_as_is(&self, command: &Cmd) -> RedisResult<Value> {
        match &self.route {
            Route::Single(single) => single.line().await?.send(command).await?.extract_error(),
            Route::Cluster(cluster) => cluster.send(command).await,
        }
    }
}

fn unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

async fn pipelined(single: &Single, commands: Vec<Cmd>) -> RedisResult<Vec<RedisResult<Value>>> {
    let mut line = single.line().await?;
    let mut pipeline = Pipeline::with_capacity(commands.len());
    for command in commands {
        pipeline.add_command(command);
    }
    let answers = line.send_all(&pipeline).await?;
    let mut outcomes: Vec<RedisResult<Value>> = answers.into_iter().map(Value::extract_error).collect();
    // A script that is new to the server was refused: nothing happened, and the first call in full teaches it.
    let refused: Vec<(usize, Cmd)> = pipeline
        .cmd_iter()
        .enumerate()
        .filter(|&(place, _)| matches!(outcomes.get(place), Some(Err(error)) if unknown_script(error)))
        .map(|(place, command)| (place, in_full(command)))
        .collect();
    for (place, command) in refused {
        let outcome = line.send(&command).await.and_then(Value::extract_error);
        if let Some(refusal) = outcomes.get_mut(place) {
            *refusal = outcome;
        }
    }
    Ok(outcomes)
}
