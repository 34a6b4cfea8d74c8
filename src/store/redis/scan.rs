//! Scans of all keys of a kind, on all masters.
//!
//! Invariant: a scan covers the same servers from its first page to its last, and none of them has restarted meanwhile:
//! a cursor means nothing to another server, and the scan would miss keys silently. It would also miss keys that move
//! from a server that is still to be scanned to one that was. So at the end each must have the slots that it had at the
//! beginning, and none on their way. Otherwise the scan fails, and the caller begins again.

use redis::Value;
use serde::{Deserialize, Serialize};

use super::Shared;
use super::client::read;
use crate::{PageStart, Result, StoreError};

/// The approximate number of keys that a server examines for a page.
const COUNT: usize = 1000;

/// The beginning of a page.
#[derive(Serialize, Deserialize)]
struct Position {
    /// The masters that are left, `host:port`, the present one last. The empty name where there is only one.
    masters: Vec<String>,
    /// All masters and the slots that each had at the beginning.
    slots: Vec<(String, String)>,
    /// The cursor of the present master, 0 at first.
    cursor: String,
    /// The run id of the present master when it returned the cursor.
    run: Option<String>,
}

fn broken(what: &str) -> StoreError {
    StoreError::Unavailable(what.to_owned().into())
}

impl Shared {
    /// Returns a page of the keys that match a pattern, and the beginning of the next one. The servers may name a key
    /// twice.
    pub(super) async fn scan(
        &self,
        pattern: &str,
        from: Option<&PageStart>,
    ) -> Result<(Vec<String>, Option<PageStart>)> {
        let foreign = |error: serde_json::Error| StoreError::Corrupt(format!("not a place in this inventory: {error}"));
        let mut position: Position = match from {
            Some(from) => serde_json::from_str(&from.0).map_err(foreign)?,
            None => {
                let masters = self.client.masters().await?;
                let slots = self.slots_of(masters.clone()).await?;
                Position { masters, slots, cursor: "0".to_owned(), run: None }
            }
        };
        let Some(master) = position.masters.last().cloned() else { return Ok((Vec::new(), None)) };
        let info = redis::cmd("INFO").arg("server").take();
        let scan = redis::cmd("SCAN").arg((&position.cursor, "MATCH", pattern, "COUNT", COUNT)).take();
        let mut answers = self.client.ask_master(&master, vec![info, scan]).await?.into_iter();
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
        if !more {
            let masters = position.slots.iter().map(|(master, _)| master.clone()).collect();
            let now = self.slots_of(masters).await?;
            if now != position.slots || now.iter().any(|(_, slots)| on_their_way(slots)) {
                return Err(broken("slots of the cluster moved while its keys were listed; begin again"));
            }
        }
        let next = more.then(|| serde_json::to_string(&position).map(PageStart)).transpose().map_err(foreign)?;
        Ok((keys, next))
    }

    /// Returns the slots that each of these masters reports; one server has no slots.
    async fn slots_of(&self, masters: Vec<String>) -> Result<Vec<(String, String)>> {
        let mut all = Vec::new();
        for master in masters {
            let mut slots = String::new();
            if !master.is_empty() {
                let nodes = redis::cmd("CLUSTER").arg("NODES").take();
                let answer = self.client.ask_master(&master, vec![nodes]).await?.pop().unwrap_or(Value::Nil);
                slots = own_slots(&read::<String>(answer)?)
                    .ok_or_else(|| broken("a node of the cluster does not say what it has"))?;
            }
            all.push((master, slots));
        }
        Ok(all)
    }
}

/// Returns the slots in a node's line about itself: behind its id, address, flags, master, two moments, epoch and
/// state.
fn own_slots(nodes: &str) -> Option<String> {
    let own = nodes.lines().find(|line| {
        line.split_whitespace().nth(2).is_some_and(|flags| flags.split(',').any(|flag| flag == "myself"))
    })?;
    Some(own.split_whitespace().skip(8).collect::<Vec<_>>().join(" "))
}

/// Returns true if some of these slots are on their way from or to another node: `[93->-<id>]`, `[93-<-<id>]`.
fn on_their_way(slots: &str) -> bool {
    slots.contains('[')
}

/// Returns the run id in a server's description.
fn run_of(info: &str) -> Option<String> {
    info.lines().find_map(|line| line.strip_prefix("run_id:")).map(|run| run.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_tells_its_own_slots() {
        let others = "aa 127.0.0.1:7001@17001 master - 0 1 2 connected 5461-10922\n";
        let own = "bb 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-92 94-5460";
        assert_eq!(own_slots(&format!("{others}{own}\n")).as_deref(), Some("0-92 94-5460"));
        assert_eq!(own_slots(others), None);
        assert!(!on_their_way("0-92 94-5460"));
        for moving in ["0-5460 [93->-aa]", "0-5460 [5461-<-aa]"] {
            assert!(on_their_way(&own_slots(&format!("bb x myself,master - 0 0 1 connected {moving}")).unwrap()));
        }
    }
}
