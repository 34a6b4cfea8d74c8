//! Claims to matches, in memory: they are this process's own, and end with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// Below this many claims nobody looks for those whose time is over.
const FEW: usize = 1024;

/// The claims of this process.
#[derive(Default)]
pub(super) struct ClaimTable(Mutex<HashMap<MatchId, Claim>>);

struct Claim {
    who: String,
    until: Timestamp,
}

impl ClaimTable {
    fn claims(&self) -> MutexGuard<'_, HashMap<MatchId, Claim>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn claim(&self, id: &MatchId, who: &str, millis: u32, now: Timestamp) -> Option<u64> {
        let mut claims = self.claims();
        let held = claims.get(id).filter(|claim| claim.who != who && claim.until > now);
        if let Some(held) = held {
            return Some(held.until.0.abs_diff(now.0));
        }
        if claims.len() >= FEW {
            claims.retain(|_, claim| claim.until > now);
        }
        let until = Timestamp(now.0.saturating_add(i64::from(millis)));
        claims.insert(id.clone(), Claim { who: who.to_owned(), until });
        None
    }

    pub(super) fn release(&self, id: &MatchId, who: &str) {
        let mut claims = self.claims();
        if claims.get(id).is_some_and(|claim| claim.who == who) {
            claims.remove(id);
        }
    }
}
