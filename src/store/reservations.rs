//! Reservations: what an idempotency key outside of matches stands for, noted before the thing is made.

use async_trait::async_trait;

use super::{ReplayKey, Result};

/// What a key stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reservation {
    /// The id of the thing that is made under the key. Short ASCII without a colon.
    pub id: String,
    /// Fingerprint of the request, to tell a repetition from a misuse of the key. Short ASCII.
    pub fingerprint: String,
}

/// Keeps reservations until their time is over.
#[async_trait]
pub trait Reservations: Send + Sync + 'static {
    /// What stands under the key.
    async fn reservation(&self, key: &ReplayKey) -> Result<Option<Reservation>>;

    /// Reserves for `seconds` unless something stands under the key, and answers what stands there from now on: of
    /// several callers all get the same. What stands there outlives whatever is committed afterwards.
    async fn reserve(&self, key: &ReplayKey, reservation: Reservation, seconds: u32) -> Result<Reservation>;
}
