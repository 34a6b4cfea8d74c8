//! Players, each a hash: what is stored of the player, and the revision beside it.

use async_trait::async_trait;

use super::RedisStore;
use super::client::{command, read};
use super::script::PUT_PLAYER;
use crate::{PlayerStore, Result, Revised, StoreError};
use sarsen_base::ids::PlayerId;

#[async_trait]
impl PlayerStore for RedisStore {
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool> {
        let mut put = PUT_PLAYER.on(&[self.shared.keys.player(id)]);
        put.arg(expected).arg(expected.saturating_add(1)).arg(stored);
        read(self.shared.client.keep_once(put).await?)
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>> {
        let mut get = command("HMGET", self.shared.keys.player(id));
        get.arg("n").arg("r");
        let found: (Option<u64>, Option<Vec<u8>>) = read(self.shared.client.send_again_if_lost(&get).await?)?;
        match found {
            (Some(revision), Some(stored)) => Ok(Some(Revised { stored, revision })),
            (None, None) => Ok(None),
            _ => Err(StoreError::Corrupt(format!("half of player {id}"))),
        }
    }
}
