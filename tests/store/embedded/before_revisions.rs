//! The file as it was before players had revisions: its tables as that release made them. Never to be edited.

use std::path::Path;

use redb::{Database, TableDefinition};

const META: TableDefinition<&str, u64> = TableDefinition::new("meta");
const MATCHES: TableDefinition<u128, (u64, &[u8])> = TableDefinition::new("matches");
const LOG: TableDefinition<(u128, u64), &[u8]> = TableDefinition::new("log");
const REPLAYS: TableDefinition<(u128, u128, &str), (u64, &str)> = TableDefinition::new("replays");
const LISTED: TableDefinition<u128, (&str, u8, bool, Vec<u128>)> = TableDefinition::new("listed");
const LISTS: TableDefinition<(u8, u128, &str, u8, u128), ()> = TableDefinition::new("lists");
const INBOX: TableDefinition<(u128, u64), (u128, u64)> = TableDefinition::new("inbox");
const SESSIONS: TableDefinition<u128, (u64, u128, i64, &[u8])> = TableDefinition::new("sessions");
const SESSIONS_OF: TableDefinition<(u128, u128), i64> = TableDefinition::new("sessions_of");
const REVOCATIONS: TableDefinition<u128, i64> = TableDefinition::new("revocations");
const ONCE: TableDefinition<&str, (i64, &[u8])> = TableDefinition::new("once");
const EXPIRIES: TableDefinition<(i64, u8, &[u8]), ()> = TableDefinition::new("expiries");

/// The table of players.
pub const PLAYERS: TableDefinition<u128, &[u8]> = TableDefinition::new("players");

/// Opens the file in this directory.
pub fn open(dir: &Path) -> Database {
    Database::create(dir.join("sarsen.redb")).unwrap()
}

/// Makes the file in this directory.
pub fn make(dir: &Path) -> Database {
    let database = open(dir);
    let transaction = database.begin_write().unwrap();
    transaction.open_table(META).unwrap().insert("layout", 1).unwrap();
    transaction.open_table(MATCHES).unwrap();
    transaction.open_table(LOG).unwrap();
    transaction.open_table(REPLAYS).unwrap();
    transaction.open_table(LISTED).unwrap();
    transaction.open_table(LISTS).unwrap();
    transaction.open_table(INBOX).unwrap();
    transaction.open_table(PLAYERS).unwrap();
    transaction.open_table(SESSIONS).unwrap();
    transaction.open_table(SESSIONS_OF).unwrap();
    transaction.open_table(REVOCATIONS).unwrap();
    transaction.open_table(ONCE).unwrap();
    transaction.open_table(EXPIRIES).unwrap();
    transaction.commit().unwrap();
    database
}
