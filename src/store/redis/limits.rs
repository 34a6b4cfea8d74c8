//! Small things with an end: token buckets, values to be taken once, the sign of readiness. The server's clock counts.

use redis::Cmd;

use super::Shared;
use super::link::read;
use super::script::TAKE;
use crate::store::{Limit, Result, Taken};

pub(super) async fn take(shared: &Shared, bucket: &str, limit: Limit) -> Result<Taken> {
    let mut call = TAKE.on(&[&shared.keys.bucket(bucket)]);
    call.arg(limit.burst).arg(limit.per_minute);
    let (allowed, remaining, retry_after_millis) = read(shared.link.once(&call).await?)?;
    Ok(Taken { allowed, remaining, retry_after_millis })
}

pub(super) async fn put_ticket(shared: &Shared, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
    let mut command = Cmd::new();
    let key = shared.keys.once(key);
    match seconds {
        0 => command.arg("DEL").arg(key),
        _ => command.arg("SET").arg(key).arg(value).arg("EX").arg(seconds),
    };
    shared.link.once(&command).await.map(drop)
}

pub(super) async fn take_ticket(shared: &Shared, key: &str) -> Result<Option<Vec<u8>>> {
    let mut command = Cmd::new();
    command.arg("GETDEL").arg(shared.keys.once(key));
    read(shared.link.once(&command).await?)
}

/// Writes, because a server that only answers is not ready: a replica, one out of memory or one that cannot save.
pub(super) async fn ready(shared: &Shared) -> Result<()> {
    let mut command = Cmd::new();
    command.arg("SET").arg(shared.keys.ready()).arg(1).arg("EX").arg(10);
    shared.link.again(&command).await.map(drop)
}
