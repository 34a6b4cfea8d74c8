//! How a store is doing, for whoever operates it.

use async_trait::async_trait;

use super::Result;

/// Tells how the store is doing.
#[async_trait]
pub trait Condition: Send + Sync + 'static {
    /// How full the store is, 0 to 1: the disk that it writes to, or the memory that a server of it may take, the fullest of
    /// several. `None` if that is unknown or has no bound.
    async fn used(&self) -> Result<Option<f64>>;
}
