//! Backups: a copy of everything at one moment, while the service runs.

use super::StoreError;

/// A backup that was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Backup {
    /// The file's name, in the directory of backups.
    pub name: String,
    /// Its size, in bytes.
    pub bytes: u64,
}

/// The reason why no backup was made.
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
        /// The file's path.
        file: String,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// The store failed, or was closed meanwhile.
    #[error(transparent)]
    Store(#[from] StoreError),
}
