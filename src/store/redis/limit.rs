//! Limits of time for what a server is asked.
//!
//! What is given a trip here is no async function: one that is given a future holds it twice, and after a few of them a
//! trip would be some twenty kilobytes of memory. So the time runs from the call on.

use std::io;
use std::time::Duration;

use futures_util::FutureExt;
use redis::{RedisError, RedisResult};
use tokio::time::timeout;

/// The outcome, or the error of a limit that was reached.
pub(super) fn within<T>(
    limit: Duration,
    trip: impl Future<Output = RedisResult<T>>,
) -> impl Future<Output = RedisResult<T>> {
    timeout(limit, trip).map(|outcome| outcome.unwrap_or_else(|_| Err(too_slow())))
}

/// The error of a limit that was reached.
pub(super) fn too_slow() -> RedisError {
    io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into()
}
