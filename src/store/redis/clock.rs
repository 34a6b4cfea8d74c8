//! The store's time: the Redis server's, extrapolated by this machine's monotonic clock between two readings.
//!
//! Invariants: the error of a reading is at most half of its trip, which the response timeout bounds. The clock of this
//! machine may be wrong or set while the service runs, and the store's time stays right; the operator is warned all the
//! same, since the log uses that clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::Shared;
use super::client::{RedisClient, read};
use super::script::TIME;
use crate::keys::Keys;
use crate::{Result, StoreError};
use sarsen_base::ambient::{Ambient, Timestamp};

/// The interval between two readings of the server's time.
const PERIOD: Duration = Duration::from_secs(10);
/// The difference from which on the operator is warned of this machine's clock, in milliseconds.
const WORTH_A_WARNING: u64 = 250;

/// The last reading of the server's time.
pub(super) struct ServerClock {
    started: Instant,
    /// The server's time at `started`, in microseconds since 1970.
    then: AtomicI64,
}

impl ServerClock {
    /// Reads the server's time for the first time.
    pub(super) async fn ask(client: &RedisClient, keys: &Keys) -> Result<ServerClock> {
        let clock = ServerClock { started: Instant::now(), then: AtomicI64::new(0) };
        clock.look(client, keys).await?;
        Ok(clock)
    }

    fn since_start(&self, moment: Instant) -> i64 {
        i64::try_from((moment - self.started).as_micros()).unwrap_or(i64::MAX)
    }

    /// Reads the server's time, and takes the middle of the trip for the moment of the answer.
    async fn look(&self, client: &RedisClient, keys: &Keys) -> Result<()> {
        let before = Instant::now();
        // With a key, so that a cluster always asks the same node.
        let answer: Vec<String> = read(client.send_again_if_lost(&TIME.on(&[keys.ready()])).await?)?;
        let middle = before + before.elapsed() / 2;
        let time = match answer.as_slice() {
            [seconds, micros] => seconds.parse::<i64>().ok().zip(micros.parse::<i64>().ok()),
            _ => None,
        };
        let (seconds, micros) = time.ok_or_else(|| StoreError::Corrupt("Redis tells no time".to_owned()))?;
        self.then.store(seconds * 1_000_000 + micros - self.since_start(middle), Ordering::Relaxed);
        Ok(())
    }

    /// Returns the server's time now.
    pub(super) fn now(&self, ambient: &Ambient) -> Timestamp {
        let micros = self.then.load(Ordering::Relaxed).saturating_add(self.since_start(Instant::now()));
        Timestamp((micros / 1000).saturating_add(ambient.moved()))
    }
}

/// Reads the server's time periodically.
pub(super) async fn follow(shared: Arc<Shared>) {
    let mut apart = false;
    loop {
        let difference = shared.now().0.saturating_sub(shared.ambient.now().0);
        match difference.unsigned_abs() > WORTH_A_WARNING {
            true if !apart => tracing::warn!(
                milliseconds = difference,
                "the clock of Redis is ahead of this machine's by so much (behind it, if negative); set them right"
            ),
            false if apart => tracing::info!("the clocks of Redis and of this machine agree again"),
            _ => {}
        }
        apart = difference.unsigned_abs() > WORTH_A_WARNING;
        sleep(PERIOD).await;
        if let Err(error) = shared.clock.look(&shared.client, &shared.keys).await {
            tracing::debug!(%error, "the time of Redis is not to be had now");
        }
    }
}
