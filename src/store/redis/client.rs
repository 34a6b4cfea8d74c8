//! Trips to Redis, in any arrangement of the servers.
//!
//! Invariants:
//! - A trip ends within the response timeout, in an answer or an error; where this process has stood still meanwhile, a
//!   moment after it goes on. Several commands to a cluster are a trip each, so that a node that hangs delays no
//!   answers of the others.
//! - A command that may have been carried out is never sent again. It is sent again where the server refused it unread:
//!   an unknown script, or a slot that lives on another node of a cluster.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use redis::aio::MultiplexedConnection;
use redis::{Cmd, FromRedisValue, RedisError, RedisResult, ToRedisArgs, Value};
use tokio_util::sync::CancellationToken;

use super::script::{Part, on_each};
use crate::{Result, StoreError};
use sarsen_redis::access::Access;
use sarsen_redis::checks::mixes_slots;
use sarsen_redis::clustered::Clustered;
use sarsen_redis::config::{ConnectError, RedisConfig, RedisMode};
use sarsen_redis::connector::Connector;
use sarsen_redis::limit;
use sarsen_redis::script::{Script, in_full, unknown_script};
use sarsen_redis::shards::Shards;
use sarsen_redis::single::Single;

enum Route {
    Single(Single),
    /// With the wait pools of the masters, where the store waits for replicas.
    Cluster(Clustered, Option<Arc<Shards>>),
}

/// The client of Redis.
pub(super) struct RedisClient {
    route: Route,
    /// True if one script may work on any keys.
    is_one_place: bool,
    patience: Duration,
    /// The additional time that a trip may wait for replicas, where the store waits for them.
    waiting: Option<Duration>,
    closed: CancellationToken,
}

fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(error.into())
}

/// Converts the failure of a command that changes nothing: a retry does not help where the stored value is the cause.
fn unread(error: RedisError) -> StoreError {
    let of_the_kind = error.code() == Some("WRONGTYPE");
    // The error comes from within a script; none of its other errors has this text.
    let in_a_script =
        error.detail().is_some_and(|detail| detail.contains("WRONGTYPE") || detail.contains("attempt to "));
    if of_the_kind || in_a_script { other_kind() } else { unavailable(error) }
}

fn other_kind() -> StoreError {
    StoreError::Corrupt("a value of another kind than belongs there".to_owned())
}

/// The number of arguments for which a command reserves room.
const ARGUMENTS: usize = 8;
/// The number of bytes of arguments that a command reserves beside its name and its key.
const ROOM: usize = 64;

/// Makes a command on one key, to which arguments may be added.
pub(super) fn command(name: &str, key: String) -> Cmd {
    let mut command = Cmd::with_capacity(ARGUMENTS, name.len() + key.len() + ROOM);
    command.arg(name).arg(key);
    command
}

/// Makes a command on one key with these arguments.
pub(super) fn command_with(name: &str, key: String, arguments: impl ToRedisArgs) -> Cmd {
    let mut command = command(name, key);
    command.arg(arguments);
    command
}

/// Makes the command that writes an unused value, for ten seconds.
pub(super) fn mark(key: String) -> Cmd {
    command_with("SET", key, (1, "EX", 10))
}

/// Reads an answer as the expected type.
pub(super) fn read<T: FromRedisValue>(answer: Value) -> Result<T> {
    // The original error would quote the answer.
    redis::from_redis_value(answer).map_err(|_| other_kind())
}

impl RedisClient {
    pub(super) async fn open(
        config: &RedisConfig,
        access: &Access,
        connector: &Arc<Connector>,
        first: &MultiplexedConnection,
        closed: CancellationToken,
    ) -> Result<RedisClient, ConnectError> {
        let patience = config.response_timeout;
        let is_one_place = config.mode != RedisMode::Cluster
            && limit::within(patience, mixes_slots(first.clone())).await.map_err(ConnectError::Unreachable)?;
        let route = if config.mode == RedisMode::Cluster {
            let nodes = Clustered::open(config, access, closed.clone()).await?;
            Route::Cluster(nodes, Shards::open(config, access, closed.clone()).await?)
        } else {
            let single = Single::open(Arc::clone(connector), config, closed.clone()).await;
            Route::Single(single.map_err(ConnectError::Unreachable)?)
        };
        let waiting = config.replication.map(|wanted| wanted.patience);
        Ok(RedisClient { route, is_one_place, patience, waiting, closed })
    }

    /// Sends one command, once.
    pub(super) async fn send_once(&self, command: &Cmd) -> Result<Value> {
        self.in_time(pin!(self.send(command))).await
    }

