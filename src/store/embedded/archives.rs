//! Archives: one entry of a table replaces those of the log.

use redb::ReadableTable;

use super::database::{Outcome, Snapshot};
use super::group::Group;
use super::layout::ARCHIVES;
use super::{due, log};
use crate::archives::unpack;
use crate::{Archived, Due, Stamp};

/// Archives a match. Checks before it writes, so a conflict leaves nothing behind.
pub(super) fn archive(
    group: &mut Group<'_>,
    id: u128,
    expected: u64,
    expected_stamp: Stamp,
    packed: &[u8],
    due: Due,
) -> Outcome<Archived> {
    if !group.is_at(id, expected, Some(expected_stamp))? {
        return group.unchanged(Archived::Conflict);
    }
    let tables = &mut group.tables;
    if tables.archives.get(id)?.is_some() {
        return group.unchanged(Archived::Already);
    }
    tables.archives.insert(id, packed)?;
    log::remove(tables, id)?;
    // No player and no key is above the upper bound of the range.
    tables.replays.retain_in((id, 0, "")..(id.saturating_add(1), 0, ""), |_, _| false)?;
    due::set(tables, id, due)?;
    Ok(Archived::Yes)
}

/// Returns the log of an archived match; empty where there is none.
pub(super) fn log(transaction: &Snapshot, id: u128) -> Outcome<Vec<Vec<u8>>> {
    let found = transaction.open_table(ARCHIVES)?.get(id)?;
    let Some(packed) = found else { return Ok(Vec::new()) };
    unpack(packed.value()).map_err(|error| redb::Error::Corrupted(error.to_string()))
}
