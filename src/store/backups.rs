//! Backups: a copy of everything at one moment, while the service goes on.

use super::StoreError;

/// A backup that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backup {
    /// The file's name, in the directory of backups.
    pub name: String,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// Why there is no backup.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Another one is being made.
    #[error("a backup is being made already")]
    Running,
    /// The store is not in a file of this service.
    #[error("the store is not in a file of this service, and its own server's means make its backups")]
    Elsewhere,
    /// The file cannot be made or written.
    #[error("{file}")]
    File {
        /// Which.
        file: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The store failed, or was closed meanwhile.
    #[error(transparent)]
    Store(#[from] StoreError),
}
