//! Players.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::{PLAYER_REVISIONS, PLAYERS};
use crate::ids::PlayerId;
use crate::store::{PlayerStore, Result, Revised};

#[async_trait]
impl PlayerStore for Embedded {
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        let id = id.number();
        self.write(move |group| put(group, id, expected, &stored)).await
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        self.read(|transaction| read(transaction, id.number()))
    }
}

fn put(group: &mut Group<'_>, id: u128, expected: u64, stored: &[u8]) -> Outcome<bool> {
    let tables = &mut group.tables;
    let stands_at = match tables.players.get(id)? {
        Some(_) => tables.player_revisions.get(id)?.map_or(1, |revision| revision.value()),
        None => 0,
    };
    if stands_at != expected {
        group.idle += 1;
        return Ok(false);
    }
    tables.players.insert(id, stored)?;
    if expected > 0 {
        tables.player_revisions.insert(id, expected.saturating_add(1))?;
    }
    Ok(true)
}

fn read(transaction: &ReadTransaction, id: u128) -> Outcome<Option<Revised>> {
    let Some(stored) = transaction.open_table(PLAYERS)?.get(id)? else { return Ok(None) };
    let revision = transaction.open_table(PLAYER_REVISIONS)?.get(id)?.map_or(1, |revision| revision.value());
    Ok(Some(Revised { stored: stored.value().to_vec(), revision }))
}
