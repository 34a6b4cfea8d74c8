//! Checkpoints: a sorted set beside the match, by version. It goes by itself when nobody has left one for long.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::script::CHECKPOINT;
use crate::{Checkpoint, Checkpoints, Result, Stamp, StoreError};
use sarsen_base::ids::MatchId;

/// For how long those of a match are kept after the last was left, in seconds: a week.
const KEPT_SECONDS: u32 = 7 * 24 * 60 * 60;

#[async_trait]
impl Checkpoints for RedisStore {
    async fn checkpoint(&self, id: &MatchId, at_most: u64) -> Result<Option<Checkpoint>> {
        let mut range = command("ZREVRANGEBYSCORE", self.shared.keys.checkpoints(id));
        range.arg(at_most).arg(0).arg("WITHSCORES").arg("LIMIT").arg(0).arg(1);
        let found: Vec<(Vec<u8>, f64)> = read(self.shared.client.send_again_if_lost(&range).await?)?;
        let Some((kept, version)) = found.into_iter().next() else { return Ok(None) };
        let Some((stamp, state)) = kept.split_first_chunk() else {
            return Err(StoreError::Corrupt(format!("half a checkpoint of match {id}")));
        };
        let stamp = Stamp::from_number(u64::from_be_bytes(*stamp));
        Ok(Some(Checkpoint { version: version as u64, stamp, state: state.to_vec() }))
    }

    async fn leave_checkpoint(&self, id: &MatchId, checkpoint: &Checkpoint) -> Result<()> {
        let Checkpoint { version, stamp, state } = checkpoint;
        let mut call = CHECKPOINT.on(&[self.shared.keys.the_match(id), self.shared.keys.checkpoints(id)]);
        call.arg(*version).arg([&stamp.number().to_be_bytes(), state.as_slice()].concat()).arg(KEPT_SECONDS);
        self.shared.client.send_once(&call).await.map(drop)
    }
}
