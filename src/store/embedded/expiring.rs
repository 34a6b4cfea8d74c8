//! Values with a time to live. Token buckets start full with the process: they limit the use of this one process.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{RESERVATIONS, TICKETS};
use crate::{Allowance, ExpiringStore, ReplayKey, Reservation, Result, Taken};
use sarsen_base::ambient::Timestamp;

#[async_trait]
impl ExpiringStore for Embedded {
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()> {
        let key = key.to_owned();
        self.write(move |group| put_ticket(group, &key, &value, seconds)).await
    }

    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let now = self.ambient.now();
        self.read(|transaction| {
            let kept = transaction.open_table(TICKETS)?.get(key)?;
            Ok(kept.and_then(|kept| {
                let (end, value) = kept.value();
                (end > now.0).then(|| value.to_vec())
            }))
        })
    }

    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let key = key.to_owned();
        self.write(move |group| take_ticket(group, &key)).await
    }

    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>> {
        let now = self.ambient.now();
        self.read(|transaction| reservation(transaction, key, now))
    }

    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation> {
        let key = key.clone();
        self.write(move |group| reserve(group, &key, reservation, seconds)).await
    }

    async fn take(&self, bucket: &str, allowance: Allowance) -> Result<Taken> {
        Ok(self.levels.take(bucket, allowance, self.ambient.now()))
    }
}

fn put_ticket(group: &mut Group<'_>, key: &str, value: &[u8], seconds: u32) -> Outcome<()> {
    let end = group.now.plus_seconds(seconds);
    group.tables.once.insert(key, (end.0, value))?;
    expiry::note(&mut group.tables, end, Kind::Ticket, key.as_bytes())
}

fn take_ticket(group: &mut Group<'_>, key: &str) -> Outcome<Option<Vec<u8>>> {
    if group.tables.once.get(key)?.is_none() {
        return group.unchanged(None);
    }
    let taken = group.tables.once.remove(key)?;
    Ok(taken.and_then(|kept| {
        let (end, value) = kept.value();
        (end > group.now.0).then(|| value.to_vec())
    }))
}

/// Returns the stored reservation, unless it has expired.
fn standing((end, id, fingerprint): (i64, &str, &str), now: Timestamp) -> Option<Reservation> {
    (end > now.0).then(|| Reservation { id: id.to_owned(), fingerprint: fingerprint.to_owned() })
}

fn reservation(transaction: &Snapshot, key: &ReplayKey, now: Timestamp) -> Outcome<Option<Reservation>> {
    let found = transaction.open_table(RESERVATIONS)?.get((key.player.number(), key.key.as_str()))?;
    Ok(found.and_then(|held| standing(held.value(), now)))
}

fn reserve(group: &mut Group<'_>, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Outcome<Reservation> {
    let now = group.now;
    let at = (key.player.number(), key.key.as_str());
    let held = group.tables.reservations.get(at)?.and_then(|held| standing(held.value(), now));
    if let Some(held) = held {
        return group.unchanged(held);
    }
    let end = now.plus_seconds(seconds);
    group.tables.reservations.insert(at, (end.0, reservation.id.as_str(), reservation.fingerprint.as_str()))?;
    let note = [&key.player.number().to_be_bytes()[..], key.key.as_bytes()].concat();
    expiry::note(&mut group.tables, end, Kind::Reservation, &note)?;
    Ok(reservation)
}
