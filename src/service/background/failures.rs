//! Counts of failures: by kind, for the metrics, and by match, to find the one that fails again and again.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use sarsen_base::ids::MatchId;

/// The number of failures after which something is put off for long.
const POISON: u32 = 5;

/// The number of failed jobs, by kind. Kinds are those of this release, so there are few.
#[derive(Debug, Default)]
pub struct JobFailures(Mutex<BTreeMap<String, u64>>);

impl JobFailures {
    pub(super) fn count(&self, kind: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(kind.to_owned()).or_default() += 1;
    }

    /// All of them.
    pub fn all(&self) -> BTreeMap<String, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The number of failures in a row of each match on this instance.
#[derive(Default)]
pub(super) struct Poison(Mutex<HashMap<MatchId, u32>>);

impl Poison {
    /// Counts a failure. Returns true at the [`POISON`]th, and starts again at 0 then.
    pub(super) fn failed(&self, id: &MatchId) -> bool {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(id.clone()).or_default();
        *count += 1;
        let poison = *count >= POISON;
        if poison {
            counts.remove(id);
        }
        poison
    }

    /// Forgets a match in which it went well.
    pub(super) fn went_well(&self, id: &MatchId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Forgets all matches but those that wait to be looked at again.
    pub(super) fn keep_only(&self, waiting: &BTreeSet<&MatchId>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|id, _| waiting.contains(id));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_failure_in_a_row_is_one_too_many() {
        let (poison, id, other) = (Poison::default(), MatchId::from_number(1), MatchId::from_number(2));
        for _ in 0..2 {
            assert_eq!([(); 5].map(|()| poison.failed(&id)), [false, false, false, false, true]);
        }
        for _ in 0..4 {
            poison.failed(&id);
        }
        assert!(!poison.failed(&other));
        poison.keep_only(&BTreeSet::from([&other]));
        assert!(!poison.failed(&id), "it had gone well meanwhile");
    }
}
