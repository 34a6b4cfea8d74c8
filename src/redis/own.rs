//! A runtime's own connection to the server in use, beside the shared one: opened and kept up.
//!
//! Invariants: it leads to the very server that the keeper of the shared one watches, which the server's run id shows.
//! So it need not check the server itself, and all connections to a server are given up at once. This module notices
//! when the connection ends or falls silent, and asks the keeper to check the server. The shared one serves until the
//! next is open.

use std::sync::Arc;
use std::time::Duration;

use redis::aio::{AsyncPushSender, MultiplexedConnection, SendError};
use redis::{AsyncConnectionConfig, ErrorKind, PushInfo, PushKind, RedisError, RedisResult};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::access::Server;
use crate::checks::{ping, run_id};
use crate::connection::{Connection, Suspicion};
use crate::limit::{HEARTBEAT, PIPELINED, within};
use crate::runtimes::Place;

const RETRY_AT_FIRST: Duration = Duration::from_millis(50);
const RETRY_AT_MOST: Duration = Duration::from_secs(5);
/// The lifetime of a connection after which the next one is opened without a pause.
const STEADY: Duration = Duration::from_millis(500);

/// Opens connections like the shared one.
#[derive(Clone)]
pub(crate) struct Beside {
    pub(crate) server: Server,
    pub(crate) shared: Arc<Connection>,
    pub(crate) connect_timeout: Duration,
    pub(crate) patience: Duration,
    pub(crate) keeper: mpsc::Sender<Suspicion>,
    pub(crate) closed: CancellationToken,
}

/// Signals the end of a connection, when its driver reports it or is gone.
struct Ending(CancellationToken);

impl AsyncPushSender for Ending {
    fn send(&self, event: PushInfo) -> Result<(), SendError> {
        if event.kind == PushKind::Disconnection {
            self.0.cancel();
        }
        Ok(())
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Beside {
    /// Keeps this runtime's connection up, until the server is given up or the store is closed.
    pub(crate) async fn keep(self, place: Place<Arc<Connection>>) {
        let given_up = self.shared.standing.given_up.clone();
        tokio::select! {
            () = given_up.cancelled() => {}
            () = self.closed.cancelled() => {}
            () = self.keep_on(&place) => {}
        }
    }

    async fn keep_on(&self, place: &Place<Arc<Connection>>) {
        let mut wait = RETRY_AT_FIRST;
        loop {
            match self.open().await {
                Ok(own) => {
                    let (own, since) = (Arc::new(own), Instant::now());
                    place.put(Some(Arc::clone(&own)));
                    let reason = self.watch_over(&own).await;
                    place.put(None);
                    tracing::debug!("a worker's connection to Redis is given up: {reason}");
                    self.tell_keeper(Suspicion::Slow);
                    if since.elapsed() > STEADY {
                        wait = RETRY_AT_FIRST;
                        continue;
                    }
                }
                Err(error) => tracing::debug!(%error, "a worker shares the connection to Redis for now"),
            }
            sleep(wait).await;
            wait = (wait * 2).min(RETRY_AT_MOST);
        }
    }

    async fn open(&self) -> RedisResult<Connection> {
        let ended = CancellationToken::new();
        let settings = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(self.connect_timeout))
            .set_response_timeout(None)
            .set_pipeline_buffer_size(PIPELINED)
            .set_push_sender(Ending(ended.clone()));
        let opening = self.server.connect(&settings);
        let multiplexed = within(self.connect_timeout, opening).await?;
        if self.run_id(&multiplexed).await? != self.run_id(&self.shared.multiplexed).await? {
            self.tell_keeper(Suspicion::Wrong);
            let sentence = "the address leads to another server than the one in use";
            return Err(RedisError::from((ErrorKind::Client, sentence)));
        }
        let (pool, standing) = (self.shared.pool.clone(), self.shared.standing.clone());
        Ok(Connection { multiplexed, pool, standing, ended, doubted: Notify::new() })
    }

    async fn run_id(&self, connection: &MultiplexedConnection) -> RedisResult<String> {
        within(self.patience, run_id(connection.clone())).await
    }

    /// Returns when the connection is of no use any more, with the reason.
    async fn watch_over(&self, own: &Connection) -> &'static str {
        loop {
            tokio::select! {
                () = own.ended.cancelled() => return "it is lost",
                () = own.doubted.notified() => {}
                () = sleep(HEARTBEAT) => {}
            }
            if ping(&own.multiplexed, self.patience).await.is_err_and(|error| error.is_io_error()) {
                return "it is silent";
            }
        }
    }

    fn tell_keeper(&self, suspicion: Suspicion) {
        // A full channel means that an examination is under way.
        let _ = self.keeper.try_send(suspicion);
    }
}
