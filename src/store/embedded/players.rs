//! Players, sessions and revocations.
//!
//! Invariant: a session is in `sessions` and `sessions_of`, or in neither. Expired data counts as absent from that
//! moment, whether or not it has been swept.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::{Outcome, Snapshot};
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{PLAYERS, REVOCATIONS, SESSIONS, SESSIONS_OF};
use crate::{Live, PlayerStore, Result, Revised};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{PlayerId, SessionId};

#[async_trait]
impl PlayerStore for Embedded {
    async fn put_session(
        &self,
        id: &SessionId,
        player: &PlayerId,
        expected: u64,
        stored: Vec<u8>,
        expires: Timestamp,
    ) -> Result<bool> {
        let (id, player) = (id.number(), player.number());
        self.write(move |group| put(group, id, player, expected, &stored, expires)).await
    }

    async fn session(&self, id: &SessionId) -> Result<Option<Revised>> {
        let now = self.ambient.now();
        self.read(|transaction| read(transaction, id, now))
    }

    async fn revoke_session(&self, id: &SessionId, _: &PlayerId, until: Timestamp) -> Result<()> {
        let id = id.clone();
        self.write(move |group| revoke(group, &id, until)).await
    }

    async fn sessions_of(&self, player: &PlayerId) -> Result<Vec<SessionId>> {
        let now = self.ambient.now();
        self.read(|transaction| of_player(transaction, player, now))
    }

    async fn tell_of_session(&self, player: &PlayerId) -> Result<()> {
        let player = player.clone();
        self.write(move |group| {
            group.live.push(Live::Joined(player));
            group.unchanged(())
        })
        .await
    }

    async fn revocations(&self) -> Result<Vec<(SessionId, Timestamp)>> {
        let now = self.ambient.now();
        self.read_many(usize::MAX, move |transaction| revocations(transaction, now)).await
    }

    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        let id = id.number();
        self.write(move |group| put_player(group, id, expected, &stored)).await
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        self.read(|transaction| read_player(transaction, id.number()))
    }
}

fn put(
    group: &mut Group<'_>,
    id: u128,
    player: u128,
    expected: u64,
    stored: &[u8],
    expires: Timestamp,
) -> Outcome<bool> {
    let now = group.now.0;
    let tables = &mut group.tables;
    let stands_at = tables.sessions.get(id)?.map_or(0, |session| {
        let (revision, _, end, _) = session.value();
        if end > now { revision } else { 0 }
    });
    if stands_at != expected {
        return group.unchanged(false);
    }
    tables.sessions.insert(id, (expected.saturating_add(1), player, expires.0, stored))?;
    tables.sessions_of.insert((player, id), expires.0)?;
    expiry::note(tables, expires, Kind::Session, &id.to_be_bytes())?;
    Ok(true)
}

/// Ends a session and remembers its revocation until `until`.
pub(super) fn revoke(group: &mut Group<'_>, id: &SessionId, until: Timestamp) -> Outcome<()> {
    let number = id.number();
    let tables = &mut group.tables;
    let player = tables.sessions.remove(number)?.map(|session| session.value().1);
    if let Some(player) = player {
        tables.sessions_of.remove((player, number))?;
    }
    let known = tables.revocations.get(number)?.map_or(i64::MIN, |until| until.value());
    tables.revocations.insert(number, known.max(until.0))?;
    expiry::note(tables, until, Kind::Revocation, &number.to_be_bytes())?;
    group.live.push(Live::Revoked(id.clone(), until));
    Ok(())
}

fn read(transaction: &Snapshot, id: &SessionId, now: Timestamp) -> Outcome<Option<Revised>> {
    let found = transaction.open_table(SESSIONS)?.get(id.number())?;
    Ok(found.and_then(|session| {
        let (revision, _, expires, stored) = session.value();
        (expires > now.0).then(|| Revised { stored: stored.to_vec(), revision })
    }))
}

fn of_player(transaction: &Snapshot, player: &PlayerId, now: Timestamp) -> Outcome<Vec<SessionId>> {
    let player = player.number();
    let mut sessions = Vec::new();
    for entry in transaction.open_table(SESSIONS_OF)?.range((player, 0)..=(player, u128::MAX))? {
        let (key, expires) = entry?;
        if expires.value() > now.0 {
            sessions.push(SessionId::from_number(key.value().1));
        }
    }
    Ok(sessions)
}

fn revocations(transaction: &Snapshot, now: Timestamp) -> Outcome<Vec<(SessionId, Timestamp)>> {
    let mut remembered = Vec::new();
    for entry in transaction.open_table(REVOCATIONS)?.iter()? {
        let (id, until) = entry?;
        if until.value() > now.0 {
            remembered.push((SessionId::from_number(id.value()), Timestamp(until.value())));
        }
    }
    Ok(remembered)
}

fn put_player(group: &mut Group<'_>, id: u128, expected: u64, stored: &[u8]) -> Outcome<bool> {
    let tables = &mut group.tables;
    let stands_at = tables.players.get(id)?.map_or(0, |found| found.value().0);
    if stands_at != expected {
        return group.unchanged(false);
    }
    tables.players.insert(id, (expected.saturating_add(1), stored))?;
    Ok(true)
}

fn read_player(transaction: &Snapshot, id: u128) -> Outcome<Option<Revised>> {
    let found = transaction.open_table(PLAYERS)?.get(id)?;
    Ok(found.map(|found| {
        let (revision, stored) = found.value();
        Revised { stored: stored.to_vec(), revision }
    }))
}