    /// Sends one idempotent command: once more if the connection is lost before the answer.
    pub(super) async fn send_again_if_lost(&self, command: &Cmd) -> Result<Value> {
        let trip = pin!(async {
            match self.send(command).await {
                Err(error) if error.is_connection_dropped() => self.send(command).await,
                answer => answer,
            }
        });
        self.is_open()?;
        limit::within_running(self.patience, trip).await.map_err(|error| {
            self.suspect(&error);
            unread(error)
        })
    }

    /// Sends one idempotent command as [`RedisClient::send_again_if_lost`] does, and reads the answer.
    pub(super) async fn ask<T: FromRedisValue>(&self, command: &Cmd) -> Result<T> {
        read(self.send_again_if_lost(command).await?)
    }

    /// Sends one command as [`RedisClient::keep_once`] does, and reads the answer.
    pub(super) async fn keep<T: FromRedisValue>(&self, command: Cmd) -> Result<T> {
        read(self.keep_once(command).await?)
    }

    /// Sends several commands in one trip, each once and with an outcome of its own. Their order does not matter.
    pub(super) async fn send_each_once(&self, commands: Vec<Cmd>) -> Result<Vec<RedisResult<Value>>> {
        if commands.is_empty() {
            return Ok(Vec::new());
        }
        match &self.route {
            Route::Single(single) => {
                let trip = pin!(async { single.connection().await?.send_each(commands).await });
                let outcomes = self.in_time(trip).await?;
                Ok(self.examined(outcomes))
            }
            Route::Cluster(..) => self.apart(self.patience, commands.iter().map(|command| self.send(command))).await,
        }
    }

    /// Sends one command that writes, once. Returns only once enough replicas have the write, where the store waits for
    /// them.
    pub(super) async fn keep_once(&self, command: Cmd) -> Result<Value> {
        if self.waiting.is_none() {
            return self.send_once(&command).await;
        }
        // Boxed, so that a trip without a wait does not take its room.
        let mut answers = Box::pin(self.keep_all_once(vec![command])).await?;
        Ok(answers.pop().unwrap_or(Value::Nil))
    }

    /// Sends one idempotent command that writes, and that a kept write follows. One server takes both in this order, so
    /// a replica with the second has the first. In a cluster the second may go to another server; there enough replicas
    /// must have the first by itself, where the store waits for them.
    pub(super) async fn keep_before_another(&self, command: Cmd) -> Result<Value> {
        match self.route {
            Route::Single(_) => self.send_again_if_lost(&command).await,
            Route::Cluster(..) if self.waiting.is_none() => self.send_again_if_lost(&command).await,
            Route::Cluster(..) => self.keep_once(command).await,
        }
    }

    /// Sends several commands that write, each once. Their order does not matter. Returns only once enough replicas
    /// have the writes, where the store waits for them; the first failure is the failure of all.
    pub(super) async fn keep_all_once(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.keep_each_once(commands).await?.into_iter().map(|answer| answer.map_err(unavailable)).collect()
    }

    /// Like [`RedisClient::keep_all_once`], but each with an outcome of its own.
    pub(super) async fn keep_each_once(&self, commands: Vec<Cmd>) -> Result<Vec<RedisResult<Value>>> {
        let Some(waiting) = self.waiting.filter(|_| !commands.is_empty()) else {
            return self.send_each_once(commands).await;
        };
        // It is waited for the memories of replicas, and half as long again for their disks.
        let limit = self.patience + waiting + waiting / 2;
        match &self.route {
            Route::Single(single) => {
                let trip = pin!(async { single.connection().await?.keep_each(commands).await });
                let outcomes = self.within(limit, trip).await?;
                Ok(self.examined(outcomes))
            }
            Route::Cluster(_, Some(shards)) => {
                self.apart(limit, commands.iter().map(|command| shards.keep(command))).await
            }
            Route::Cluster(_, None) => self.send_each_once(commands).await,
        }
    }

    /// Waits until enough replicas have all earlier writes to the server of this key, where the store waits for
    /// replicas.
    pub(super) async fn settle(&self, key: String) -> Result<()> {
        if self.waiting.is_some() {
            // A write of its own, because the server waits only for writes.
            self.keep_once(mark(key)).await?;
        }
        Ok(())
    }

    /// Like [`RedisClient::send_each_once`], but the first failure is the failure of all.
    pub(super) async fn send_all_once(&self, commands: Vec<Cmd>) -> Result<Vec<Value>> {
        self.send_each_once(commands).await?.into_iter().map(|answer| answer.map_err(unread)).collect()
    }

