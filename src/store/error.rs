//! The error of every store operation.

use super::upgrade::FormError;

/// Why the store did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is away or too slow. What was asked may or may not have happened; asking again later is right.
    #[error("the store is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It holds something that this release cannot read.
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
