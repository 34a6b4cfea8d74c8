//! Players.

use async_trait::async_trait;

use super::RedisStore;
use super::link::{command, read};
use crate::ids::PlayerId;
use crate::store::{PlayerStore, Result};

#[async_trait]
impl PlayerStore for RedisStore {
    async fn put_player(&self, id: &PlayerId, stored: Vec<u8>) -> Result<()> {
        let mut set = command("SET", self.shared.keys.player(id));
        set.arg(stored);
        self.shared.link.once(&set).await.map(drop)
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>> {
        read(self.shared.link.again(&command("GET", self.shared.keys.player(id))).await?)
    }
}
