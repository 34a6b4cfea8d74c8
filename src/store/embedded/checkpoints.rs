//! Checkpoints: one entry each, in the order of their versions.

use super::database::{Outcome, Snapshot};
use super::layout::CHECKPOINTS;
use crate::{Checkpoint, Stamp};

pub(super) fn newest(transaction: &Snapshot, id: u128, at_most: u64) -> Outcome<Option<Checkpoint>> {
    let found = transaction.open_table(CHECKPOINTS)?.range((id, 0)..=(id, at_most))?.next_back().transpose()?;
    Ok(found.map(|(key, value)| {
        let ((_, version), (stamp, state)) = (key.value(), value.value());
        Checkpoint { version, stamp: Stamp::from_number(stamp), state: state.to_vec() }
    }))
}
