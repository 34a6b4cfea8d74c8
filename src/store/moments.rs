//! Moments: when something was done for the first time, for what is to be done once.

use async_trait::async_trait;

use super::Result;
use crate::ambient::Timestamp;

/// Keeps first moments, for ever.
#[async_trait]
pub trait Moments: Send + Sync + 'static {
    /// When this name was first asked for: now, if that is the first time. Of several callers all get the same. The name
    /// is a short ASCII text.
    ///
    /// [`Moments::moment`] only looks.
    async fn first(&self, name: &str) -> Result<Timestamp>;

    /// When this name was first asked for, if it was.
    async fn moment(&self, name: &str) -> Result<Option<Timestamp>>;
}
