//! Reservations of idempotency keys.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::RESERVATIONS;
use crate::{ReplayKey, Reservation, Reservations, Result};
use sarsen_base::ambient::Timestamp;

#[async_trait]
impl Reservations for Embedded {
    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>> {
        let now = self.ambient.now();
        self.read(|transaction| read(transaction, key, now))
    }

    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation> {
        let key = key.clone();
        self.write(move |group| reserve(group, &key, reservation, seconds)).await
    }
}

/// What is stored, unless its time is over.
fn standing((end, id, fingerprint): (i64, &str, &str), now: Timestamp) -> Option<Reservation> {
    (end > now.0).then(|| Reservation { id: id.to_owned(), fingerprint: fingerprint.to_owned() })
}

fn read(transaction: &Snapshot, key: &ReplayKey, now: Timestamp) -> Outcome<Option<Reservation>> {
    let found = transaction.open_table(RESERVATIONS)?.get((key.player.number(), key.key.as_str()))?;
    Ok(found.and_then(|held| standing(held.value(), now)))
}

fn reserve(group: &mut Group<'_>, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Outcome<Reservation> {
    let now = group.now;
    let at = (key.player.number(), key.key.as_str());
    let held = group.tables.reservations.get(at)?.and_then(|held| standing(held.value(), now));
    if let Some(held) = held {
        group.idle += 1;
        return Ok(held);
    }
    let end = now.plus_seconds(seconds);
    group.tables.reservations.insert(at, (end.0, reservation.id.as_str(), reservation.fingerprint.as_str()))?;
    let note = [&key.player.number().to_be_bytes()[..], key.key.as_bytes()].concat();
    expiry::note(&mut group.tables, end, Kind::Reservation, &note)?;
    Ok(reservation)
}
