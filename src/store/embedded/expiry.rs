//! The sweep of expired data.
//!
//! Each value with an end leaves a note of its end and its key. Notes are hints: the end may have been moved since, or
//! the value be gone. So the sweep checks the value itself and removes it only if it has expired. Invariant: every
//! value with an end has a note for that end.

use redb::ReadableTable;

use super::database::Outcome;
use super::group::Group;
use super::layout::Tables;
use sarsen_base::ambient::Timestamp;

/// The maximum number of notes that one transaction works off, so that no group waits long for a sweep.
const AT_ONCE: usize = 64;

/// The subject of a note; its number is in the file.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// A session, by its number, 16 bytes big-endian.
    Session = 0,
    /// A revocation, by its session's number, 16 bytes big-endian.
    Revocation = 1,
    /// A ticket, by its key.
    Ticket = 2,
    /// A reservation, by its player's number, 16 bytes big-endian, and its key.
    Reservation = 3,
    /// The tombstone of a deleted match, by its number, 16 bytes big-endian.
    Deleted = 4,
}

pub(super) fn note(tables: &mut Tables<'_>, end: Timestamp, kind: Kind, key: &[u8]) -> Outcome<()> {
    tables.expiries.insert((end.0, kind as u8, key), ())?;
    Ok(())
}

/// Works off the oldest notes that are due.
pub(super) fn sweep(group: &mut Group<'_>) -> Outcome<()> {
    let now = group.now.0;
    let tables = &mut group.tables;
    for _ in 0..AT_ONCE {
        match tables.expiries.first()? {
            Some((note, _)) if note.value().0 <= now => {}
            _ => return Ok(()),
        }
        let Some((kind, key)) = tables.expiries.pop_first()?.map(|(note, _)| {
            let (_, kind, key) = note.value();
            (kind, key.to_vec())
        }) else {
            return Ok(());
        };
        drop_if_over(tables, kind, &key, now)?;
    }
    Ok(())
}

fn drop_if_over(tables: &mut Tables<'_>, kind: u8, key: &[u8], now: i64) -> Outcome<()> {
    let number = <[u8; 16]>::try_from(key).map(u128::from_be_bytes);
    if kind == Kind::Session as u8
        && let Ok(id) = number
    {
        let over = tables.sessions.get(id)?.and_then(|session| {
            let (_, player, end, _) = session.value();
            (end <= now).then_some(player)
        });
        if let Some(player) = over {
            tables.sessions.remove(id)?;
            tables.sessions_of.remove((player, id))?;
        }
    } else if kind == Kind::Revocation as u8
        && let Ok(id) = number
    {
        if tables.revocations.get(id)?.is_some_and(|until| until.value() <= now) {
            tables.revocations.remove(id)?;
        }
    } else if kind == Kind::Ticket as u8
        && let Ok(key) = std::str::from_utf8(key)
        && tables.once.get(key)?.is_some_and(|kept| kept.value().0 <= now)
    {
        tables.once.remove(key)?;
    } else if kind == Kind::Reservation as u8
        && let Some((player, key)) = key.split_first_chunk::<16>()
        && let Ok(key) = std::str::from_utf8(key)
    {
        let at = (u128::from_be_bytes(*player), key);
        if tables.reservations.get(at)?.is_some_and(|held| held.value().0 <= now) {
            tables.reservations.remove(at)?;
        }
    } else if kind == Kind::Deleted as u8
        && let Ok(id) = number
        && tables.deleted.get(id)?.is_some_and(|until| until.value() <= now)
    {
        tables.deleted.remove(id)?;
    }
    Ok(())
}
