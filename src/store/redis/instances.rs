//! Instances: a sorted set of heartbeats, the moment at which the service was last there, and a list of outages. All three
//! share a slot, so one script notes a heartbeat and the outage that ends with it.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::live;
use super::script::{BEAT, LEAVE};
use crate::instances::{before, earliest};
use crate::{
    BEATEN_WITHIN, Beat, Beaten, INSTANCE_DEAD_AFTER, Instances, OUTAGES_KEPT, Outage, Presence, Result, StoreError,
    StreamsMessage,
};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

/// The prefix of instances that only serve, in the sorted set.
const SERVES_ONLY: &str = "-";

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
        note.arg(BEATEN_WITHIN.as_millis() as u64).arg(before(now, OUTAGES_KEPT).0);
        note.arg(known.map(text).unwrap_or_default());
        let answer = match presence {
            Presence::Unbroken => shared.client.send_again_if_lost(&note).await?,
            // The heartbeat may note an outage, which must survive a failover.
            Presence::Started | Presence::Resumed(_) => shared.client.keep_once(note).await?,
        };
        let (working, changed, outages): (u32, bool, Vec<String>) = read(answer)?;
        let outages = outages.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
        Ok(Beaten { at: now, working, outages: changed.then_some(outages) })
    }

    async fn leave(&self, id: &InstanceId, at: Timestamp) -> Result<()> {
        let keys = &self.shared.keys;
        let mut leave = LEAVE.on(&["beats", "there"].map(|name| keys.instances(name)));
        leave.arg(id.as_str()).arg(format!("{SERVES_ONLY}{id}")).arg(at.0);
        self.shared.client.keep_once(leave).await.map(drop)
    }

    async fn announce_streams(&self, message: &StreamsMessage) -> Result<()> {
        let mut publish = command("PUBLISH", self.shared.keys.live());
        publish.arg(live::encode(message));
        self.shared.client.send_once(&publish).await.map(drop)
    }
}

fn text(outage: Outage) -> String {
    format!("{}:{}", outage.from.0, outage.to.0)
}

fn parse(text: &str) -> Result<Outage> {
    let parts = text.split_once(':').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to) = parts.ok_or_else(|| StoreError::Corrupt("an outage is unreadable".to_owned()))?;
    Ok(Outage { from: Timestamp(from), to: Timestamp(to) })
}
