//! Backups: Redis makes its own.

use async_trait::async_trait;

use super::RedisStore;
use crate::{Backup, BackupError, Backups};

#[async_trait]
impl Backups for RedisStore {
    async fn back_up(&self) -> Result<Backup, BackupError> {
        Err(BackupError::Elsewhere)
    }
}
