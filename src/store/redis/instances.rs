//! Instances: a sorted set of heartbeats, the moment at which the service was last there, and a list of outages. All three
//! share a slot, so one script notes a heartbeat and the outage that ends with it.

use std::time::Duration;

use async_trait::async_trait;
use redis::Cmd;

use super::RedisStore;
use super::client::{command, command_with, read};
use super::live;
use super::script::{BEAT, LEAVE};
use crate::instances::{before, earliest};
use crate::keys::{SERVES_ONLY, outage};
use crate::{
    BEATEN_WITHIN, Beat, Beaten, INSTANCE_DEAD_AFTER, Instances, OUTAGES_KEPT, Outage, Presence, Result, StreamsMessage,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

#[async_trait]
impl Instances for RedisStore {
    async fn confirm(&self) -> Result<()> {
        self.shared.client.settle(self.shared.keys.instances("settled")).await
    }

    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        let (shared, now) = (&self.shared, self.shared.now());
        let Beat { id, works, presence, known } = beat;
        let mut note = BEAT.on(&["beats", "there", "outages"].map(|name| shared.keys.instances(name)));
        note.arg(if works { id.to_string() } else { format!("{SERVES_ONLY}{id}") });
        note.arg(now.0).arg(before(now, INSTANCE_DEAD_AFTER).0);
        note.arg(earliest(presence, now).map(|from| from.0.to_string()).unwrap_or_default());
        let usual = if presence == Presence::Started && self.is_alone().await { Duration::ZERO } else { BEATEN_WITHIN };
        note.arg(usual.as_millis() as u64).arg(before(now, OUTAGES_KEPT).0);
        note.arg(known.map(text).unwrap_or_default());
        let answer = match presence {
            Presence::Unbroken => shared.client.send_again_if_lost(&note).await?,
            // The heartbeat may note an outage, which must survive a failover.
            Presence::Started | Presence::Resumed(_) => shared.client.keep_once(note).await?,
        };
        let (working, changed, told): (u32, bool, Vec<Vec<u8>>) = read(answer)?;
        let mut outages = Vec::with_capacity(told.len());
        for told in told {
            match std::str::from_utf8(&told).ok().and_then(outage) {
                Some(outage) => outages.push(outage),
                None => self.forget_outage(&told).await?,
            }
        }
        Ok(Beaten { at: now, working, outages: changed.then_some(outages) })
    }

    async fn leave(&self, id: &InstanceId, at: Timestamp) -> Result<()> {
        let keys = &self.shared.keys;
        let mut leave = LEAVE.on(&["beats", "there"].map(|name| keys.instances(name)));
        leave.arg(id.as_str()).arg(format!("{SERVES_ONLY}{id}")).arg(at.0);
        self.shared.client.keep_once(leave).await.map(drop)
    }

    async fn was_there(&self) -> Result<Option<Timestamp>> {
        let there = command("GET", self.shared.keys.instances("there"));
        let there: Option<i64> = read(self.shared.client.send_again_if_lost(&there).await?)?;
        Ok(there.map(Timestamp))
    }

    async fn announce_streams(&self, message: &StreamsMessage) -> Result<()> {
        let publish = command_with("PUBLISH", self.shared.keys.live(), live::encode(message));
        self.shared.client.send_once(&publish).await.map(drop)
    }
}

impl RedisStore {
    /// Returns true if no other process is connected to the live messages: one that was killed counts as living by its
    /// heartbeat for a while, but its connection is gone. In a cluster each node knows its own connections alone.
    async fn is_alone(&self) -> bool {
        let mut question = Cmd::new();
        question.arg("PUBSUB").arg("NUMSUB").arg(self.shared.keys.live());
        let connected = self.shared.client.ask::<(String, u64)>(&question).await;
        self.shared.client.is_one_place() && connected.is_ok_and(|(_, connected)| connected <= 1)
    }

    /// Removes an entry of the list of outages that cannot be read: it must not stop the heartbeats, nor every clock with
    /// them.
    async fn forget_outage(&self, entry: &[u8]) -> Result<()> {
        tracing::warn!("an outage that cannot be read is forgotten: it is credited to nobody any more");
        let remove = command_with("LREM", self.shared.keys.instances("outages"), (0, entry));
        self.shared.client.keep_once(remove).await.map(drop)
    }
}

fn text(outage: Outage) -> String {
    format!("{}:{}", outage.from.0, outage.to.0)
}
