//! Scanning: all keys of a kind, on every server that has some.
//!
//! Invariant: a scan goes from its first to its last page over the same servers, and each of them has not been started
//! anew meanwhile: a cursor means nothing to another server, and keys would be passed over in silence. Otherwise the
//! scan fails, and whoever wanted it begins again.

use redis::{Cmd, Value};
use serde::{Deserialize, Serialize};

use super::RedisStore;
use super::link::read;
use crate::store::{PageStart, Result, StoreError};

/// About how many keys a server looks at for a page.
const COUNT: usize = 1000;

/// Where a page begins.
#[derive(Serialize, Deserialize)]
struct Position {
    /// The masters that are left, `host:port`, the present one last. One without a name where there is but one.
    masters: Vec<String>,
    /// What the present one gave, 0 at first.
    cursor: String,
    /// Which run of the present one gave it.
    run: Option<String>,
}

fn broken(what: &str) -> StoreError {
    StoreError::Unavailable(what.to_owned().into())
}

impl RedisStore {
    /// A page of the keys that match a pattern, and where the next one begins. The servers may name a key twice.
    pub(super) async fn scan(
        &self,
        pattern: &str,
        from: Option<&PageStart>,
    ) -> Result<(Vec<String>, Option<PageStart>)> {
        let foreign = |error: serde_json::Error| StoreError::Corrupt(format!("not a place in this inventory: {error}"));
        let mut position: Position = match from {
            Some(from) => serde_json::from_str(&from.0).map_err(foreign)?,
            None => Position { masters: self.shared.link.masters().await?, cursor: "0".to_owned(), run: None },
        };
        let Some(master) = position.masters.last().cloned() else { return Ok((Vec::new(), None)) };
        let mut info = Cmd::new();
        info.arg("INFO").arg("server");
        let mut scan = Cmd::new();
        scan.arg("SCAN").arg(&position.cursor).arg("MATCH").arg(pattern).arg("COUNT").arg(COUNT);
        let mut answers = self.shared.link.ask_master(&master, vec![info, scan]).await?.into_iter();
        let (Some(info), Some(page)) = (answers.next(), answers.next()) else {
            return Err(broken("a server left a question without an answer"));
        };
        let run = run_of(&read::<String>(info)?).ok_or_else(|| broken("a server does not say which run it is"))?;
        if position.run.as_ref().is_some_and(|before| *before != run) {
            return Err(broken("a server was started anew or replaced while its keys were listed; begin again"));
        }
        let (cursor, keys): (String, Vec<String>) = read(page)?;
        if cursor == "0" {
            position.masters.pop();
            position.run = None;
        } else {
            position.run = Some(run);
        }
        position.cursor = cursor;
        let more = !position.masters.is_empty();
        let next = more.then(|| serde_json::to_string(&position).map(PageStart)).transpose().map_err(foreign)?;
        Ok((keys, next))
    }
}

/// The run that a server's description names.
fn run_of(info: &str) -> Option<String> {
    info.lines().find_map(|line| line.strip_prefix("run_id:")).map(|run| run.trim().to_owned())
}

/// The masters that a cluster's table of slots names, each once.
pub(super) fn masters_of(slots: Value) -> Result<Vec<String>> {
    let mut masters = Vec::new();
    for row in read::<Vec<Vec<Value>>>(slots)? {
        let Some(node) = row.into_iter().nth(2) else { continue };
        let mut node = read::<Vec<Value>>(node)?.into_iter();
        let (Some(host), Some(port)) = (node.next(), node.next()) else { continue };
        let (host, port): (Option<String>, u16) = (read(host)?, read(port)?);
        let host =
            host.filter(|host| !host.is_empty()).ok_or_else(|| broken("a node does not know its own address"))?;
        let master = format!("{host}:{port}");
        if !masters.contains(&master) {
            masters.push(master);
        }
    }
    Ok(masters)
}
