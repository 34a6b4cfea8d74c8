//! The levels of token buckets, in the memory of one process.
//!
//! Invariant: a full bucket equals an absent one, so only those in use take memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::{Allowance, Taken};
use sarsen_base::ambient::Timestamp;

/// The resolution of a unit: a bucket gains `per_minute` of these in a millisecond, so nothing is rounded.
const UNIT: u64 = 60_000;
/// The number of buckets below which full ones are not dropped.
const FEW: usize = 1024;

/// Token buckets. Those that are full take no memory.
#[derive(Default)]
pub struct Levels(Mutex<State>);

#[derive(Default)]
struct State {
    buckets: HashMap<String, Bucket>,
    /// The number of buckets at which full ones are dropped.
    sweep_at: usize,
}

struct Bucket {
    level: u64,
    allowance: Allowance,
    since: Timestamp,
}

impl Bucket {
    /// Returns the level at `now`, under `allowance`.
    fn level(&self, allowance: Allowance, now: Timestamp) -> u64 {
        let elapsed = u64::try_from(now.0.saturating_sub(self.since.0)).unwrap_or(0);
        let gained = elapsed.saturating_mul(u64::from(allowance.per_minute));
        self.level.saturating_add(gained).min(u64::from(allowance.burst) * UNIT)
    }
}

impl Levels {
    /// Takes one unit from a bucket, if there is one.
    pub fn take(&self, name: &str, allowance: Allowance, now: Timestamp) -> Taken {
        self.take_some(name, 1, allowance, now)
    }

    /// Gives back one that was taken, as far as the bucket holds it.
    pub fn give_back(&self, name: &str, allowance: Allowance, now: Timestamp) {
        let full = u64::from(allowance.burst) * UNIT;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bucket) = state.buckets.get_mut(name) {
            let level = bucket.level(allowance, now).saturating_add(UNIT).min(full);
            *bucket = Bucket { level, allowance, since: now };
        }
    }

    /// Takes `number` units from a bucket, or none if there are fewer; the answer then says when there are enough.
    pub fn take_some(&self, name: &str, number: u32, allowance: Allowance, now: Timestamp) -> Taken {
        let full = u64::from(allowance.burst) * UNIT;
        let wanted = u64::from(number) * UNIT;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = state.buckets.get(name).map_or(full, |bucket| bucket.level(allowance, now));
        let allowed = before >= wanted;
        let level = if allowed { before - wanted } else { before };
        // The amount that the next caller needs, or this one at its next try.
        let next = if allowed { UNIT } else { wanted };
        match state.buckets.get_mut(name) {
            Some(bucket) => *bucket = Bucket { level, allowance, since: now },
            None => state.add(name, Bucket { level, allowance, since: now }),
        }
        Taken {
            allowed,
            remaining: u32::try_from(level / UNIT).unwrap_or(u32::MAX),
            retry_after_millis: next.saturating_sub(level).div_ceil(u64::from(allowance.per_minute.max(1))),
        }
    }
}

impl State {
    fn add(&mut self, name: &str, bucket: Bucket) {
        if self.buckets.len() >= self.sweep_at.max(FEW) {
            let now = bucket.since;
            self.buckets
                .retain(|_, bucket| bucket.level(bucket.allowance, now) < u64::from(bucket.allowance.burst) * UNIT);
            self.sweep_at = self.buckets.len() * 2;
        }
        self.buckets.insert(name.to_owned(), bucket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWANCE: Allowance = Allowance { burst: 2, per_minute: 7 };

    #[test]
    fn what_comes_back_is_counted_to_the_millisecond() {
        let levels = Levels::default();
        let take = |at| levels.take("b", ALLOWANCE, Timestamp(at));
        assert_eq!((take(0).allowed, take(0).remaining, take(0).allowed), (true, 0, false));
        // A unit takes 60,000 / 7 = 8,571.4 ms.
        assert_eq!(take(1), Taken { allowed: false, remaining: 0, retry_after_millis: 8571 });
        assert_eq!(take(8571), Taken { allowed: false, remaining: 0, retry_after_millis: 1 });
        assert!(take(8572).allowed);
        assert!(!take(17_142).allowed);
        assert!(take(17_143).allowed);
    }

    #[test]
    fn all_that_is_wanted_is_taken_or_nothing() {
        let levels = Levels::default();
        let allowance = Allowance { burst: 10, per_minute: 60 };
        let take = |number, at| levels.take_some("b", number, allowance, Timestamp(at));
        assert_eq!(take(8, 0), Taken { allowed: true, remaining: 2, retry_after_millis: 0 });
        assert_eq!(take(3, 0), Taken { allowed: false, remaining: 2, retry_after_millis: 1000 });
        assert_eq!(take(3, 1000), Taken { allowed: true, remaining: 0, retry_after_millis: 1000 });
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_a_bucket_holds_no_more_than_it_may() {
        let levels = Levels::default();
        let take = || levels.take("b", ALLOWANCE, Timestamp(0)).allowed;
        levels.give_back("b", ALLOWANCE, Timestamp(0));
        assert_eq!([take(), take(), take()], [true, true, false]);
        levels.give_back("b", ALLOWANCE, Timestamp(0));
        assert_eq!([take(), take()], [true, false]);
        (0..5).for_each(|_| levels.give_back("b", ALLOWANCE, Timestamp(0)));
        assert_eq!([take(), take(), take()], [true, true, false]);
    }

    #[test]
    fn a_clock_set_back_takes_nothing_away() {
        let levels = Levels::default();
        assert_eq!(levels.take("b", ALLOWANCE, Timestamp(10_000)).remaining, 1);
        assert_eq!(
            levels.take("b", ALLOWANCE, Timestamp(0)),
            Taken { allowed: true, remaining: 0, retry_after_millis: 8572 }
        );
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let levels = Levels::default();
        for at in 0..10 * FEW as i64 {
            levels.take(&at.to_string(), Allowance { burst: 1, per_minute: 60_000 }, Timestamp(at));
        }
        assert!(levels.0.lock().unwrap().buckets.len() <= FEW + 1);
    }
}
