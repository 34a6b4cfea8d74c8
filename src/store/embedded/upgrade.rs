//! Upgrading a file of an earlier layout as it is opened.
//!
//! Invariant: a step is one transaction, which is on the disk whole or not at all; so a file is always of one layout, and
//! what stops in the middle is begun again.
//!
//! What it deliberately lacks: the way back. An earlier release refuses a file of a later layout.

use redb::{Database, ReadableTable, ReadableTableMetadata, TableDefinition, WriteTransaction};

use super::database::Outcome;
use super::inboxes;
use super::layout::{INBOX, LOG, META};
use super::stretches::{End, Place};

/// (match, version) → the entry of the step that made this version, in layout 1.
const LOG_1: TableDefinition<(u128, u64), &[u8]> = TableDefinition::new("log");
/// (player, number) → (match, version), in layout 1.
const INBOX_1: TableDefinition<(u128, u64), (u128, u64)> = TableDefinition::new("inbox");

/// Puts the entries of logs and inboxes, which stood alone in layout 1, into stretches. The operator is told, whatever
/// has opened the file.
pub(super) fn from_1(database: &Database) -> Outcome<()> {
    tracing::warn!(
        "the store's file is of an earlier release and is upgraded now; the larger it is the longer that takes"
    );
    let mut transaction = database.begin_write()?;
    transaction.set_quick_repair(true);
    let entries = gather(&transaction, LOG_1, LOG, |entry| entry.to_vec())?;
    let notices = gather(&transaction, INBOX_1, INBOX, |(id, version)| inboxes::written(id, version))?;
    transaction.open_table(META)?.insert("layout", 2)?;
    transaction.commit()?;
    tracing::warn!(entries, notices, "the store's file is upgraded; earlier releases refuse it from now on");
    Ok(())
}

/// Moves everything from one table into stretches of another, and answers how many items that were.
fn gather<V: redb::Value + 'static>(
    transaction: &WriteTransaction,
    from: TableDefinition<'static, Place, V>,
    to: TableDefinition<'static, Place, &'static [u8]>,
    written: impl Fn(V::SelfType<'_>) -> Vec<u8>,
) -> Outcome<u64> {
    let alone = transaction.open_table(from)?;
    let mut stretches = transaction.open_table(to)?;
    for entry in alone.iter()? {
        let (key, value) = entry?;
        let (owner, number) = key.value();
        End::of(&stretches, owner)?.push(&mut stretches, number, &written(value.value()))?;
    }
    let count = alone.len()?;
    drop((alone, stretches));
    transaction.delete_table(from)?;
    Ok(count)
}
