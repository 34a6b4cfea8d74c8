//! Pools: one slot, in which one script changes records, queues and matches to make.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, command_with};
use super::script::PAIR;
use crate::{PairedMatch, PoolChange, PoolStore, QueuePlace, Result, StoreError};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};

#[async_trait]
impl PoolStore for RedisStore {
    async fn pool_record(&self, player: &PlayerId) -> Result<Option<Vec<u8>>> {
        self.shared.client.ask(&command_with("HGET", self.shared.keys.pool_records(), player.as_str())).await
    }

    async fn queue(&self, queue: &str, until: Timestamp, limit: usize) -> Result<Vec<(PlayerId, Vec<u8>)>> {
        let range = command_with("ZRANGEBYSCORE", self.shared.keys.queue(queue), ("-inf", until.0, "LIMIT", 0, limit));
        let names: Vec<String> = self.shared.client.ask(&range).await?;
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let get = command_with("HMGET", self.shared.keys.pool_records(), &names);
        let records: Vec<Option<Vec<u8>>> = self.shared.client.ask(&get).await?;
        // Between the two a player may have left the queue.
        let found = names.iter().zip(records).filter_map(|(name, record)| Some((name, record?)));
        found.map(|(name, record)| Ok((name.parse().map_err(nobody)?, record))).collect()
    }

    async fn change_pool_records(&self, changes: &[PoolChange], pairs: Option<&PairedMatch>) -> Result<bool> {
        let keys = &self.shared.keys;
        let mut named = vec![keys.pool_records(), keys.paired_matches()];
        let mut arguments: Vec<Vec<u8>> = Vec::new();
        let mut place = |QueuePlace { queue, .. }: &QueuePlace| {
            let key = keys.queue(queue);
            let known = named.iter().position(|known| *known == key).unwrap_or_else(|| {
                named.push(key);
                named.len() - 1
            });
            (known + 1).to_string().into_bytes()
        };
        for PoolChange { player, found, by, leaves, enters } in changes {
            arguments.push(player.as_str().as_bytes().to_vec());
            arguments.extend([found, by].map(|record| record.clone().unwrap_or_default()));
            arguments.push(leaves.len().to_string().into_bytes());
            arguments.extend(leaves.iter().map(&mut place));
            arguments.push(enters.len().to_string().into_bytes());
            arguments.extend(enters.iter().flat_map(|entered| [place(entered), entered.at.0.to_string().into_bytes()]));
        }
        let mut call = PAIR.on(&named);
        call.arg(pairs.map_or("", |pairs| pairs.id.as_str()));
        call.arg(pairs.map_or(&[][..], |pairs| pairs.stored.as_slice())).arg(arguments);
        self.shared.client.keep(call).await
    }

    async fn paired_matches(&self, limit: usize) -> Result<Vec<PairedMatch>> {
        let get = command("HGETALL", self.shared.keys.paired_matches());
        let found: Vec<(String, Vec<u8>)> = self.shared.client.ask(&get).await?;
        let made = |(id, stored): (String, Vec<u8>)| Ok(PairedMatch { id: id.parse().map_err(nobody)?, stored });
        found.into_iter().take(limit).map(made).collect()
    }

    async fn paired_match(&self, id: &MatchId) -> Result<Option<PairedMatch>> {
        let get = command_with("HGET", self.shared.keys.paired_matches(), id.as_str());
        let found: Option<Vec<u8>> = self.shared.client.ask(&get).await?;
        Ok(found.map(|stored| PairedMatch { id: id.clone(), stored }))
    }

    async fn forget_paired_match(&self, id: &MatchId) -> Result<()> {
        let remove = command_with("HDEL", self.shared.keys.paired_matches(), id.as_str());
        self.shared.client.keep_once(remove).await.map(drop)
    }
}

fn nobody<E>(_: E) -> StoreError {
    StoreError::Corrupt("an entry of matchmaking names nobody".to_owned())
}
