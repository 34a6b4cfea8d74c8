//! Copying all tables into another file.
//!
//! Invariant: every table of the file is copied; a test compares.

use redb::{Key, ReadableTable, TableDefinition, TableError, Value, WriteTransaction};

use super::database::{Outcome, Snapshot};
use super::layout::{TableVisitor, visit_all};

/// The number of entries that are copied between two checks of `go_on`.
const STRETCH: usize = 1000;

/// Copies all tables of the snapshot `from`, as long as `go_on` returns true.
pub(super) fn copy(from: &Snapshot, to: &WriteTransaction, go_on: &dyn Fn() -> bool) -> Outcome<()> {
    visit_all(&mut Copier { from, to, go_on })
}

struct Copier<'a> {
    from: &'a Snapshot,
    to: &'a WriteTransaction,
    go_on: &'a dyn Fn() -> bool,
}

impl TableVisitor for Copier<'_> {
    fn visit<K: Key + 'static, V: Value + 'static>(&mut self, table: TableDefinition<'static, K, V>) -> Outcome<()> {
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
