//! Logs of matches: each entry in a stretch with those beside it.
//!
//! Invariant: version `n` of a match has the `n`-th entry, here or in its archive.

use super::archives;
use super::database::{Outcome, Snapshot};
use super::layout::{LOG, Tables};
use super::stretches::{self, End};
use crate::archives::stretch;
use sarsen_base::ids::MatchId;

/// Adds the entry of the step that made `version`.
pub(super) fn push(tables: &mut Tables<'_>, id: u128, version: u64, entry: &[u8]) -> Outcome<()> {
    End::of(&tables.log, id)?.push(&mut tables.log, version, entry)?;
    Ok(())
}

pub(super) fn remove(tables: &mut Tables<'_>, id: u128) -> Outcome<()> {
    stretches::remove(&mut tables.log, id)
}

/// Returns the entries of the versions after `after`, at most `limit` of them, from the log or the archive.
pub(super) fn read(transaction: &Snapshot, id: &MatchId, after: u64, limit: usize) -> Outcome<Vec<Vec<u8>>> {
    let Some(first) = after.checked_add(1) else { return Ok(Vec::new()) };
    let found = stretches::read(&transaction.open_table(LOG)?, id.number(), first, limit)?;
    if found.is_empty() && limit > 0 {
        return Ok(stretch(archives::log(transaction, id.number())?, after, limit));
    }
    Ok(found.into_iter().map(|(_, entry)| entry).collect())
}
