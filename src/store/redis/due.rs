//! The due index: a sorted set in each shard, in the slot of its matches, so that a commit changes both. Beside it
//! leases of matches for their bots, which the server ends by its own clock.

use async_trait::async_trait;

use super::client::{command, command_with, read};
use super::script::{CLAIM_MATCH, MOVE_DUE, RELEASE};
use super::{RedisStore, Shared};
use crate::keys::Shard;
use crate::{Backlog, Due, DueMatch, QueueSize, Result, Schedule};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// Returns a commit's change to the match's entry, as the script reads it.
pub(super) fn argument(due: Due) -> String {
    match due {
        Due::Leave => String::new(),
        Due::Remove => "-".to_owned(),
        Due::At(moment) => moment.0.to_string(),
    }
}

#[async_trait]
impl Schedule for RedisStore {
    async fn due_matches(&self, limit: usize) -> Result<Vec<DueMatch>> {
        let now = self.shared.now();
        let looks = Shard::all().map(|shard| {
            let mut look = command("ZRANGEBYSCORE", self.shared.keys.due(shard));
            look.arg("-inf").arg(now.0).arg("WITHSCORES").arg("LIMIT").arg(0).arg(limit);
            look
        });
        let mut due = Vec::new();
        // An unreadable shard does not hold up the others.
        let mut failure = None;
        for answer in self.shared.client.send_each_once(looks.collect()).await? {
            match answer {
                Ok(answer) => {
                    let found: Vec<(String, f64)> = read(answer)?;
                    let found = found.into_iter().filter_map(|(name, at)| Some((name.parse().ok()?, at)));
                    due.extend(found.map(|(id, at)| DueMatch { id, at: Timestamp(at as i64) }));
                }
                Err(error) => failure = Some(error),
            }
        }
        match failure {
            Some(error) if due.is_empty() => Err(crate::StoreError::Unavailable(Box::new(error))),
            _ => Ok(due),
        }
    }

    async fn move_due(&self, found: &DueMatch, to: Option<Timestamp>) -> Result<bool> {
        let mut call = MOVE_DUE.on(&[self.shared.keys.due(Shard::of(&found.id))]);
        call.arg(found.id.as_str()).arg(found.at.0).arg(argument(to.map_or(Due::Remove, Due::At)));
        read(self.shared.client.send_once(&call).await?)
    }

    async fn note_due(&self, entries: &[DueMatch]) -> Result<u64> {
        let additions = entries.iter().map(|DueMatch { id, at }| {
            command_with("ZADD", self.shared.keys.due(Shard::of(id)), ("NX", at.0, id.as_str()))
        });
        let mut sum = 0;
        for answer in self.shared.client.keep_all_once(additions.collect()).await? {
            sum += read::<u64>(answer)?;
        }
        Ok(sum)
    }

    async fn backlog(&self) -> Result<Backlog> {
        let Shared { keys, .. } = &*self.shared;
        let outboxes = Shard::all().map(|shard| keys.outbox(shard)).collect();
        let length = lengths(&self.shared, outboxes).await?;
        let oldest = self.shared.outbox.waiting_since().filter(|_| length > 0);
        let due = queue_size(&self.shared, |shard| keys.due(shard)).await?;
        Ok(Backlog { outbox: QueueSize { length, oldest }, due })
    }

    async fn claim_match(&self, id: &MatchId, who: &str, millis: u32) -> Result<Option<u64>> {
        let call = CLAIM_MATCH.call(&[self.shared.keys.thinking(id)], (who, millis));
        let left: u64 = self.shared.client.ask(&call).await?;
        Ok((left > 0).then_some(left))
    }

    async fn release_match(&self, id: &MatchId, who: &str) -> Result<()> {
        self.shared.client.send_again_if_lost(&RELEASE.call(&[self.shared.keys.thinking(id)], who)).await.map(drop)
    }
}

/// Returns the total length of these lists.
async fn lengths(shared: &Shared, keys: Vec<String>) -> Result<u64> {
    let looks = keys.into_iter().map(|key| command("LLEN", key)).collect();
    let mut sum = 0;
    for answer in shared.client.send_all_once(looks).await? {
        sum += read::<u64>(answer)?;
    }
    Ok(sum)
}

/// Returns the size of a queue over all shards.
pub(super) async fn queue_size(shared: &Shared, key: impl Fn(Shard) -> String + Send) -> Result<QueueSize> {
    let looks = Shard::all().flat_map(|shard| {
        let first = command_with("ZRANGE", key(shard), (0, 0, "WITHSCORES"));
        [command("ZCARD", key(shard)), first]
    });
    let mut answers = shared.client.send_all_once(looks.collect()).await?.into_iter();
    let mut size = QueueSize::default();
    while let (Some(length), Some(first)) = (answers.next(), answers.next()) {
        let first: Vec<(String, f64)> = read(first)?;
        let moments = first.first().map(|(_, at)| Timestamp(*at as i64)).into_iter().chain(size.oldest);
        size = QueueSize { length: size.length + read::<u64>(length)?, oldest: moments.min() };
    }
    Ok(size)
}
