//! The heartbeat: says that this instance lives, and learns how many do.
//!
//! Invariant: an instance that has gone on working all the time tells no outage, whatever the clock shows that a test
//! moves; one that was stopped for long, could not reach the store for long, or has only just begun, tells when it went on.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::{Foundation, Pace};
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::InstanceId;
use sarsen_store::OUTAGE_AFTER;

/// How often an instance says that it lives.
const EVERY: Duration = Duration::from_secs(5);

/// Since when an instance has lived without a pause.
struct Life {
    alive_since: Timestamp,
    /// The clock at the last heartbeat that was noted, without what a test has added.
    noted: i64,
}

impl Life {
    fn begin(ambient: &Ambient) -> Life {
        Life { alive_since: ambient.now(), noted: ambient.unmoved() }
    }

    /// It goes on; after a pause that is an outage, or one of the store, it has begun anew.
    fn go_on(&mut self, ambient: &Ambient) -> Timestamp {
        let silent = ambient.unmoved().saturating_sub(self.noted).unsigned_abs();
        if u128::from(silent) > OUTAGE_AFTER.as_millis() {
            self.alive_since = ambient.now();
        }
        self.alive_since
    }

    /// A heartbeat was noted.
    fn noted(&mut self, ambient: &Ambient) {
        self.noted = ambient.unmoved();
    }
}

/// Beats for ever.
pub(super) async fn beat(shared: Arc<Foundation>, pace: Arc<Pace>) {
    let ambient = &shared.ambient;
    let id = InstanceId::generate(ambient);
    let mut life = Life::begin(ambient);
    loop {
        match shared.instances.beat(&id, life.go_on(ambient)).await {
            Ok(living) => {
                life.noted(ambient);
                shared.matches.outage_detector().noted(ambient);
                pace.set(living);
            }
            Err(error) => tracing::debug!(%error, "a heartbeat was not noted"),
        }
        sleep(EVERY).await;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;
    use sarsen_base::ambient::{Clock, FixedEntropy};

    /// A clock that goes on, and a part of which a test has added.
    #[derive(Default)]
    struct Moved {
        now: AtomicI64,
        added: AtomicI64,
    }

    impl Clock for Moved {
        fn now(&self) -> Timestamp {
            Timestamp(self.now.load(Ordering::SeqCst) + self.moved())
        }

        fn moved(&self) -> i64 {
            self.added.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn a_life_begins_anew_after_a_pause_and_not_when_a_test_moves_the_clock() {
        let clock = Arc::new(Moved::default());
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let mut life = Life::begin(&ambient);
        clock.now.store(9_000, Ordering::SeqCst);
        assert_eq!(life.go_on(&ambient), Timestamp(0));
        life.noted(&ambient);
        clock.added.store(86_400_000, Ordering::SeqCst);
        assert_eq!(life.go_on(&ambient), Timestamp(0));
        life.noted(&ambient);
        clock.now.store(19_001, Ordering::SeqCst);
        assert_eq!(life.go_on(&ambient), Timestamp(86_419_001));
    }

    #[test]
    fn a_life_begins_anew_once_the_store_is_there_again() {
        let clock = Arc::new(Moved::default());
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let mut life = Life::begin(&ambient);
        // Every five seconds it tries, and nothing is noted.
        for second in [5, 10, 15, 20] {
            clock.now.store(second * 1000, Ordering::SeqCst);
            let since = if second > 10 { second * 1000 } else { 0 };
            assert_eq!(life.go_on(&ambient), Timestamp(since));
        }
        life.noted(&ambient);
        clock.now.store(25_000, Ordering::SeqCst);
        assert_eq!(life.go_on(&ambient), Timestamp(20_000));
    }
}
