//! Players.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::PLAYERS;
use crate::{PlayerStore, Result, Revised};
use sarsen_base::ids::PlayerId;

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
    let stands_at = tables.players.get(id)?.map_or(0, |found| found.value().0);
    if stands_at != expected {
        group.idle += 1;
        return Ok(false);
    }
    tables.players.insert(id, (expected.saturating_add(1), stored))?;
    Ok(true)
}

fn read(transaction: &ReadTransaction, id: u128) -> Outcome<Option<Revised>> {
    let found = transaction.open_table(PLAYERS)?.get(id)?;
    Ok(found.map(|found| {
        let (revision, stored) = found.value();
        Revised { stored: stored.to_vec(), revision }
    }))
}
