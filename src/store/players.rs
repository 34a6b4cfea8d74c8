//! Players.

use async_trait::async_trait;

use super::Result;
use crate::ids::PlayerId;

/// Keeps players.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Writes a player's record, new or known.
    async fn put_player(&self, id: &PlayerId, record: Vec<u8>) -> Result<()>;

    /// A player's record.
    async fn player(&self, id: &PlayerId) -> Result<Option<Vec<u8>>>;
}
