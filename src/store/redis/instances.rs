//! Instances: a sorted set of heartbeats and a list of outages.
//!
//! The two live in different slots. So an outage is noted before the heartbeat that ends it: who dies in between leaves it
//! to the next one to find.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::script::{BEAT, OUTAGE};
use crate::instances::{before, outage};
use crate::{INSTANCE_DEAD_AFTER, Instances, OUTAGES_KEPT, Outage, Result, StoreError};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

#[async_trait]
impl Instances for RedisStore {
    async fn beat(&self, id: &InstanceId, alive_since: Timestamp) -> Result<u32> {
        let (shared, now) = (&self.shared, self.shared.now());
        let mut newest = command("ZREVRANGE", shared.keys.instances());
        newest.arg(0).arg(0).arg("WITHSCORES");
        // As pairs, whichever form the protocol gives them.
        let newest: Vec<(String, f64)> = read(shared.client.send_again_if_lost(&newest).await?)?;
        let last = newest.first().map(|(_, at)| Timestamp(*at as i64));
        if let Some(Outage { from, to }) = outage(last, alive_since) {
            let mut note = OUTAGE.on(&[shared.keys.outages()]);
            note.arg(from.0).arg(to.0).arg(before(now, OUTAGES_KEPT).0);
            shared.client.keep_once(note).await?;
        }
        let mut beat = BEAT.on(&[shared.keys.instances()]);
        beat.arg(id.as_str()).arg(now.0).arg(before(now, INSTANCE_DEAD_AFTER).0);
        read(shared.client.send_again_if_lost(&beat).await?)
    }

    async fn outages(&self) -> Result<Vec<Outage>> {
        let mut range = command("LRANGE", self.shared.keys.outages());
        range.arg(0).arg(-1);
        let texts: Vec<String> = read(self.shared.client.send_again_if_lost(&range).await?)?;
        let forgotten = before(self.shared.now(), OUTAGES_KEPT);
        let outages = texts.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
        Ok(outages.into_iter().filter(|outage| outage.to >= forgotten).collect())
    }
}

fn parse(text: &str) -> Result<Outage> {
    let parts = text.split_once(':').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to) = parts.ok_or_else(|| StoreError::Corrupt("an outage is unreadable".to_owned()))?;
    Ok(Outage { from: Timestamp(from), to: Timestamp(to) })
}
