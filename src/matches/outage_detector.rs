//! The outage detector: whether this instance's heartbeats are noted, so that it would know of an outage by now.
//!
//! Invariant: where an instance beats, no clock is judged by it before its first heartbeat was noted, nor after a pause in
//! which an outage may have been that is not noted yet. One that does not beat goes by what others have noted.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use tokio::time::sleep;

use crate::Refused;
use sarsen_base::ambient::Ambient;
use sarsen_store::OUTAGE_AFTER;

/// This instance does not beat.
const NONE: i64 = i64::MAX;
/// It does, and nothing is noted yet.
const NOTHING_YET: i64 = i64::MIN;
/// How often somebody who waits looks, and how often at most.
const NAP: Duration = Duration::from_millis(50);
const NAPS_MAX: u32 = 100;

/// When the last heartbeat of this instance was noted.
pub struct OutageDetector(AtomicI64);

impl Default for OutageDetector {
    /// That of an instance that does not beat.
    fn default() -> OutageDetector {
        OutageDetector(AtomicI64::new(NONE))
    }
}

impl OutageDetector {
    /// From now on this instance beats.
    pub fn begin(&self) {
        self.0.store(NOTHING_YET, Ordering::SeqCst);
    }

    /// A heartbeat was noted.
    pub fn noted(&self, ambient: &Ambient) {
        self.0.store(ambient.unmoved(), Ordering::SeqCst);
    }

    /// Whether every outage up to now is noted.
    fn is_fresh(&self, ambient: &Ambient) -> bool {
        match self.0.load(Ordering::SeqCst) {
            NONE => true,
            NOTHING_YET => false,
            noted => u128::from(ambient.unmoved().abs_diff(noted)) <= OUTAGE_AFTER.as_millis(),
        }
    }

    /// Waits until every outage up to now is noted.
    ///
    /// # Errors
    /// [`Refused::Busy`] if that takes long.
    pub(super) async fn wait(&self, ambient: &Ambient) -> Result<(), Refused> {
        for _ in 0..NAPS_MAX {
            if self.is_fresh(ambient) {
                return Ok(());
            }
            sleep(NAP).await;
        }
        Err(Refused::Busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_base::ambient::{FixedClock, FixedEntropy, Timestamp};
    use std::sync::Arc;

    #[test]
    fn the_detector_is_fresh_for_as_long_as_no_outage_can_be_unknown() {
        let clock = Arc::new(FixedClock::at(Timestamp(1_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let detector = OutageDetector::default();
        assert!(detector.is_fresh(&ambient), "who does not beat goes by others");
        detector.begin();
        assert!(!detector.is_fresh(&ambient), "an outage may have ended just now");
        detector.noted(&ambient);
        clock.advance_seconds(10);
        assert!(detector.is_fresh(&ambient));
        clock.advance_seconds(1);
        assert!(!detector.is_fresh(&ambient), "it may have been one");
    }
}
