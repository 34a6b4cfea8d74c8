//! Subscriptions on one server: a message is published only if some instance has subscribed to it.
//!
//! Matches and inboxes fall into buckets; the server keeps the end of the subscription of each (`hear.lua`), and a
//! commit checks it (`commit.lua`). So a move without followers wakes nobody, on any instance. In a cluster, where the
//! subscriptions would be in another slot than the match, everything is published.
//!
//! Invariants: a subscription is known here only once the server has it, and is forgotten before a new connection sends
//! [`super::Live::Resync`], since a failover may have lost it. A bucket covers more than the subscribed topics, which
//! is harmless.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::client::RedisClient;
use super::script::HEAR;
use crate::keys::{Keys, fnv};
use crate::{Result, Topic};
use sarsen_base::ids::{MatchId, PlayerId};

/// The number of buckets of matches, and of inboxes. All instances must agree.
const BUCKETS: u64 = 1024;
/// The time for which the server keeps a subscription.
const KEPT: Duration = Duration::from_secs(240);
/// The time for which this instance relies on it, well before its end.
const SURE: Duration = Duration::from_secs(120);

fn bucket(kind: &str, id: &str) -> String {
    [kind, &(fnv(id) % BUCKETS).to_string()].concat()
}

/// Returns the bucket of a match.
pub(super) fn of_match(id: &MatchId) -> String {
    bucket("m", id.as_str())
}

/// Returns the bucket of an inbox.
pub(super) fn of_inbox(player: &PlayerId) -> String {
    bucket("p", player.as_str())
}

fn of(topic: &Topic) -> String {
    match topic {
        Topic::Match(id) => of_match(id),
        Topic::Inbox(player) => of_inbox(player),
    }
}

/// The subscriptions that the server is known to have.
#[derive(Default)]
pub(super) struct Asked(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The moment of the subscription, by bucket.
    since: HashMap<String, Instant>,
    /// The number of times that all were forgotten.
    forgotten: u64,
}

impl Asked {
    fn known<T>(&self, read: impl FnOnce(&mut Known) -> T) -> T {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_sure(&self, bucket: &str) -> bool {
        self.known(|known| known.since.get(bucket).is_some_and(|since| since.elapsed() < SURE))
    }

    pub(super) fn forget(&self) {
        self.known(|known| {
            known.since.clear();
            known.forgotten += 1;
        });
    }
}

impl Asked {
    /// Returns true if the server is sure to publish the topic for some time.
    pub(super) fn is_subscribed(&self, client: &RedisClient, topic: &Topic) -> bool {
        !client.is_one_place() || self.is_sure(&of(topic))
    }

    /// Subscribes to these topics.
    pub(super) async fn subscribe(&self, client: &RedisClient, keys: &Keys, topics: &[Topic]) -> Result<()> {
        let mut buckets: Vec<String> = topics.iter().map(of).collect();
        buckets.sort_unstable();
        buckets.dedup();
        if buckets.is_empty() || !client.is_one_place() {
            return Ok(());
        }
        let (begun, forgotten) = (Instant::now(), self.known(|known| known.forgotten));
        client.send_again_if_lost(&HEAR.call(&[keys.heard()], (KEPT.as_secs(), &buckets))).await?;
        self.known(|known| {
            if known.forgotten == forgotten {
                known.since.extend(buckets.into_iter().map(|bucket| (bucket, begun)));
            }
        });
        Ok(())
    }
}
