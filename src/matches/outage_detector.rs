//! The outage detector: the outages that this instance knows of, and whether it knows of all up to now.
//!
//! Invariant: an instance that beats judges nothing by the time before its first heartbeat was noted, after one that
//! failed, after the store has refused a request or lost its connection, and after a pause in which an outage may have
//! been. The next heartbeat ends that: with it the store reports the outage. An instance that does not beat, as in tests,
//! goes by what it was told.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::Refused;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_store::{Beaten, OUTAGE_AFTER, Outage, StoreError};

/// The longest time that a request waits for a heartbeat.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The time up to which this instance knows of outages.
#[derive(Clone, Copy)]
enum Known {
    /// Up to now: it does not beat, or not any more, and serves only what came before.
    All,
    /// Not as far as its last heartbeat: it has had none, or the store has failed since.
    Unsure,
    /// Up to its last heartbeat: when the store noted that, and when that was by the clock without what a test has added.
    To { at: Timestamp, unmoved: i64 },
}

struct State {
    known: Known,
    outages: Arc<[Outage]>,
    /// The number of times that the store has failed.
    failures: u64,
}

/// The outages that this instance knows of.
pub struct OutageDetector(watch::Sender<State>);

impl Default for OutageDetector {
    /// The detector of an instance that does not beat.
    fn default() -> OutageDetector {
        OutageDetector(watch::Sender::new(State { known: Known::All, outages: Arc::default(), failures: 0 }))
    }
}

impl State {
    /// Returns true if every outage is known up to now, and a heartbeat was noted at `after` or later, if that is
    /// given.
    fn is_sure(&self, ambient: &Ambient, after: Option<Timestamp>) -> bool {
        match self.known {
            Known::All => true,
            Known::Unsure => false,
            Known::To { at, unmoved } => {
                let silence = u128::from(ambient.unmoved().abs_diff(unmoved));
                silence <= OUTAGE_AFTER.as_millis() && after.is_none_or(|after| after <= at)
            }
        }
    }
}

impl OutageDetector {
    /// From now on this instance beats.
    pub fn begin(&self) {
        self.0.send_modify(|state| state.known = Known::Unsure);
    }

    /// A heartbeat was noted.
    pub fn note(&self, ambient: &Ambient, beaten: Beaten) {
        self.0.send_modify(|state| {
            state.known = Known::To { at: beaten.at, unmoved: ambient.unmoved() };
            if let Some(outages) = beaten.outages {
                state.outages = outages.into();
            }
        });
    }

    /// The store has failed: a heartbeat was not noted, a request was refused, or a connection was lost.
    pub fn fail(&self) {
        self.0.send_if_modified(|state| {
            state.failures += 1;
            let was_sure = matches!(state.known, Known::To { .. });
            if was_sure {
                state.known = Known::Unsure;
            }
            was_sure
        });
    }

    /// The store has refused a request with this error.
    pub(super) fn refused(&self, error: &StoreError) {
        if matches!(error, StoreError::Unavailable(_)) {
            self.fail();
        }
    }

    /// Returns the number of times that the store has failed.
    pub fn failures(&self) -> u64 {
        self.0.borrow().failures
    }

    /// Waits until the store has failed more than `failures` times.
    pub async fn fails_after(&self, failures: u64) {
        // The sender is here, so the wait ends in nothing else.
        let _ = self.0.subscribe().wait_for(|state| state.failures > failures).await;
    }

    /// The listener has closed, and there is no heartbeat any more: what is still answered was received before.
    pub fn end(&self) {
        self.0.send_modify(|state| state.known = Known::All);
    }

    /// The newest outage that is known.
    pub fn newest(&self) -> Option<Outage> {
        self.0.borrow().outages.last().copied()
    }

    /// The outages up to now, oldest first, and only if a heartbeat was noted at `after` or later, where that is given;
    /// `None` where that is not known yet.
    pub(super) fn outages(&self, ambient: &Ambient, after: Option<Timestamp>) -> Option<Arc<[Outage]>> {
        let state = self.0.borrow();
        state.is_sure(ambient, after).then(|| Arc::clone(&state.outages))
    }

    /// Waits until that is known.
    ///
    /// # Errors
    /// [`Refused::Store`] if that takes long: then nothing that is changed is confirmed either.
    pub(super) async fn wait(&self, ambient: &Ambient, after: Option<Timestamp>) -> Result<Arc<[Outage]>, Refused> {
        let mut states = self.0.subscribe();
        match timeout(WAIT_MAX, states.wait_for(|state| state.is_sure(ambient, after))).await {
            Ok(Ok(state)) => Ok(Arc::clone(&state.outages)),
            _ => Err(unsure()),
        }
    }
}

/// Nothing can be judged by the time now.
pub(super) fn unsure() -> Refused {
    let why = io::Error::new(io::ErrorKind::TimedOut, "no heartbeat is confirmed");
    Refused::Store(StoreError::Unavailable(why.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_base::ambient::{FixedClock, FixedEntropy};

    fn beaten(at: i64, outages: Option<Vec<Outage>>) -> Beaten {
        Beaten { at: Timestamp(at), working: 1, outages }
    }

    #[test]
    fn it_is_sure_for_as_long_as_no_outage_can_be_unknown() {
        let clock = Arc::new(FixedClock::at(Timestamp(1_000_000)));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let detector = OutageDetector::default();
        let is_sure = |after: Option<i64>| detector.outages(&ambient, after.map(Timestamp)).is_some();
        assert!(is_sure(None), "who does not beat goes by what it was told");
        detector.begin();
        assert!(!is_sure(None), "an outage may have ended just now");
        detector.note(&ambient, beaten(1_000_000, None));
        clock.advance_millis(2_500);
        assert!(is_sure(None) && is_sure(Some(1_000_000)));
        assert!(!is_sure(Some(1_000_001)), "what may have been since the last heartbeat is not known");
        clock.advance_millis(1);
        assert!(!is_sure(None), "it may have been one");
        detector.note(&ambient, beaten(1_002_501, None));
        assert!(is_sure(Some(1_002_501)));
        detector.fail();
        assert!(!is_sure(None), "nobody may have been served since");
        detector.end();
        assert!(is_sure(Some(2_000_000)), "what is still answered was received before");
    }

    #[tokio::test]
    async fn who_waits_is_told_of_the_outage_with_the_heartbeat_that_ends_it() {
        let (ambient, detector) = (Ambient::fixed(9_000, 1), Arc::new(OutageDetector::default()));
        detector.begin();
        let waiting = tokio::spawn({
            let (ambient, detector) = (ambient.clone(), Arc::clone(&detector));
            async move { detector.wait(&ambient, None).await }
        });
        let outage = Outage { from: Timestamp(1_000), to: Timestamp(9_000) };
        detector.note(&ambient, beaten(9_000, Some(vec![outage])));
        assert_eq!(waiting.await.unwrap().unwrap()[..], [outage]);
        assert_eq!(detector.newest(), Some(outage));
        detector.note(&ambient, beaten(9_000, None));
        assert_eq!(detector.newest(), Some(outage), "none is new");
    }
}
