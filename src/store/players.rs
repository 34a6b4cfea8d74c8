//! Players.

use async_trait::async_trait;

use super::Result;
use crate::ids::PlayerId;

/// Keeps players.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Writes a player, new or known.
    async fn put_player(&self, id: &PlayerId, stored: Vec<u8>) -> Result<()>;

    /// What is stored of a player.
    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>>;
}
