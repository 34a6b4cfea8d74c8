//! Tickets: values that are kept for a time, and can be taken once.

use async_trait::async_trait;

use super::Result;

/// Keeps values until they are taken or their time is over.
#[async_trait]
pub trait Tickets: Send + Sync + 'static {
    /// Keeps a value until it is taken, `seconds` long at most, in place of what was kept under this key. `key` is a
    /// short ASCII name.
    async fn put_ticket(&self, key: &str, value: Vec<u8>, seconds: u32) -> Result<()>;

    /// A value kept by [`Tickets::put_ticket`], which stays where it is.
    async fn read_ticket(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Takes a value kept by [`Tickets::put_ticket`]: of several callers at most one gets it.
    async fn take_ticket(&self, key: &str) -> Result<Option<Vec<u8>>>;
}
