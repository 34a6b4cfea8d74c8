//! Players.

use async_trait::async_trait;

use super::Embedded;
use super::layout::PLAYERS;
use crate::ids::PlayerId;
use crate::store::{PlayerStore, Result};

#[async_trait]
impl PlayerStore for Embedded {
    async fn put_player(&self, id: &PlayerId, stored: Vec<u8>) -> Result<()> {
        let id = id.number();
        self.write(move |group| {
            group.tables.players.insert(id, stored.as_slice())?;
            Ok(())
        })
        .await
    }

    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>> {
        self.read(|transaction| {
            let found = transaction.open_table(PLAYERS)?.get(id.number())?;
            Ok(found.map(|stored| stored.value().to_vec()))
        })
    }
}
