//! Damage: tables that cannot be read to their end, and pairs of tables that do not fit each other.
//!
//! Invariant: each table is checked by itself, so damage in one hides nothing in another.

use redb::{Key, ReadableDatabase, ReadableTable, TableDefinition, TableHandle, Value};

use super::database::{Handle, Outcome, Snapshot, guarded};
use super::layout::{DUE, DUE_OF, SESSIONS, SESSIONS_OF, STATUS_ORDER, STATUSES, TableVisitor, visit_all};
use crate::Damage;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// A check of two tables together.
type Look = fn(&Snapshot, &mut Vec<Damage>) -> Outcome<()>;

/// Returns the damage of all tables.
pub(super) fn all(file: &Snapshot) -> Outcome<Vec<Damage>> {
    let mut tables = Tables { file, found: Vec::new() };
    visit_all(&mut tables)?;
    for look in [due as Look, sessions, statuses] {
        tables.found.extend(apart(file, look)?);
    }
    Ok(tables.found)
}

/// Reads all tables to their end.
struct Tables<'a> {
    file: &'a Snapshot,
    found: Vec<Damage>,
}

/// The damage of a file that cannot be prepared for writing; `None` if not even its tables are known.
pub(super) fn found_in(database: &Handle) -> Option<String> {
    let looked = database.with(|database| {
        guarded(|| Ok(database.begin_read()?.list_tables()?.count()))?;
        all(&Snapshot::of(database)?)
    });
    let found: Vec<String> = looked.ok()?.into_iter().map(|Damage { name, what }| format!("{name} {what}")).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

impl TableVisitor for Tables<'_> {
    /// Reads every entry of a table; after the first that cannot be read, it counts the entries behind the damage from
    /// the end.
    fn visit<K: Key + 'static, V: Value + 'static>(&mut self, table: TableDefinition<'static, K, V>) -> Outcome<()> {
        let mut read = 0_u64;
        let done = self.file.read(|file| {
            for entry in file.open_table(table)?.iter()? {
                let (key, value) = entry?;
                let _ = (key.value(), value.value());
                read += 1;
            }
            Ok(())
        });
        let Err(why) = done.map_err(damage) else { return Ok(()) };
        let why = why?;
        let mut behind = 0_u64;
        // Counts as far as the table can be read.
        let _damaged = self.file.read(|file| {
            for entry in file.open_table(table)?.iter()?.rev() {
                let (key, value) = entry?;
                let _ = (key.value(), value.value());
                behind += 1;
            }
            Ok(())
        });
        let what = format!("is damaged; of its entries {read} can be read before that, and {behind} behind: {why}");
        self.found.push(Damage::of(format!("the table {}", table.name()), what));
        Ok(())
    }
}

/// Checks two tables together, as far as both can be read.
fn apart(file: &Snapshot, look: Look) -> Outcome<Vec<Damage>> {
    let mut found = Vec::new();
    match file.read(|file| look(file, &mut found)) {
        Ok(()) => Ok(found),
        // The check of the one table has reported it.
        Err(error) => damage(error).map(|_| found),
    }
}

/// Returns the description of the damage, unless the file could not be read for another reason.
fn damage(error: redb::Error) -> Outcome<String> {
    match error {
        redb::Error::Corrupted(what) => Ok(what),
        other => Err(other),
    }
}

fn due(file: &Snapshot, found: &mut Vec<Damage>) -> Outcome<()> {
    let (due, due_of) = (file.open_table(DUE)?, file.open_table(DUE_OF)?);
    for entry in due_of.iter()? {
        let (id, at) = entry?;
        let (id, at) = (id.value(), at.value());
        if due.get((at, id))?.is_none() {
            found.push(Damage::of(MatchId::from_number(id), "has no entry in the due index where one is noted"));
        }
    }
    for entry in due.iter()? {
        let (at, id) = entry?.0.value();
        if due_of.get(id)?.is_none_or(|noted| noted.value() != at) {
            found.push(Damage::of(MatchId::from_number(id), "has an entry in the due index that is not noted"));
        }
    }
    Ok(())
}

fn sessions(file: &Snapshot, found: &mut Vec<Damage>) -> Outcome<()> {
    let (sessions, of) = (file.open_table(SESSIONS)?, file.open_table(SESSIONS_OF)?);
    for entry in sessions.iter()? {
        let (id, session) = entry?;
        let (id, (_, player, end, _)) = (id.value(), session.value());
        if of.get((player, id))?.is_none_or(|noted| noted.value() != end) {
            found.push(Damage::of(SessionId::from_number(id), "is not noted with its player, or with another end"));
        }
    }
    for entry in of.iter()? {
        let (player, id) = entry?.0.value();
        if sessions.get(id)?.is_none_or(|session| session.value().1 != player) {
            found.push(Damage::of(SessionId::from_number(id), "is noted with a player and is not there, or another's"));
        }
    }
    Ok(())
}

fn statuses(file: &Snapshot, found: &mut Vec<Damage>) -> Outcome<()> {
    let (statuses, order) = (file.open_table(STATUSES)?, file.open_table(STATUS_ORDER)?);
    for entry in statuses.iter()? {
        let (player, status) = entry?;
        let (player, (revision, _)) = (player.value(), status.value());
        if order.get(revision)?.is_none_or(|noted| noted.value() != player) {
            found.push(Damage::of(PlayerId::from_number(player), "has a status that is not in the order of statuses"));
        }
    }
    for entry in order.iter()? {
        let (revision, player) = entry?;
        let (revision, player) = (revision.value(), player.value());
        if statuses.get(player)?.is_none_or(|status| status.value().0 != revision) {
            found.push(Damage::of(PlayerId::from_number(player), "is in the order of statuses and has no such status"));
        }
    }
    Ok(())
}
