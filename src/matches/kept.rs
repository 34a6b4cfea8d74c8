//! Matches that were read or written just now, decoded: the next request for one of them, and each of its watchers,
//! need not decode it again.
//!
//! Invariant: a kept table is given only for the very bytes that it was decoded from or encoded to, so it is what
//! decoding them again would give. What a match is, the store alone says.

use std::sync::Arc;

use quick_cache::sync::Cache;

use super::Refused;
use super::table::Table;
use crate::games::Games;
use crate::ids::MatchId;

/// How many matches are kept; those asked for least go first. One takes some KB.
const KEPT: usize = 4096;

/// The decoded matches of this process.
pub(super) struct Kept(Cache<MatchId, (Arc<[u8]>, Arc<Table>)>);

impl Kept {
    pub(super) fn new() -> Kept {
        Kept(Cache::new(KEPT))
    }

    /// The table of a stored record.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub(super) fn open(&self, games: &Games, id: &MatchId, record: &[u8]) -> Result<Arc<Table>, Refused> {
        if let Some((bytes, table)) = self.0.get(id)
            && *bytes == *record
        {
            return Ok(table);
        }
        let table = Table::open(games, record)?;
        Ok(self.keep(record.into(), table))
    }

    /// Keeps a table that was decoded from `record` or encoded to it.
    pub(super) fn keep(&self, record: Arc<[u8]>, table: Table) -> Arc<Table> {
        let table = Arc::new(table);
        self.0.insert(table.record.id.clone(), (record, table.clone()));
        table
    }
}
