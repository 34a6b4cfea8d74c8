//! Checkpoints: one entry each, in the order of their versions.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::layout::CHECKPOINTS;
use crate::{Checkpoint, Checkpoints, Result, Stamp};
use sarsen_base::ids::MatchId;

#[async_trait]
impl Checkpoints for Embedded {
    async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>> {
        self.read(|transaction| newest(transaction, id.number(), at_most))
    }

    async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()> {
        let (id, left) = (id.number(), checkpoint.clone());
        self.write(move |group| {
            if group.tables.matches.get(id)?.is_none() {
                group.idle += 1;
                return Ok(());
            }
            let value = (left.stamp.number(), left.state.as_slice());
            group.tables.checkpoints.insert((id, left.version), value)?;
            Ok(())
        })
        .await
    }
}

fn newest(transaction: &Snapshot, id: u128, at_most: u64) -> Outcome<Option<Checkpoint>> {
    let found = transaction.open_table(CHECKPOINTS)?.range((id, 0)..=(id, at_most))?.next_back().transpose()?;
    Ok(found.map(|(key, value)| {
        let ((_, version), (stamp, state)) = (key.value(), value.value());
        Checkpoint { version, stamp: Stamp::from_number(stamp), state: state.to_vec() }
    }))
}
