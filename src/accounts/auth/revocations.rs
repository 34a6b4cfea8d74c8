//! Revocations: the sessions whose access tokens are refused although they have not expired.
//!
//! Invariant: a revocation stays until its end has passed; nothing else removes it, so readings of the store and live
//! messages may arrive in any order.
//!
//! The source of revocations is deliberately absent: `crate::players::revocation_feed` fills the set.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::SessionId;

/// A set of revoked sessions, shared by everything that verifies tokens.
#[derive(Debug, Default)]
pub struct Revocations {
    until: RwLock<HashMap<SessionId, Timestamp>>,
}

impl Revocations {
    /// An empty set.
    pub fn new() -> Revocations {
        Revocations::default()
    }

    /// Returns true if the session was revoked.
    pub fn is_revoked(&self, session: &SessionId) -> bool {
        self.until.read().unwrap_or_else(PoisonError::into_inner).contains_key(session)
    }

    /// Remembers a revocation until the moment `until`, by which every access token of the session has expired.
    pub fn insert(&self, session: SessionId, until: Timestamp) {
        self.merge([(session, until)]);
    }

    /// Remembers all of these too.
    pub(crate) fn merge(&self, revoked: impl IntoIterator<Item = (SessionId, Timestamp)>) {
        let mut known = self.until.write().unwrap_or_else(PoisonError::into_inner);
        for (session, until) in revoked {
            let end = known.entry(session).or_insert(until);
            *end = until.max(*end);
        }
    }

    /// Forgets revocations that ended before `now`.
    pub(crate) fn forget_ended(&self, now: Timestamp) {
        self.until.write().unwrap_or_else(PoisonError::into_inner).retain(|_, until| *until >= now);
    }

    /// Returns true if no revocation is remembered.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.until.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_base::ambient::Ambient;

    #[test]
    fn a_revocation_is_kept_until_its_end() {
        let ambient = Ambient::fixed(0, 1);
        let (one, other) = (SessionId::generate(&ambient), SessionId::generate(&ambient));
        let revocations = Revocations::new();
        assert!(!revocations.is_revoked(&one));
        revocations.insert(one.clone(), Timestamp(10));
        revocations.merge([(one.clone(), Timestamp(5)), (other.clone(), Timestamp(7))]);
        assert!(revocations.is_revoked(&one) && revocations.is_revoked(&other));
        revocations.merge([]);
        revocations.forget_ended(Timestamp(10));
        assert!(revocations.is_revoked(&one), "the later end counts, and a reading without it takes nothing out");
        assert!(!revocations.is_revoked(&other));
        revocations.forget_ended(Timestamp(11));
        assert!(revocations.is_empty());
    }
}
