//! Quotas: how many of something one holder may have at a time, as far as this instance knows.
//!
//! Invariant: what was taken is given back when its [`Share`] is dropped, however its connection or stream ends. Holders
//! without a share take no memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The number of shares of each holder.
type Held<H> = Arc<Mutex<HashMap<H, u32>>>;

/// A quota for each holder.
pub(crate) struct Quota<H> {
    most: u32,
    held: Held<H>,
}

/// One of what a holder has.
pub(crate) struct Share<H: Eq + Hash> {
    holder: H,
    held: Held<H>,
    /// The number of the holder's shares when this one was taken, including this one.
    number: u32,
    most: u32,
}

/// A panic elsewhere leaves the numbers as they were.
fn numbers<H>(held: &Held<H>) -> MutexGuard<'_, HashMap<H, u32>> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<H: Eq + Hash + Clone> Quota<H> {
    /// A quota of this size; `None` is without bound.
    pub(crate) fn of(most: Option<u32>) -> Quota<H> {
        Quota { most: most.unwrap_or(u32::MAX), held: Held::default() }
    }

    /// Counts one more of the holder's, which may be one too many: the share says so.
    pub(crate) fn take(&self, holder: H) -> Share<H> {
        let number = {
            let mut numbers = numbers(&self.held);
            let number = numbers.entry(holder.clone()).or_insert(0);
            *number = number.saturating_add(1);
            *number
        };
        Share { holder, held: Arc::clone(&self.held), number, most: self.most }
    }
}

impl<H: Eq + Hash> Share<H> {
    /// Returns true if this share is over the quota.
    pub(crate) fn is_over(&self) -> bool {
        self.number > self.most
    }

    /// Returns true if both belong to one holder.
    pub(crate) fn is_of_the_same(&self, other: &Share<H>) -> bool {
        self.holder == other.holder
    }

    /// Returns true if the holder has more than twice the quota, so that an answer would cost too much.
    pub(crate) fn is_far_over(&self) -> bool {
        self.number > self.most.saturating_mul(2)
    }
}

impl<H: Eq + Hash> Drop for Share<H> {
    fn drop(&mut self) {
        let mut numbers = numbers(&self.held);
        if let Some(number) = numbers.get_mut(&self.holder) {
            *number -= 1;
            if *number == 0 {
                numbers.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_can_be_taken_again_and_holders_are_apart() {
        let quota = Quota::of(Some(2));
        let mut shares: Vec<_> = (0..5).map(|_| quota.take("a")).collect();
        let over: Vec<bool> = shares.iter().map(Share::is_over).collect();
        let far: Vec<bool> = shares.iter().map(Share::is_far_over).collect();
        assert_eq!(over, [false, false, true, true, true]);
        assert_eq!(far, [false, false, false, false, true]);
        assert!(!quota.take("b").is_over());
        shares.truncate(1);
        assert!(!quota.take("a").is_over());
        drop(shares);
        assert!(numbers(&quota.held).is_empty());
    }

    #[test]
    fn without_a_bound_nothing_is_too_much() {
        let quota = Quota::of(None);
        assert!((0..1000).map(|_| quota.take(())).all(|share| !share.is_over()));
    }
}
