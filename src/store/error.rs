//! The error of every store operation.

use super::upgrade::FormError;

/// The reason why a store operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store is away or too slow. The operation may or may not have happened; the caller may try again later.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The store holds something that this release cannot read.
    #[error("the store holds something unreadable: {0}")]
    Corrupt(String),
}

impl From<FormError> for StoreError {
    fn from(error: FormError) -> StoreError {
        StoreError::Corrupt(error.to_string())
    }
}

/// The result type of every store operation.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;