    /// Reads several values in one trip, each with an outcome of its own; a damaged one is [`StoreError::Corrupt`].
    pub(super) async fn read_each_once<T: FromRedisValue>(&self, commands: Vec<Cmd>) -> Result<Vec<Result<T>>> {
        let answers = self.send_each_once(commands).await?;
        Ok(answers.into_iter().map(|answer| answer.map_err(unread).and_then(read)).collect())
    }

    /// Calls an idempotent script for each of these keys, in one call where all keys live together. Returns for each
    /// key true if the call succeeded.
    pub(super) async fn call_for_each_maybe_twice(
        &self,
        script: &Script,
        common: &[String],
        parts: Vec<Part>,
    ) -> Result<Vec<bool>> {
        if parts.is_empty() {
            return Ok(Vec::new());
        }
        if self.is_one_place() && self.send_once(&on_each(script, common, &parts)).await.is_ok() {
            return Ok(vec![true; parts.len()]);
        }
        // One by one, so that a failed call does not hold up the others.
        let calls = parts.iter().map(|part| on_each(script, common, std::slice::from_ref(part))).collect();
        // In a cluster these keys are on other servers than the task behind the calls, which is removed once they are
        // done.
        Ok(self.keep_each_once(calls).await?.into_iter().map(|answer| answer.is_ok()).collect())
    }

    /// Returns true if all keys live together, so that one script may work on any of them.
    pub(super) fn is_one_place(&self) -> bool {
        self.is_one_place
    }

    /// Returns the names of all masters, for [`RedisClient::ask_master`]; one server has the empty name.
    pub(super) async fn masters(&self) -> Result<Vec<String>> {
        let Route::Cluster(nodes, _) = &self.route else { return Ok(vec![String::new()]) };
        self.in_time(pin!(nodes.masters())).await
    }

    /// Sends several commands that change nothing to one master, in one trip.
    pub(super) async fn ask_master(&self, master: &str, questions: Vec<Cmd>) -> Result<Vec<Value>> {
        match &self.route {
            Route::Single(_) => self.send_all_once(questions).await,
            Route::Cluster(nodes, _) => self.in_time(pin!(nodes.ask(master, questions))).await,
        }
    }

    async fn in_time<T>(&self, trip: Pin<&mut impl Future<Output = RedisResult<T>>>) -> Result<T> {
        self.within(self.patience, trip).await
    }

    /// Returns the outcome of the trip within a time limit. The trip is pinned: it would be moved several times
    /// otherwise, two kilobytes each.
    async fn within<T>(&self, limit: Duration, trip: Pin<&mut impl Future<Output = RedisResult<T>>>) -> Result<T> {
        self.is_open()?;
        limit::within_running(limit, trip).await.map_err(|error| self.failed(error))
    }

    /// Makes trips to several nodes concurrently, each with a limit and an outcome of its own.
    async fn apart<T>(
        &self,
        limit: Duration,
        trips: impl Iterator<Item = impl Future<Output = RedisResult<T>>>,
    ) -> Result<Vec<RedisResult<T>>> {
        self.is_open()?;
        let trips = trips.map(|trip| {
            let mut trip = Box::pin(trip);
            async move { limit::within_running(limit, trip.as_mut()).await }
        });
        Ok(self.examined(join_all(trips).await))
    }

    /// Returns the outcomes unchanged; each failure may start an examination of the connection.
    fn examined<T>(&self, outcomes: Vec<RedisResult<T>>) -> Vec<RedisResult<T>> {
        outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).for_each(|error| self.suspect(error));
        outcomes
    }

    fn is_open(&self) -> Result<()> {
        if self.closed.is_cancelled() { Err(unavailable("the store is closed")) } else { Ok(()) }
    }

    fn failed(&self, error: RedisError) -> StoreError {
        self.suspect(&error);
        unavailable(error)
    }

    /// Starts an examination of the connection that may have caused the error.
    fn suspect(&self, error: &RedisError) {
        match &self.route {
            Route::Single(single) => single.suspect(error),
            Route::Cluster(nodes, shards) => {
                nodes.suspect(error);
                shards.iter().for_each(|shards| shards.doubt());
            }
        }
    }

    async fn send(&self, command: &Cmd) -> RedisResult<Value> {
        match self.send_as_is(command).await {
            Err(error) if unknown_script(&error) => self.send_as_is(&in_full(command)).await,
            answer => answer,
        }
    }

    async fn send_as_is(&self, command: &Cmd) -> RedisResult<Value> {
        match &self.route {
            Route::Single(single) => single.connection().await?.send(command).await?.extract_error(),
            // Boxed, so that the trips to one server need no room for it.
            Route::Cluster(nodes, _) => Box::pin(nodes.send(command)).await,
        }
    }
}
