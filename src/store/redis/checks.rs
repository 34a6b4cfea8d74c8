//! What is looked at when the store is opened: the server's version, and whether it keeps what it is given.

use redis::aio::MultiplexedConnection;
use redis::{RedisResult, Value};

use super::config::ConnectError;

const OLDEST: (u32, u32) = (6, 2);

/// Refuses a server that is too old, and warns of one that may lose matches.
pub(super) async fn check(mut server: MultiplexedConnection) -> Result<(), ConnectError> {
    let version = version(&mut server).await.map_err(ConnectError::Unreachable)?;
    if !is_at_least(&version, OLDEST) {
        return Err(ConnectError::TooOld(version));
    }
    warn_unless(&mut server, "appendonly", "yes", "what was acknowledged is lost when the server stops").await;
    warn_unless(&mut server, "maxmemory-policy", "noeviction", "matches vanish when memory is short").await;
    Ok(())
}

/// The server's version, as it says it.
pub(super) async fn version(server: &mut MultiplexedConnection) -> RedisResult<String> {
    let info: String = redis::cmd("INFO").arg("server").query_async(server).await?;
    Ok(info.lines().find_map(|line| line.strip_prefix("redis_version:")).unwrap_or_default().trim().to_owned())
}

/// Whether a version is this one or a later one.
pub(super) fn is_at_least(version: &str, oldest: (u32, u32)) -> bool {
    let mut parts = version.split('.').map(str::parse::<u32>);
    match (parts.next(), parts.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => (major, minor) >= oldest,
        _ => false,
    }
}

async fn warn_unless(server: &mut MultiplexedConnection, setting: &str, right: &str, otherwise: &str) {
    let answer: RedisResult<Value> = redis::cmd("CONFIG").arg("GET").arg(setting).query_async(server).await;
    let found: Option<std::collections::HashMap<String, String>> =
        answer.ok().and_then(|answer| redis::from_redis_value(answer).ok());
    match found.as_ref().and_then(|found| found.get(setting)) {
        Some(value) if value == right => {}
        Some(value) => tracing::warn!("Redis has {setting} {value} and should have {right}: {otherwise}"),
        None => tracing::warn!("could not check that Redis has {setting} {right}; otherwise {otherwise}"),
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
