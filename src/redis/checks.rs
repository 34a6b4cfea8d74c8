//! Checks of a server: its version, which is checked when the store is opened, its run id and its liveness.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{RedisResult, Value};

use crate::config::ConnectError;
use crate::limit::within;

const OLDEST: (u32, u32) = (6, 2);

/// Refuses a server that is too old.
///
/// # Errors
/// If it is too old, or does not answer.
pub async fn check(mut server: MultiplexedConnection) -> Result<(), ConnectError> {
    let version = version(&mut server).await.map_err(ConnectError::Unreachable)?;
    if is_at_least(&version, OLDEST) { Ok(()) } else { Err(ConnectError::TooOld(version)) }
}

/// Returns the server's version, as it states it.
pub(crate) async fn version(server: &mut MultiplexedConnection) -> RedisResult<String> {
    about(server, "server", "redis_version:").await
}

/// Returns the server's run id, which is unique to each start of each server; empty if it states none.
pub(crate) async fn run_id(mut server: MultiplexedConnection) -> RedisResult<String> {
    about(&mut server, "server", "run_id:").await
}

/// Pings the server.
///
/// # Errors
/// If it does not answer in time.
pub async fn ping(connection: &MultiplexedConnection, patience: Duration) -> RedisResult<Value> {
    let mut connection = connection.clone();
    within(patience, connection.send_packed_command(&redis::cmd("PING"))).await
}

/// Returns true if the server accepts keys of several slots in one script: a node of a cluster does not, even if it
/// holds all slots.
///
/// # Errors
/// If it does not answer.
pub async fn mixes_slots(mut server: MultiplexedConnection) -> RedisResult<bool> {
    Ok(about(&mut server, "cluster", "cluster_enabled:").await? == "0")
}

async fn about(server: &mut MultiplexedConnection, section: &str, field: &str) -> RedisResult<String> {
    let info: String = redis::cmd("INFO").arg(section).query_async(server).await?;
    Ok(info.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default().trim().to_owned())
}

/// Returns true if a version is at least `oldest`.
pub(crate) fn is_at_least(version: &str, oldest: (u32, u32)) -> bool {
    let mut parts = version.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= oldest,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        for right in ["6.2.0", "6.10.1", "7.0.15", "10.0.0", "7.2.4"] {
            assert!(is_at_least(right, OLDEST), "{right}");
        }
        for wrong in ["6.0.16", "5.9.9", "", "x.y"] {
            assert!(!is_at_least(wrong, OLDEST), "{wrong}");
        }
    }
}
