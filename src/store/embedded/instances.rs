//! Instances: this process is the only one, and leaves behind the last moment at which it was there.

use async_trait::async_trait;
use redb::ReadableTable;
use tokio::time::timeout;

use super::database::Outcome;
use super::group::Group;
use super::layout::HEARTBEAT;
use super::{Embedded, PATIENCE, unavailable};
use crate::instances::{before, earliest};
use crate::{Beat, Beaten, Instances, OUTAGES_KEPT, Outage, Result, StreamsMessage};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

#[async_trait]
impl Instances for Embedded {
    async fn confirm(&self) -> Result<()> {
        timeout(PATIENCE, self.probe()).await.unwrap_or_else(|late| Err(unavailable(late)))
    }

    async fn beat(&self, beat: Beat) -> Result<Beaten> {
        self.write(move |group| note(group, &beat)).await
    }

    async fn leave(&self, _: &InstanceId, at: Timestamp) -> Result<()> {
        self.write(move |group| be_there(group, at).map(drop)).await
    }

    async fn was_there(&self) -> Result<Option<Timestamp>> {
        self.read(|transaction| Ok(transaction.open_table(HEARTBEAT)?.get(())?.map(|last| Timestamp(last.value()))))
    }

    async fn announce_streams(&self, _: &StreamsMessage) -> Result<()> {
        // There is no other instance.
        Ok(())
    }
}

/// Notes that the service is there at this moment. Returns the last moment before at which it was.
fn be_there(group: &mut Group<'_>, at: Timestamp) -> Outcome<Option<Timestamp>> {
    // So small a write does not show that a move would reach the disk.
    group.slight += 1;
    let heartbeat = &mut group.tables.heartbeat;
    let last = heartbeat.get(())?.map(|last| last.value());
    if last.is_none_or(|last| last < at.0) {
        heartbeat.insert((), at.0)?;
    }
    Ok(last.map(Timestamp))
}

fn note(group: &mut Group<'_>, beat: &Beat) -> Outcome<Beaten> {
    let now = group.now;
    let last = be_there(group, now)?;
    let outages = &mut group.tables.outages;
    if let Some(from) = last.zip(earliest(beat.presence, now)).map(|(last, earliest)| last.max(earliest))
        && from < now
    {
        // One that goes on stays one.
        let newest = outages.last()?.map(|(from, to)| (from.value(), to.value()));
        let from = newest.filter(|(_, to)| *to == from.0).map_or(from.0, |(begun, _)| begun);
        outages.insert(from, now.0)?;
        let forgotten = before(now, OUTAGES_KEPT);
        outages.retain(|_, to| to >= forgotten.0)?;
    }
    let read = |(from, to): (redb::AccessGuard<'_, i64>, redb::AccessGuard<'_, i64>)| Outage {
        from: Timestamp(from.value()),
        to: Timestamp(to.value()),
    };
    let newest = outages.last()?.map(read);
    let outages = match newest == beat.known {
        true => None,
        false => Some(outages.iter()?.map(|entry| entry.map(read)).collect::<Result<_, _>>()?),
    };
    Ok(Beaten { at: now, working: u32::from(beat.works), outages })
}
