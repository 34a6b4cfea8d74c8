//! What is heard on one server: only of what some instance has asked for are messages published.
//!
//! Matches and inboxes fall into buckets; the server keeps until when each is wanted (`hear.lua`), and a commit looks there
//! (`commit.lua`). So a move that nobody follows wakes nobody, on any instance. In a cluster, where that would be another
//! slot than the match's, everything is published.
//!
//! Invariants: what is asked for is known here only once the server has it, and forgotten before a new subscription tells
//! [`super::Live::Resync`], since a failover may have lost it. A bucket holds more than what was asked for; that is of no
//! account.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::client::RedisClient;
use super::script::HEAR;
use crate::keys::{Keys, fnv};
use crate::{Result, Topic};
use sarsen_base::ids::{MatchId, PlayerId};

/// Into how many buckets matches fall, and into how many inboxes. All instances must agree.
const BUCKETS: u64 = 1024;
/// For how long the server keeps what it was asked for.
const KEPT: Duration = Duration::from_secs(240);
/// For how long it is taken to be kept: until that long before its end.
const SURE: Duration = Duration::from_secs(120);

fn bucket(kind: &str, id: &str) -> String {
    [kind, &(fnv(id) % BUCKETS).to_string()].concat()
}

/// The bucket of a match.
pub(super) fn of_match(id: &MatchId) -> String {
    bucket("m", id.as_str())
}

/// The bucket of an inbox.
pub(super) fn of_inbox(player: &PlayerId) -> String {
    bucket("p", player.as_str())
}

fn of(topic: &Topic) -> String {
    match topic {
        Topic::Match(id) => of_match(id),
        Topic::Inbox(player) => of_inbox(player),
    }
}

/// What the server is known to keep.
#[derive(Default)]
pub(super) struct Asked(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Since when, by bucket.
    since: HashMap<String, Instant>,
    /// How often it was forgotten.
    forgotten: u64,
}

impl Asked {
    fn known<T>(&self, read: impl FnOnce(&mut Known) -> T) -> T {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_sure(&self, bucket: &str) -> bool {
        self.known(|known| known.since.get(bucket).is_some_and(|since| since.elapsed() < SURE))
    }

    /// What was asked for counts no more.
    pub(super) fn forget(&self) {
        self.known(|known| {
            known.since.clear();
            known.forgotten += 1;
        });
    }
}

impl Asked {
    /// Whether the server is sure to publish this for a while yet.
    pub(super) fn is_subscribed(&self, client: &RedisClient, topic: &Topic) -> bool {
        !client.is_one_place() || self.is_sure(&of(topic))
    }

    /// Has the server publish these.
    pub(super) async fn subscribe(&self, client: &RedisClient, keys: &Keys, topics: &[Topic]) -> Result<()> {
        let mut buckets: Vec<String> = topics.iter().map(of).collect();
        buckets.sort_unstable();
        buckets.dedup();
        if buckets.is_empty() || !client.is_one_place() {
            return Ok(());
        }
        let (begun, forgotten) = (Instant::now(), self.known(|known| known.forgotten));
        let mut call = HEAR.on(&[keys.heard()]);
        call.arg(KEPT.as_secs()).arg(&buckets);
        client.send_again_if_lost(&call).await?;
        self.known(|known| {
            if known.forgotten == forgotten {
                known.since.extend(buckets.into_iter().map(|bucket| (bucket, begun)));
            }
        });
        Ok(())
    }
}
