//! WaitPool: connections to one server for commands that are acknowledged only once enough replicas have them.
//!
//! A command and the `WAIT` behind it use one connection, because `WAIT` counts the writes of its own connection, and
//! because it holds up later commands there. Each runtime takes connections that it has opened itself, while more may
//! be opened, since their driver then wakes no task on another thread. Invariants: a connection carries one trip at a
//! time. A connection whose answer is missing is never used again. No command that may have been carried out is sent
//! again.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Cmd, ErrorKind, Pipeline, PushInfo, PushKind, RedisError, RedisResult, Value};
use tokio::runtime::Id;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::{Semaphore, mpsc};

use crate::access::Server;
use crate::config::Replication;
use crate::disks;
use crate::runtimes::here;
use crate::script::{in_full, unknown_script};

/// The maximum number of concurrent trips to one server, and of its connections.
const CONNECTIONS: usize = 64;

struct PooledConnection {
    /// The runtime of its driver.
    home: Option<Id>,
    connection: MultiplexedConnection,
    events: mpsc::UnboundedReceiver<PushInfo>,
}

impl PooledConnection {
    /// Returns true if no end of the connection has been reported.
    fn is_up(&mut self) -> bool {
        loop {
            match self.events.try_recv() {
                Ok(event) if event.kind != PushKind::Disconnection => {}
                Err(TryRecvError::Empty) => return true,
                Ok(_) | Err(TryRecvError::Disconnected) => return false,
            }
        }
    }
}

/// The connections to one server, opened on demand.
pub(crate) struct WaitPool {
    server: Server,
    connect_timeout: Duration,
    wanted: Replication,
    /// True if trips wait for the disks too, not only for the memories of the servers.
    to_disk: Arc<AtomicBool>,
    free: Mutex<Vec<PooledConnection>>,
    room: Semaphore,
}

impl WaitPool {
    pub(crate) fn new(server: Server, connect_timeout: Duration, wanted: Replication) -> Arc<WaitPool> {
        let (free, room, to_disk) = (Mutex::default(), Semaphore::new(CONNECTIONS), Arc::default());
        tokio::spawn(disks::follow(server.clone(), connect_timeout, wanted.replicas, Arc::downgrade(&to_disk)));
        Arc::new(WaitPool { server, connect_timeout, wanted, to_disk, free, room })
    }

    /// Sends commands, each with an outcome of its own, which is returned only if enough replicas have all of them.
    /// With `asking` the server also accepts slots that are moving to it.
    pub(crate) async fn carry(&self, asking: bool, commands: &[Cmd]) -> RedisResult<Vec<RedisResult<Value>>> {
        let _room = self.room.acquire().await.map_err(io::Error::other)?;
        let here = here();
        let mut pooled = match self.take(here) {
            Some(pooled) => pooled,
            None => self.open(here).await?,
        };
        let (mut outcomes, mut enough) = self.trip(&mut pooled, asking, commands).await?;
        // The server refused a script that is new to it: nothing happened, and a call in full loads it.
        let refused = |outcome: &RedisResult<Value>| outcome.as_ref().is_err_and(unknown_script);
        if outcomes.iter().any(refused) {
            let places: Vec<usize> = (0..outcomes.len()).filter(|&place| refused(&outcomes[place])).collect();
            let again: Vec<Cmd> = places.iter().map(|&place| in_full(&commands[place])).collect();
            let (learnt, then_enough) = self.trip(&mut pooled, asking, &again).await?;
            for (place, outcome) in places.into_iter().zip(learnt) {
                outcomes[place] = outcome;
            }
            enough = then_enough;
        }
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(pooled);
        // Refused commands have nothing to replicate.
        if enough || outcomes.iter().all(Result::is_err) {
            return Ok(outcomes);
        }
        Err(RedisError::from((ErrorKind::Client, "too few replicas have it in time")))
    }

    /// Takes a free connection of this runtime, or of any once no more can be opened.
    fn take(&self, here: Option<Id>) -> Option<PooledConnection> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(place) = free.iter().rposition(|pooled| pooled.home == here) {
            let mut pooled = free.swap_remove(place);
            if pooled.is_up() {
                return Some(pooled);
            }
        }
        free.retain_mut(PooledConnection::is_up);
        let under_way = CONNECTIONS - self.room.available_permits();
        if free.len() + under_way > CONNECTIONS { free.pop() } else { None }
    }

    async fn open(&self, home: Option<Id>) -> RedisResult<PooledConnection> {
        let (sender, events) = mpsc::unbounded_channel();
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect_timeout))
            .set_response_timeout(None)
            .set_push_sender(sender);
        let connection = self.server.connect(&settings).await?;
        Ok(PooledConnection { home, connection, events })
    }

    /// Returns the outcomes, and true if enough replicas have all writes of this connection so far.
    async fn trip(
        &self,
        pooled: &mut PooledConnection,
        asking: bool,
        commands: &[Cmd],
    ) -> RedisResult<(Vec<RedisResult<Value>>, bool)> {
        let mut pipeline = Pipeline::with_capacity(2 * commands.len() + 2);
        for command in commands {
            if asking {
                pipeline.cmd("ASKING");
            }
            pipeline.add_command(command.clone());
        }
        let Replication { replicas, patience } = self.wanted;
        let to_disk = self.to_disk.load(Ordering::Relaxed);
        let patience = patience.as_millis() as u64;
        // A replica reports its disk once a second unless `WAIT` asks it, so `WAITAOF` alone takes a second.
        pipeline.cmd("WAIT").arg(replicas).arg(patience);
        if to_disk {
            // Where a replica is away both time out, one after the other; the limit of the trip leaves time for that.
            pipeline.cmd("WAITAOF").arg(1).arg(replicas).arg((patience / 2).max(1));
        }
        let answers = pooled.connection.send_packed_commands(&pipeline, 0, pipeline.len()).await?;
        let mut outcomes: Vec<RedisResult<Value>> = answers.into_iter().map(Value::extract_error).collect();
        let on_disk = to_disk.then(|| outcomes.pop().unwrap_or(Ok(Value::Nil))).transpose()?;
        let received: u32 = redis::from_redis_value(outcomes.pop().unwrap_or(Ok(Value::Nil))?)?;
        if asking {
            outcomes = outcomes.into_iter().skip(1).step_by(2).collect();
        }
        let on_disk = on_disk.map(redis::from_redis_value::<(u32, u32)>).transpose()?;
        let enough = received >= replicas && on_disk.is_none_or(|(own, others)| own >= 1 && others >= replicas);
        Ok((outcomes, enough))
    }
}
