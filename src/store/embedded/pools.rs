//! Pools: records by player, queues in the order of moments, and the matches to make.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::group::Group;
use super::layout::{PAIRED_MATCHES, POOL_QUEUES, POOL_RECORDS};
use crate::{PairedMatch, PoolChange, PoolStore, Result};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

#[async_trait]
impl PoolStore for Embedded {
    async fn pool_record(&self, player: &PlayerId) -> Result<Option<Vec<u8>>> {
        self.read(|file| {
            let found = file.open_table(POOL_RECORDS)?.get(player.number())?;
            Ok(found.map(|stored| stored.value().to_vec()))
        })
    }

    async fn queue(&self, queue: &str, until: Timestamp, limit: usize) -> Result<Vec<(PlayerId, Vec<u8>)>> {
        let queue = queue.to_owned();
        self.read_many(limit, move |file| {
            let records = file.open_table(POOL_RECORDS)?;
            let queues = file.open_table(POOL_QUEUES)?;
            let mut found = Vec::new();
            for entry in queues.range((queue.as_str(), i64::MIN, 0)..=(queue.as_str(), until.0, u128::MAX))?.take(limit)
            {
                let (_, _, player) = entry?.0.value();
                if let Some(record) = records.get(player)? {
                    found.push((PlayerId::from_number(player), record.value().to_vec()));
                }
            }
            Ok(found)
        })
        .await
    }

    async fn change_pool_records(&self, changes: &[PoolChange], pairs: Option<&PairedMatch>) -> Result<bool> {
        let (changes, pairs) = (changes.to_vec(), pairs.cloned());
        self.write(move |group| change(group, &changes, pairs.as_ref())).await
    }

    async fn paired_matches(&self, limit: usize) -> Result<Vec<PairedMatch>> {
        self.read_many(limit, move |file| {
            let table = file.open_table(PAIRED_MATCHES)?;
            let made = table.iter()?.take(limit).map(|entry| {
                let (id, stored) = entry?;
                Ok(PairedMatch { id: MatchId::from_number(id.value()), stored: stored.value().to_vec() })
            });
            made.collect()
        })
        .await
    }

    async fn paired_match(&self, id: &MatchId) -> Result<Option<PairedMatch>> {
        self.read(|file| {
            let found = file.open_table(PAIRED_MATCHES)?.get(id.number())?;
            Ok(found.map(|stored| PairedMatch { id: id.clone(), stored: stored.value().to_vec() }))
        })
    }

    async fn forget_paired_match(&self, id: &MatchId) -> Result<()> {
        let id = id.number();
        self.write(move |group| {
            group.tables.paired_matches.remove(id)?;
            Ok(())
        })
        .await
    }
}

fn change(group: &mut Group<'_>, changes: &[PoolChange], pairs: Option<&PairedMatch>) -> Outcome<bool> {
    let tables = &mut group.tables;
    for PoolChange { player, found, .. } in changes {
        let stands = tables.pool_records.get(player.number())?.map(|stored| stored.value().to_vec());
        if stands != *found {
            return group.unchanged(false);
        }
    }
    for PoolChange { player, by, leaves, enters, .. } in changes {
        let player = player.number();
        let mut astray = false;
        for place in leaves {
            astray |= tables.pool_queues.remove((place.queue.as_str(), place.at.0, player))?.is_none();
        }
        if astray {
            // Nobody can read where the record was.
            tables.pool_queues.retain(|(_, _, of), ()| of != player)?;
        }
        for place in enters {
            tables.pool_queues.insert((place.queue.as_str(), place.at.0, player), ())?;
        }
        match by {
            Some(by) => drop(tables.pool_records.insert(player, by.as_slice())?),
            None => drop(tables.pool_records.remove(player)?),
        }
    }
    if let Some(PairedMatch { id, stored }) = pairs {
        tables.paired_matches.insert(id.number(), stored.as_slice())?;
    }
    Ok(true)
}
