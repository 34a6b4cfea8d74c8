//! Leases of matches for their bots, in memory: they belong to this process, and end with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// The number of leases below which expired ones are not dropped.
const FEW: usize = 1024;

/// The leases of this process.
#[derive(Default)]
pub(super) struct Leases(Mutex<HashMap<MatchId, Lease>>);

struct Lease {
    who: String,
    until: Timestamp,
}

impl Leases {
    fn leases(&self) -> MutexGuard<'_, HashMap<MatchId, Lease>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn claim(&self, id: &MatchId, who: &str, millis: u32, now: Timestamp) -> Option<u64> {
        let mut leases = self.leases();
        let held = leases.get(id).filter(|lease| lease.who != who && lease.until > now);
        if let Some(held) = held {
            return Some(held.until.0.abs_diff(now.0));
        }
        if leases.len() >= FEW {
            leases.retain(|_, lease| lease.until > now);
        }
        let until = Timestamp(now.0.saturating_add(i64::from(millis)));
        leases.insert(id.clone(), Lease { who: who.to_owned(), until });
        None
    }

    pub(super) fn release(&self, id: &MatchId, who: &str) {
        let mut leases = self.leases();
        if leases.get(id).is_some_and(|lease| lease.who == who) {
            leases.remove(id);
        }
    }
}
