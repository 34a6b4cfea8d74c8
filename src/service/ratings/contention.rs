//! Changes that others overtake: how often they are tried, and what is answered then.

use sarsen_store::StoreError;

/// The most attempts at a change while others are quicker.
pub(super) const ATTEMPTS: usize = 200;

pub(super) fn busy() -> StoreError {
    StoreError::Unavailable("others keep changing these ratings".into())
}
