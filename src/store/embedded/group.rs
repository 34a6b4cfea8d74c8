//! What a write works on: the transaction that it shares with the writes of its group.

use super::layout::Tables;
use crate::Live;
use sarsen_base::ambient::Timestamp;

/// What a write works on.
pub(super) struct Group<'txn> {
    /// The tables, with all that the writes before this one have done.
    pub tables: Tables<'txn>,
    /// What will have become true once the transaction is on the disk.
    pub live: Vec<Live>,
    /// The moment at which the group began.
    pub now: Timestamp,
    /// How many writes turned out to have nothing to write.
    pub idle: usize,
    /// How many writes are so small that they may well reach a disk that is full for all others.
    pub slight: usize,
}
