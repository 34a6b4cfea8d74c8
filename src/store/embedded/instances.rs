//! Instances: this process is the only one; what it leaves behind is when it lived last.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::group::Group;
use super::layout::OUTAGES;
use crate::instances::{before, outage};
use crate::{Instances, OUTAGES_KEPT, Outage, Result};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::InstanceId;

#[async_trait]
impl Instances for Embedded {
    async fn beat(&self, _: &InstanceId, alive_since: Timestamp) -> Result<u32> {
        self.write(move |group| beat(group, alive_since)).await.map(|()| 1)
    }

    async fn outages(&self) -> Result<Vec<Outage>> {
        let forgotten = before(self.ambient.now(), OUTAGES_KEPT);
        self.read_many(usize::MAX, move |transaction| read(transaction, forgotten)).await
    }
}

fn beat(group: &mut Group<'_>, alive_since: Timestamp) -> Outcome<()> {
    let now = group.now;
    // It shows nothing of whether a move would reach the disk.
    group.slight += 1;
    let tables = &mut group.tables;
    let last = tables.heartbeat.insert((), now.0)?.map(|last| Timestamp(last.value()));
    if let Some(Outage { from, to }) = outage(last, alive_since) {
        tables.outages.insert(from.0, to.0)?;
        let forgotten = before(now, OUTAGES_KEPT);
        tables.outages.retain(|_, to| to >= forgotten.0)?;
    }
    Ok(())
}

fn read(transaction: &Snapshot, forgotten: Timestamp) -> Outcome<Vec<Outage>> {
    let mut outages = Vec::new();
    for entry in transaction.open_table(OUTAGES)?.iter()? {
        let (from, to) = entry?;
        if to.value() >= forgotten.0 {
            outages.push(Outage { from: Timestamp(from.value()), to: Timestamp(to.value()) });
        }
    }
    Ok(outages)
}
