//! Check that a server and its replicas write to their disks before they answer, so that a commit can wait for the
//! disks too.

use std::collections::HashMap;
use std::sync::Weak;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, RedisResult, Role};
use tokio::time::sleep;

use crate::access::Server;
use crate::address::Address;
use crate::checks::{is_at_least, version};

/// The first version with `WAITAOF`.
const OLDEST: (u32, u32) = (7, 2);

/// The interval between two checks: replicas come, go and change their settings.
const LOOKING: Duration = Duration::from_secs(10);

/// Keeps `to_disk` up to date, as long as it is read: true if a server and all of its replicas write to their disks
/// before they answer. False where one of them syncs only every second, since a commit would have to wait that long,
/// and where one does not report its settings.
pub(crate) async fn follow(server: Server, limit: Duration, wanted: u32, to_disk: Weak<AtomicBool>) {
    while let Some(flag) = to_disk.upgrade() {
        let all_do = all_write_at_once(&server, limit, wanted).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "how the replicas write is not known, and their disks are not waited for");
            false
        });
        flag.store(all_do, Ordering::Relaxed);
        drop(flag);
        sleep(LOOKING).await;
    }
}

async fn all_write_at_once(server: &Server, limit: Duration, wanted: u32) -> RedisResult<bool> {
    let mut master = connect(server, limit).await?;
    if !is_at_least(&version(&mut master).await?, OLDEST) || !writes_at_once(&mut master).await? {
        return Ok(false);
    }
    let replicas = match redis::cmd("ROLE").query_async(&mut master).await? {
        Role::Primary { replicas, .. } if replicas.len() >= wanted as usize => replicas,
        _ => return Ok(false),
    };
    for replica in replicas {
        let address = Address { host: replica.ip, port: replica.port };
        let replica = server.at(&address)?;
        if !writes_at_once(&mut connect(&replica, limit).await?).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn connect(server: &Server, limit: Duration) -> RedisResult<MultiplexedConnection> {
    let settings = AsyncConnectionConfig::new().set_connection_timeout(Some(limit)).set_response_timeout(Some(limit));
    server.connect(&settings).await
}

async fn writes_at_once(server: &mut MultiplexedConnection) -> RedisResult<bool> {
    let mut found: HashMap<String, String> = HashMap::new();
    for setting in ["appendonly", "appendfsync"] {
        let answer: HashMap<String, String> = redis::cmd("CONFIG").arg("GET").arg(setting).query_async(server).await?;
        found.extend(answer);
    }
    let is = |setting: &str, value: &str| found.get(setting).is_some_and(|found| found == value);
    Ok(is("appendonly", "yes") && is("appendfsync", "always"))
}
