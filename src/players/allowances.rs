//! Allowances: how many guests an address may make, and how much a player may write.
//!
//! Invariant: the count lives in the store, so all instances share it.

use std::sync::Arc;

use crate::ids::PlayerId;
use crate::store::{Allowance, Buckets, StoreError, Taken};

/// The allowances of a service; `None` is without bound.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Allowances {
    /// Guests made from one address.
    pub guests: Option<Allowance>,
    /// Changes made by one player.
    pub writes: Option<Allowance>,
}

/// What is left of an allowance after something was counted against it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// The allowance's name: `guests` or `writes`.
    pub policy: &'static str,
    /// How large it is.
    pub allowance: Allowance,
    /// Whether there was enough, and what is left.
    pub taken: Taken,
}

/// Counts what is done against the allowances.
pub struct AllowanceCounter {
    buckets: Arc<dyn Buckets>,
    allowances: Allowances,
}

impl AllowanceCounter {
    /// Counts against `allowances` in these buckets.
    pub fn new(buckets: Arc<dyn Buckets>, allowances: Allowances) -> AllowanceCounter {
        AllowanceCounter { buckets, allowances }
    }

    /// Counts a change by `player`; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_write(&self, player: &PlayerId) -> Result<Option<Counted>, StoreError> {
        self.count("writes", self.allowances.writes, player.as_str()).await
    }

    /// Counts a guest made from `address`; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_guest(&self, address: &str) -> Result<Option<Counted>, StoreError> {
        self.count("guests", self.allowances.guests, address).await
    }

    async fn count(
        &self,
        policy: &'static str,
        allowance: Option<Allowance>,
        whose: &str,
    ) -> Result<Option<Counted>, StoreError> {
        let Some(allowance) = allowance else { return Ok(None) };
        let taken = self.buckets.take(&format!("{policy}:{whose}"), allowance).await?;
        Ok(Some(Counted { policy, allowance, taken }))
    }
}
