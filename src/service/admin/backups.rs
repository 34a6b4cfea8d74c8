//! Backups on an operator's order.

use super::{Administration, Audited};
use sarsen_store::{Backup, BackupError};

impl Administration {
    /// Makes a backup beside the store.
    ///
    /// # Errors
    /// See [`BackupError`].
    pub async fn back_up(&self, _: &Audited) -> Result<Backup, BackupError> {
        self.backups.back_up().await
    }
}
