//! The tokens that this instance has checked against the store a moment ago.
//!
//! Invariant: what was read counts for [`CHECKED_FOR_SECONDS`] from the beginning of the reading, so a token that was
//! revoked anywhere is refused here no later than that, though nothing tells this instance.

use quick_cache::sync::Cache;

use crate::auth::{Principal, ProgramToken, ProgramTokenId, SecretHash};
use sarsen_base::ambient::Timestamp;

/// The time for which a checked token is not looked up again, in seconds.
pub(crate) const CHECKED_FOR_SECONDS: u32 = 8;

/// The number of tokens that are remembered, some 500 bytes each.
const REMEMBERED: usize = 8192;

#[derive(Clone)]
struct Checked {
    hash: SecretHash,
    caller: Principal,
    until: Timestamp,
}

/// The checked tokens, bounded.
pub(super) struct CheckedTokens(Cache<ProgramTokenId, Checked>);

impl CheckedTokens {
    pub(super) fn new() -> CheckedTokens {
        CheckedTokens(Cache::new(REMEMBERED))
    }

    /// The caller by this token, if it was found good a moment ago.
    pub(super) fn caller(&self, token: &ProgramToken, now: Timestamp) -> Option<Principal> {
        let checked = self.0.get(&token.id)?;
        (now < checked.until && checked.hash.is(&token.hash())).then_some(checked.caller)
    }

    /// Remembers a token that was found good by a reading that began then.
    pub(super) fn insert(&self, token: &ProgramToken, caller: Principal, begun: Timestamp, expires: Timestamp) {
        let until = begun.plus_seconds(CHECKED_FOR_SECONDS).min(expires);
        self.0.insert(token.id, Checked { hash: token.hash(), caller, until });
    }

    pub(super) fn forget(&self, token: ProgramTokenId) {
        self.0.remove(&token);
    }
}
