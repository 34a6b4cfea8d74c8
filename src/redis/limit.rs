//! Limits of time and number for requests to a server.
//!
//! A function that takes a trip by value is not async: an async one holds the future twice, and after a few of them a
//! trip would take some twenty kilobytes of memory. So its time runs from the call on. A function that goes on with the
//! trip after its time takes it pinned.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use redis::{RedisError, RedisResult};
use tokio::time::{Instant, timeout, timeout_at};

/// The number of commands that a connection queues before the next sender has to wait.
pub(crate) const PIPELINED: usize = 1024;
/// The interval between two pings of a server.
pub const HEARTBEAT: Duration = Duration::from_secs(2);
/// The delay after a limit from which on this process counts as having stood still.
const STOOD_STILL: Duration = Duration::from_millis(100);
/// The time that such a process has to read answers that arrived meanwhile.
const CATCHING_UP: Duration = Duration::from_millis(250);

/// Returns the outcome, or an error if the limit is reached.
pub fn within<T>(limit: Duration, trip: impl Future<Output = RedisResult<T>>) -> impl Future<Output = RedisResult<T>> {
    timeout(limit, trip).map(|outcome| outcome.unwrap_or_else(|_| Err(too_slow())))
}

/// The same, for the time in which this process ran: where it stood still beyond the limit (a paused machine, say), the
/// answer may be there unread, and the process gets a moment to read it.
///
/// # Errors
/// Those of the trip, or that it took too long.
pub async fn within_running<T>(
    limit: Duration,
    mut trip: Pin<&mut impl Future<Output = RedisResult<T>>>,
) -> RedisResult<T> {
    let end = Instant::now() + limit;
    if let Ok(outcome) = timeout_at(end, trip.as_mut()).await {
        return outcome;
    }
    if end.elapsed() < STOOD_STILL {
        return Err(too_slow());
    }
    within(CATCHING_UP, trip).await
}

/// Returns the error of a limit that was reached.
pub fn too_slow() -> RedisError {
    io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into()
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::pin::pin;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(50);

    /// On one thread, so that a task that blocks it stops all others.
    #[tokio::test]
    async fn what_came_while_the_process_stood_still_is_read() {
        let (send, answer) = tokio::sync::oneshot::channel();
        let standing_still = async {
            std::thread::sleep(LIMIT + 2 * STOOD_STILL);
            tokio::time::sleep(Duration::from_millis(1)).await;
            send.send(7).unwrap();
        };
        let trip = pin!(async { Ok(answer.await.unwrap()) });
        let (outcome, ()) = tokio::join!(within_running(LIMIT, trip), standing_still);
        assert_eq!(outcome.unwrap(), 7);
    }

    #[tokio::test]
    async fn what_does_not_come_is_not_waited_for() {
        let outcome = within_running(LIMIT, pin!(pending::<RedisResult<()>>())).await;
        assert!(outcome.unwrap_err().is_timeout());
    }
}
