//! Copying all tables into another file.
//!
//! Invariant: every table of the file is copied; a test compares.

use redb::{Key, ReadableTable, TableDefinition, TableError, Value, WriteTransaction};

use super::database::{Outcome, Snapshot};
use super::layout::{
    ARCHIVES, AUDIT, BOARD, CHECKPOINTS, DELETED, DIRECTORY, DUE, DUE_OF, EXPIRIES, HEARTBEAT, INBOX, ITEMS, JOBS,
    JOBS_DUE, LEAVING, LEAVING_QUIET, LISTED, LISTS, LOG, MARK_ORDER, MARKS, MATCHES, META, OUTAGES, PAIRED_MATCHES,
    PLANS, PLAYERS, POOL_QUEUES, POOL_RECORDS, PROBES, RATED, RATING_LOG, RATINGS, REPLAYS, RESERVATIONS, REVOCATIONS,
    SESSIONS, SESSIONS_OF, TICKETS,
};

/// The number of entries that are copied between two checks of `go_on`.
const STRETCH: usize = 1000;

/// Copies all tables of the snapshot `from`, as long as `go_on` returns true.
pub(super) fn copy(from: &Snapshot, to: &WriteTransaction, go_on: &dyn Fn() -> bool) -> Outcome<()> {
    let copier = Copier { from, to, go_on };
    copier.table(META)?;
    copier.table(MATCHES)?;
    copier.table(LOG)?;
    copier.table(ARCHIVES)?;
    copier.table(CHECKPOINTS)?;
    copier.table(REPLAYS)?;
    copier.table(LISTED)?;
    copier.table(LISTS)?;
    copier.table(INBOX)?;
    copier.table(PLAYERS)?;
    copier.table(SESSIONS)?;
    copier.table(SESSIONS_OF)?;
    copier.table(REVOCATIONS)?;
    copier.table(TICKETS)?;
    copier.table(RESERVATIONS)?;
    copier.table(ITEMS)?;
    copier.table(DIRECTORY)?;
    copier.table(RATINGS)?;
    copier.table(RATING_LOG)?;
    copier.table(RATED)?;
    copier.table(BOARD)?;
    copier.table(PROBES)?;
    copier.table(AUDIT)?;
    copier.table(DUE)?;
    copier.table(DUE_OF)?;
    copier.table(JOBS)?;
    copier.table(JOBS_DUE)?;
    copier.table(PLANS)?;
    copier.table(POOL_RECORDS)?;
    copier.table(POOL_QUEUES)?;
    copier.table(PAIRED_MATCHES)?;
    copier.table(DELETED)?;
    copier.table(HEARTBEAT)?;
    copier.table(OUTAGES)?;
    copier.table(MARKS)?;
    copier.table(MARK_ORDER)?;
    copier.table(LEAVING)?;
    copier.table(LEAVING_QUIET)?;
    copier.table(EXPIRIES)
}

struct Copier<'a> {
    from: &'a Snapshot,
    to: &'a WriteTransaction,
    go_on: &'a dyn Fn() -> bool,
}

impl Copier<'_> {
    fn table<K: Key + 'static, V: Value + 'static>(&self, table: TableDefinition<'static, K, V>) -> Outcome<()> {
        let from = match self.from.open_table(table) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(()),
            found => found?,
        };
        let mut to = self.to.open_table(table)?;
        for (count, entry) in from.iter()?.enumerate() {
            if count % STRETCH == 0 && !(self.go_on)() {
                return Err(redb::Error::DatabaseClosed);
            }
            let (key, value) = entry?;
            to.insert(key.value(), value.value())?;
        }
        Ok(())
    }
}
