//! Allowances: limits on guests and public matches from an address, and on writes and reads of a player.
//!
//! Invariant: guests, writes and public matches are counted in the store, so all instances share the count. Reads, wrong
//! invites, codes and outside tokens, and steps in the sandbox are counted in the memory of each instance, so that they
//! cost no further trip. A code or token is counted before it is looked at, and given back if it is right: however many
//! come at once, no more wrong ones are looked at than are allowed.

use std::sync::Arc;

use crate::auth::Principal;
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
    /// Changes made with one token of a program.
    pub program_writes: Option<Allowance>,
    /// Reads by one player or with one token of a program, or without a token by one address, of each instance.
    pub reads: Option<Allowance>,
    /// Steps in the sandbox by one player, of each instance.
    pub sandbox: Option<Allowance>,
    /// Hints for one player.
    pub hints: Option<Allowance>,
    /// Invites that are looked at or taken up from one address; and, of each instance, wrong ones that come with other
    /// requests.
    pub invites: Option<Allowance>,
    /// Public matches made from one address.
    pub tables: Option<Allowance>,
    /// Wrong pairing codes and recovery keys from one address, of each instance.
    pub codes: Option<Allowance>,
    /// Outside tokens from one address that do not count, of each instance.
    pub exchanges: Option<Allowance>,
}

/// The rest of an allowance after a count against it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Counted {
    /// The allowance's name: `guests`, `writes`, `program_writes`, `reads`, `sandbox`, `hints`, `invites`, `tables`,
    /// `codes` or `exchanges`.
    pub policy: &'static str,
    /// The allowance itself.
    pub allowance: Allowance,
    /// The outcome of the count, and the rest.
    pub taken: Taken,
}

/// Counts what is done against the allowances.
pub struct AllowanceCounter {
    buckets: Arc<dyn ExpiringStore>,
    reads: Levels,
    sandbox: Levels,
    wrong_invites: Levels,
    codes: Levels,
    exchanges: Levels,
    allowances: Allowances,
    ambient: Ambient,
}

impl AllowanceCounter {
    /// Counts against `allowances` in these buckets.
    pub fn new(buckets: Arc<dyn ExpiringStore>, allowances: Allowances, ambient: Ambient) -> AllowanceCounter {
        let levels = Levels::default;
        let (reads, sandbox, wrong_invites, codes, exchanges) = (levels(), levels(), levels(), levels(), levels());
        AllowanceCounter { buckets, reads, sandbox, wrong_invites, codes, exchanges, allowances, ambient }
    }

    /// Returns the allowances.
    pub fn allowances(&self) -> Allowances {
        self.allowances
    }

    /// Counts a change by `caller`, of a program against its token; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_write(&self, caller: &Principal) -> Result<Option<Counted>, StoreError> {
        match &caller.program {
            Some(program) => self.count("program_writes", self.allowances.program_writes, program.token.as_str()).await,
            None => self.count("writes", self.allowances.writes, caller.player.as_str()).await,
        }
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

    /// Counts a look at an invite from this address, or its use by this token; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_invite(&self, whose: &str) -> Result<Option<Counted>, StoreError> {
        self.count("invites", self.allowances.invites, whose).await
    }

    /// Counts a public match made from this address or by this token; `None` where that is without bound.
    ///
    /// # Errors
    /// If the store is away.
    pub async fn count_table(&self, whose: &str) -> Result<Option<Counted>, StoreError> {
        self.count("tables", self.allowances.tables, whose).await
    }

    /// Counts a read by this player, or by this address without a token; `None` where that is without bound.
    pub fn count_read(&self, whose: &str) -> Option<Counted> {
        let allowance = self.allowances.reads?;
        let taken = self.reads.take(whose, allowance, self.ambient.now());
        Some(Counted { policy: "reads", allowance, taken })
    }

    /// Counts a wrong invite from `address`.
    pub fn count_wrong_invite(&self, address: &str) {
        if let Some(allowance) = self.allowances.invites {
            self.wrong_invites.take(address, allowance, self.ambient.now());
        }
    }

    /// Returns the rest of the wrong invites that `address` may still try; `None` where that is without bound.
    pub fn wrong_invites_left(&self, address: &str) -> Option<Counted> {
        let allowance = self.allowances.invites?;
        let level = self.wrong_invites.take_some(address, 0, allowance, self.ambient.now());
        let taken = Taken { allowed: level.remaining > 0, ..level };
        Some(Counted { policy: "invites", allowance, taken })
    }

    /// Counts a pairing code or recovery key from `address`; `None` where that is without bound.
    pub fn count_code(&self, address: &str) -> Option<Counted> {
        let allowance = self.allowances.codes?;
        let taken = self.codes.take(address, allowance, self.ambient.now());
        Some(Counted { policy: "codes", allowance, taken })
    }

    /// Counts a code no more, which was right.
    pub fn give_code_back(&self, address: &str) {
        if let Some(allowance) = self.allowances.codes {
            self.codes.give_back(address, allowance, self.ambient.now());
        }
    }

    /// Counts an outside token from `address`; `None` where that is without bound.
    pub fn count_exchange(&self, address: &str) -> Option<Counted> {
        let allowance = self.allowances.exchanges?;
        let taken = self.exchanges.take(address, allowance, self.ambient.now());
        Some(Counted { policy: "exchanges", allowance, taken })
    }

    /// Counts an outside token no more, which was right.
    pub fn give_exchange_back(&self, address: &str) {
        if let Some(allowance) = self.allowances.exchanges {
            self.exchanges.give_back(address, allowance, self.ambient.now());
        }
    }

    /// Counts `steps` sandbox steps of `player`, all or none; `None` if there is no limit.
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
