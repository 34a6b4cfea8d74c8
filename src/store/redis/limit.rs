//! Limits of time, and of number, for what a server is asked.
//!
//! What is given a trip itself is no async function: one that is given a future holds it twice, and after a few of them a
//! trip would be some twenty kilobytes of memory. So the time runs from the call on. What has to go on with a trip after
//! its time is given it pinned.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use redis::{RedisError, RedisResult};
use tokio::time::{Instant, timeout, timeout_at};

/// How many commands a connection takes before whoever sends the next one has to wait.
pub(super) const PIPELINED: usize = 1024;
/// How often a server is asked for a sign of life.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(2);
/// By how much a limit is found out late if this process has stood still.
const STOOD_STILL: Duration = Duration::from_millis(100);
/// How long such a process takes at most to read what has come meanwhile.
const CATCHING_UP: Duration = Duration::from_millis(250);

/// The outcome, or the error of a limit that was reached.
pub(super) fn within<T>(
    limit: Duration,
    trip: impl Future<Output = RedisResult<T>>,
) -> impl Future<Output = RedisResult<T>> {
    timeout(limit, trip).map(|outcome| outcome.unwrap_or_else(|_| Err(too_slow())))
}

/// The same of time in which this process was running: where it has stood still beyond the limit, on a machine that was
/// paused, say, the answer may be there and has but to be read, and a moment is left for that.
pub(super) async fn within_running<T>(
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

/// The error of a limit that was reached.
pub(super) fn too_slow() -> RedisError {
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
