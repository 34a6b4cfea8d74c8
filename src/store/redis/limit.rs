//! Limits of time for what a server is asked.

use std::io;
use std::time::Duration;

use redis::{RedisError, RedisResult};
use tokio::time::timeout;

/// The outcome, or the error of a limit that was reached.
pub(super) async fn within<T>(limit: Duration, trip: impl Future<Output = RedisResult<T>>) -> RedisResult<T> {
    timeout(limit, trip).await.unwrap_or_else(|_| Err(too_slow()))
}

/// The error of a limit that was reached.
pub(super) fn too_slow() -> RedisError {
    io::Error::new(io::ErrorKind::TimedOut, "no answer in time").into()
}
