//! Players.
//!
//! Invariant: of several writers who have read the same revision, one writes.

use async_trait::async_trait;

use super::{Result, Revised};
use sarsen_base::ids::PlayerId;

/// Keeps players.
#[async_trait]
pub trait PlayerStore: Send + Sync + 'static {
    /// Writes a player if its revision is still `expected` (0: it must be new). Answers whether it was written.
    async fn put_player(&self, id: &PlayerId, expected: u64, stored: Vec<u8>) -> Result<bool>;

    /// A player.
    async fn player(&self, id: &PlayerId) -> Result<Option<Revised>>;
}
