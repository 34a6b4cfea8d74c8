//! Values that are kept until they are taken.

use redb::ReadableTable;

use super::Outcome;
use super::expiry::{self, Kind};
use super::writer::Group;

/// [`Store::put_ticket`](crate::store::Store::put_ticket).
pub(super) fn put(group: &mut Group<'_>, key: &str, value: &[u8], seconds: u32) -> Outcome<()> {
    let end = group.now.plus_seconds(seconds);
    group.tables.once.insert(key, (end.0, value))?;
    expiry::note(&mut group.tables, end, Kind::Once, key.as_bytes())
}

/// [`Store::take_ticket`](crate::store::Store::take_ticket).
pub(super) fn take(group: &mut Group<'_>, key: &str) -> Outcome<Option<Vec<u8>>> {
    if group.tables.once.get(key)?.is_none() {
        group.idle += 1;
        return Ok(None);
    }
    let taken = group.tables.once.remove(key)?;
    Ok(taken.and_then(|kept| {
        let (end, value) = kept.value();
        (end > group.now.0).then(|| value.to_vec())
    }))
}
