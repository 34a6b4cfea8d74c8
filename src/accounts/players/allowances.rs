//! Allowances: how many guests an address may make, and how much a player may write and read.
//!
//! Invariant: guests and writes are counted in the store, so all instances share the count. Reads and steps in
//! the sandbox are counted in the memory of each instance, so that they cost no further trip.

use std::sync::Arc;

use sarsen_base::ambient::Ambient;
use sarsen_base::ids::PlayerId;
use sarsen_store::{Allowance, ExpiringStore, Levels, StoreError, Taken};

/// The allowances of a service; `None` is without bound.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Allowances {
    /// Guests made from one address.
    pub guests: Option<Allowance>,
    /// Changes made by one player.
    pub writes: Option<Allowance>,
    /// Reads by one player, of each instance.
    pub reads: Option<Allowance>,
    /// Steps in the sandbox by one player, of each instance.
    pub sandbox: Option<Allowance>,
    /// Hints for one player.
    pub hints: Option<Allowance>,
    /// Invites that are looked at or taken up from one address.
    pub invites: Option<Allowance>,
}

/// What is left of an allowance after something was counted against it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// The allowance's name: `guests`, `writes`, `reads`, `sandbox`, `hints` or `invites`.
    pub policy: &'static str,
    /// How large it is.
    pub allowance: Allowance,
    /// Whether there was enough, and what is left.
    pub taken: Taken,
}

/// Counts what is done against the allowances.
pub struct AllowanceCounter {
    buckets: Arc<dyn ExpiringStore>,
    reads: Levels,
    sandbox: Levels,
    allowances: Allowances,
    ambient: Ambient,
}

impl AllowanceCounter {
    /// Counts against `allowances` in these buckets.
    pub fn new(buckets: Arc<dyn ExpiringStore>, allowances: Allowances, ambient: Ambient) -> AllowanceCounter {
        let (reads, sandbox) = (Levels::default(), Levels::default());
        AllowanceCounter { buckets, reads, sandbox, allowances, ambient }
    }

    /// What is counted against.
    pub fn allowances(&self) -> Allowances {
        self.allowances
    }

    /// Counts a change by `player`; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_write(&self, player: &PlayerId) -> Result<Option<Counted>, StoreError> {
        self.count("writes", self.allowances.writes, player.as_str()).await
    }

    /// Counts a change of tokens asked for from `address`, as large an allowance as a player's; `None` where that is
    /// without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_write_from(&self, address: &str) -> Result<Option<Counted>, StoreError> {
        self.count("writes", self.allowances.writes, address).await
    }

    /// Counts a hint for `player`; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_hint(&self, player: &PlayerId) -> Result<Option<Counted>, StoreError> {
        self.count("hints", self.allowances.hints, player.as_str()).await
    }

    /// Counts a look at an invite from `address`; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_invite(&self, address: &str) -> Result<Option<Counted>, StoreError> {
        self.count("invites", self.allowances.invites, address).await
    }

    /// Counts a read by `player`; `None` where that is without bound.
    pub fn count_read(&self, player: &PlayerId) -> Option<Counted> {
        let allowance = self.allowances.reads?;
        let taken = self.reads.take(player.as_str(), allowance, self.ambient.now());
        Some(Counted { policy: "reads", allowance, taken })
    }

    /// Counts so many steps in the sandbox by `player`, all or none; `None` where that is without bound.
    pub fn count_sandbox(&self, player: &PlayerId, steps: u32) -> Option<Counted> {
        let allowance = self.allowances.sandbox?;
        let taken = self.sandbox.take_some(player.as_str(), steps, allowance, self.ambient.now());
        Some(Counted { policy: "sandbox", allowance, taken })
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
