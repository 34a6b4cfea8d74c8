//! Damage: tables that cannot be read to their end, and pairs of tables that do not fit each other.
//!
//! Invariant: each table is checked by itself, so damage in one hides nothing in another.

use redb::{Key, ReadableDatabase, ReadableTable, TableDefinition, TableHandle, Value};

use super::database::{Handle, Outcome, Snapshot, guarded};
use super::layout::{
    ARCHIVES, AUDIT, BOARD, CHECKPOINTS, DELETED, DIRECTORY, DUE, DUE_OF, EXPIRIES, HEARTBEAT, INBOX, ITEMS, JOBS,
    JOBS_DUE, LEAVING, LEAVING_QUIET, LISTED, LISTS, LOG, MARK_ORDER, MARKS, MATCHES, META, OUTAGES, PAIRED_MATCHES,
    PLANS, PLAYERS, POOL_QUEUES, POOL_RECORDS, PROBES, RATED, RATING_LOG, RATINGS, REPLAYS, RESERVATIONS, REVOCATIONS,
    SESSIONS, SESSIONS_OF, TICKETS,
};
use crate::Damage;
use sarsen_base::ids::{MatchId, PlayerId, SessionId};

/// A check of a part of the file.
type Look = fn(&Snapshot) -> Outcome<Vec<Damage>>;

/// All checks of the file.
pub(super) const LOOKS: &[Look] = &[
    |file| whole(file, META),
    |file| whole(file, MATCHES),
    |file| whole(file, LOG),
    |file| whole(file, ARCHIVES),
    |file| whole(file, CHECKPOINTS),
    |file| whole(file, REPLAYS),
    |file| whole(file, LISTED),
    |file| whole(file, LISTS),
    |file| whole(file, INBOX),
    |file| whole(file, PLAYERS),
    |file| whole(file, MARKS),
    |file| whole(file, MARK_ORDER),
    |file| whole(file, LEAVING),
    |file| whole(file, LEAVING_QUIET),
    |file| whole(file, SESSIONS),
    |file| whole(file, SESSIONS_OF),
    |file| whole(file, REVOCATIONS),
    |file| whole(file, TICKETS),
    |file| whole(file, RESERVATIONS),
    |file| whole(file, ITEMS),
    |file| whole(file, DIRECTORY),
    |file| whole(file, RATINGS),
    |file| whole(file, RATING_LOG),
    |file| whole(file, RATED),
    |file| whole(file, BOARD),
    |file| whole(file, PROBES),
    |file| whole(file, AUDIT),
    |file| whole(file, EXPIRIES),
    |file| whole(file, DUE),
    |file| whole(file, DUE_OF),
    |file| whole(file, JOBS),
    |file| whole(file, JOBS_DUE),
    |file| whole(file, PLANS),
    |file| whole(file, POOL_RECORDS),
    |file| whole(file, POOL_QUEUES),
    |file| whole(file, PAIRED_MATCHES),
    |file| whole(file, DELETED),
    |file| whole(file, HEARTBEAT),
    |file| whole(file, OUTAGES),
    |file| apart(file, &mut due),
    |file| apart(file, &mut sessions),
    |file| apart(file, &mut marks),
];

/// The damage of a file that cannot be prepared for writing; `None` if not even its tables are known.
pub(super) fn found_in(database: &Handle) -> Option<String> {
    let looked = database.with(|database| {
        guarded(|| Ok(database.begin_read()?.list_tables()?.count()))?;
        let file = Snapshot::of(database)?;
        LOOKS.iter().map(|look| look(&file)).collect::<Outcome<Vec<_>>>()
    });
    let damage = looked.ok()?.into_iter().flatten();
    let found: Vec<String> = damage.map(|Damage { name, what }| format!("{name} {what}")).collect();
    (!found.is_empty()).then(|| found.join("; "))
}

/// Reads every entry of a table; after the first that cannot be read, it counts the entries behind the damage from the
/// end.
fn whole<K: Key + 'static, V: Value + 'static>(
    file: &Snapshot,
    definition: TableDefinition<'static, K, V>,
) -> Outcome<Vec<Damage>> {
    let mut read = 0_u64;
    let done = file.read(|file| {
        for entry in file.open_table(definition)?.iter()? {
            let (key, value) = entry?;
            let _ = (key.value(), value.value());
            read += 1;
        }
        Ok(())
    });
    let Err(why) = done.map_err(damage) else { return Ok(Vec::new()) };
    let why = why?;
    let mut behind = 0_u64;
    // Counts as far as the table can be read.
    let _damaged = file.read(|file| {
        for entry in file.open_table(definition)?.iter()?.rev() {
            let (key, value) = entry?;
            let _ = (key.value(), value.value());
            behind += 1;
        }
        Ok(())
    });
    let what = format!("is damaged; of its entries {read} can be read before that, and {behind} behind: {why}");
    Ok(vec![Damage::of(format!("the table {}", definition.name()), what)])
}

/// Checks two tables together, as far as both can be read.
fn apart(file: &Snapshot, look: &mut dyn FnMut(&Snapshot, &mut Vec<Damage>) -> Outcome<()>) -> Outcome<Vec<Damage>> {
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

fn marks(file: &Snapshot, found: &mut Vec<Damage>) -> Outcome<()> {
    let (marks, order) = (file.open_table(MARKS)?, file.open_table(MARK_ORDER)?);
    for entry in marks.iter()? {
        let (player, mark) = entry?;
        let (player, (revision, _)) = (player.value(), mark.value());
        if order.get(revision)?.is_none_or(|noted| noted.value() != player) {
            found.push(Damage::of(PlayerId::from_number(player), "has a mark that is not in the order of marks"));
        }
    }
    for entry in order.iter()? {
        let (revision, player) = entry?;
        let (revision, player) = (revision.value(), player.value());
        if marks.get(player)?.is_none_or(|mark| mark.value().0 != revision) {
            found.push(Damage::of(PlayerId::from_number(player), "is in the order of marks and has no such mark"));
        }
    }
    Ok(())
}
