//! The context of a write: the transaction that it shares with the writes of its group.

use redb::ReadableTable;

use super::database::Outcome;
use super::layout::Tables;
use crate::{Live, Stamp};
use sarsen_base::ambient::Timestamp;

/// The context of a write.
pub(super) struct Group<'txn> {
    /// The tables, with the changes of the earlier writes of the group.
    pub(crate) tables: Tables<'txn>,
    /// The messages to publish once the transaction is on the disk.
    pub(crate) live: Vec<Live>,
    /// The moment at which the group began.
    pub(crate) now: Timestamp,
    /// The number of writes that changed nothing.
    pub(crate) idle: usize,
    /// The number of writes so small that they may well reach a disk that is full for all others.
    pub(crate) slight: usize,
}

impl Group<'_> {
    /// Returns the answer of a write that has changed nothing.
    pub(super) fn unchanged<T>(&mut self, answer: T) -> Outcome<T> {
        self.idle += 1;
        Ok(answer)
    }

    /// Returns true if the match is at this version, made by the step of this stamp: another step may have made it
    /// after a failover. Version 0, without a stamp, is a match that does not exist.
    pub(super) fn is_at(&self, id: u128, expected: u64, expected_stamp: Option<Stamp>) -> Outcome<bool> {
        let present = self.tables.matches.get(id)?.map_or((0, None), |found| {
            let (version, stamp, _) = found.value();
            (version, Some(Stamp::from_number(stamp)))
        });
        Ok(present == (expected, expected_stamp))
    }
}
