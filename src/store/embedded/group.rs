//! What a write works on: the transaction that it shares with the writes of its group.

use redb::ReadableTable;

use super::database::Outcome;
use super::layout::Tables;
use crate::{Live, Stamp};
use sarsen_base::ambient::Timestamp;

/// What a write works on.
pub(super) struct Group<'txn> {
    /// The tables, with all that the writes before this one have done.
    pub(crate) tables: Tables<'txn>,
    /// What will have become true once the transaction is on the disk.
    pub(crate) live: Vec<Live>,
    /// The moment at which the group began.
    pub(crate) now: Timestamp,
    /// How many writes turned out to have nothing to write.
    pub(crate) idle: usize,
    /// How many writes are so small that they may well reach a disk that is full for all others.
    pub(crate) slight: usize,
}

impl Group<'_> {
    /// Whether the match is at this version, made by the step of this stamp: another step may have made it after a
    /// failover. Version 0, without a stamp, is a match that does not exist.
    pub(super) fn is_at(&self, id: u128, expected: u64, expected_stamp: Option<Stamp>) -> Outcome<bool> {
        let present = self.tables.matches.get(id)?.map_or((0, None), |found| {
            let (version, stamp, _) = found.value();
            (version, Some(Stamp::from_number(stamp)))
        });
        Ok(present == (expected, expected_stamp))
    }
}
