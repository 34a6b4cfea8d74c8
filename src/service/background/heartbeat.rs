//! The heartbeat: says once a second that the service is there, and learns from the store how many instances live and
//! which outages there were.
//!
//! Invariants:
//! - An instance that was there all the time reports no outage, even if a test moves the clock. It reports that it was
//!   away after its process was paused, after the store failed for it, even between two heartbeats, and at its start.
//! - The last word of an instance that stops is the moment at which its listener closed.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::{PollInterval, until};
use sarsen_base::ambient::Ambient;
use sarsen_base::ids::InstanceId;
use sarsen_matches::outage_detector::OutageDetector;
use sarsen_store::{BEAT_EVERY, Beat, Instances, OUTAGE_AFTER, Presence, Result};

/// The pause before the next heartbeat after the store has failed.
const AGAIN: Duration = Duration::from_millis(200);
/// The time that the last heartbeat may take.
const LEAVING: Duration = Duration::from_secs(2);

/// The dependencies of the heartbeat.
#[derive(Clone)]
pub struct HeartbeatParts {
    /// The store of the heartbeats.
    pub instances: Arc<dyn Instances>,
    /// The detector of outages that goes by the heartbeat.
    pub detector: Arc<OutageDetector>,
    /// Clock and entropy.
    pub ambient: Ambient,
    /// Indicates whether this instance does work that needs no request.
    pub works: bool,
}

/// The heartbeat of this instance, until it is dropped.
pub struct Heartbeat {
    parts: HeartbeatParts,
    id: InstanceId,
    interval: Arc<PollInterval>,
    leaving: CancellationToken,
    beating: JoinSet<()>,
}

impl Heartbeat {
    /// Begins to beat. Call it as soon as the service listens.
    pub fn start(parts: HeartbeatParts) -> Heartbeat {
        parts.detector.begin();
        let (id, interval, leaving) = (InstanceId::generate(&parts.ambient), Arc::default(), CancellationToken::new());
        let mut beating = JoinSet::new();
        beating.spawn(until(leaving.clone(), beat(parts.clone(), id.clone(), Arc::clone(&interval))));
        Heartbeat { parts, id, interval, leaving, beating }
    }

    /// Returns the interval at which this instance looks for work, which follows from the number of living instances.
    pub fn poll_interval(&self) -> Arc<PollInterval> {
        Arc::clone(&self.interval)
    }

    /// Ends it, since the listener has just closed.
    pub async fn leave(mut self) {
        let at = self.parts.ambient.now();
        self.leaving.cancel();
        while self.beating.join_next().await.is_some() {}
        self.parts.detector.end();
        match timeout(LEAVING, self.parts.instances.leave(&self.id, at)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the end of this instance was not noted"),
            Err(_) => tracing::debug!("the end of this instance was not noted in time"),
        }
    }
}

/// Since when an instance has been there, by the clock without what a test has added.
#[derive(Default)]
struct Life {
    noted: Option<i64>,
    /// The number of times that the store had failed before.
    failures: u64,
}

impl Life {
    fn presence(&self, ambient: &Ambient, failures: u64) -> Presence {
        let Some(noted) = self.noted else { return Presence::Started };
        let silence = Duration::from_millis(ambient.unmoved().saturating_sub(noted).max(0).unsigned_abs());
        if failures > self.failures || silence > OUTAGE_AFTER { Presence::Resumed(silence) } else { Presence::Unbroken }
    }

    fn note(&mut self, ambient: &Ambient, failures: u64) {
        *self = Life { noted: Some(ambient.unmoved()), failures };
    }
}

/// Beats for ever.
async fn beat(parts: HeartbeatParts, id: InstanceId, interval: Arc<PollInterval>) {
    let mut life = Life::default();
    loop {
        let (begun, failures) = (Instant::now(), parts.detector.failures());
        match try_to_beat(&parts, &id, &life, &interval).await {
            Ok(()) => {
                life.note(&parts.ambient, failures);
                tokio::select! {
                    () = sleep_until(begun + BEAT_EVERY) => continue,
                    () = parts.detector.fails_after(failures) => {}
                }
            }
            Err(error) => {
                tracing::debug!(%error, "a heartbeat was not noted");
                parts.detector.fail();
            }
        }
        sleep(AGAIN).await;
    }
}

async fn try_to_beat(parts: &HeartbeatParts, id: &InstanceId, life: &Life, interval: &PollInterval) -> Result<()> {
    let HeartbeatParts { instances, detector, ambient, works } = parts;
    instances.confirm().await?;
    let (id, presence, known) = (id.clone(), life.presence(ambient, detector.failures()), detector.newest());
    let beaten = instances.beat(Beat { id, works: *works, presence, known }).await?;
    interval.set(beaten.working);
    detector.note(ambient, beaten);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, Ordering};

    use super::*;
    use sarsen_base::ambient::{Clock, FixedEntropy, Timestamp};
    use sarsen_matches::model::clock::CLOCK_GRACE_MILLIS;
    use sarsen_store::Outage;
    use sarsen_store::embedded::Embedded;

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
    fn a_pause_and_a_failure_are_told_and_not_that_a_test_moves_the_clock() {
        let clock = Arc::new(Moved::default());
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let mut life = Life::default();
        assert_eq!(life.presence(&ambient, 0), Presence::Started);
        life.note(&ambient, 3);
        clock.now.store(2_500, Ordering::SeqCst);
        clock.added.store(86_400_000, Ordering::SeqCst);
        assert_eq!(life.presence(&ambient, 3), Presence::Unbroken);
        clock.now.store(2_501, Ordering::SeqCst);
        assert_eq!(life.presence(&ambient, 3), Presence::Resumed(Duration::from_millis(2_501)));
        life.note(&ambient, 3);
        clock.now.store(3_001, Ordering::SeqCst);
        assert_eq!(life.presence(&ambient, 4), Presence::Resumed(Duration::from_millis(500)));
        life.note(&ambient, 4);
        assert_eq!(life.presence(&ambient, 4), Presence::Unbroken);
    }

    /// The way in which the service goes away.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Away {
        Stopped,
        Killed,
        /// The store confirms nothing.
        Unconfirmed,
        /// The same, and it refuses a change or loses a connection.
        Noticed,
        /// The process stands still.
        Still,
    }

    /// An instance that beats, and the outages that were noted.
    struct Beating {
        store: Embedded,
        id: InstanceId,
        clock: Arc<Moved>,
        ambient: Ambient,
        life: Life,
        failures: u64,
        outages: Vec<Outage>,
    }

    impl Beating {
        fn now(&self) -> i64 {
            self.clock.now.load(Ordering::SeqCst)
        }

        async fn beat_at(&mut self, at: i64) {
            self.clock.now.store(at, Ordering::SeqCst);
            let (id, presence) = (self.id.clone(), self.life.presence(&self.ambient, self.failures));
            let beat = Beat { id, works: true, presence, known: self.outages.last().copied() };
            self.outages = self.store.beat(beat).await.unwrap().outages.unwrap_or(std::mem::take(&mut self.outages));
            self.life.note(&self.ambient, self.failures);
        }

        /// It goes away so long after a heartbeat, for so long.
        async fn goes_away(&mut self, how: Away, after: i64, away: i64) -> Outage {
            let (from, next) = (self.now() + after, self.now() + 1_000);
            let to = from + away;
            match how {
                Away::Stopped => {
                    self.store.leave(&self.id, Timestamp(from)).await.unwrap();
                    self.life = Life::default();
                    self.beat_at(to).await;
                }
                Away::Killed => {
                    self.life = Life::default();
                    self.beat_at(to).await;
                }
                Away::Unconfirmed => {
                    let noted = (next..).step_by(AGAIN.as_millis() as usize).find(|at| *at >= to).unwrap();
                    self.failures += u64::from(noted > next);
                    self.beat_at(noted).await;
                }
                Away::Noticed => {
                    self.failures += 1;
                    let tries = (from..).step_by(AGAIN.as_millis() as usize).skip(1);
                    self.beat_at(tries.into_iter().find(|at| *at >= to).unwrap()).await;
                }
                Away::Still => self.beat_at(next.max(to)).await,
            }
            Outage { from: Timestamp(from), to: Timestamp(to) }
        }
    }

    /// Issue 31.1: whatever a short outage costs is within the grace of a clock, and is credited once. A process that
    /// stands still tells so beyond the gap between heartbeats that counts as an outage, so that bound holds there.
    #[tokio::test]
    async fn no_outage_costs_more_than_the_grace_and_none_is_credited_twice() {
        let (dir, clock) = (tempfile::tempdir().unwrap(), Arc::new(Moved::default()));
        let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
        let store = Embedded::open(dir.path(), ambient.clone()).unwrap();
        let id = InstanceId::generate(&ambient);
        let mut beating =
            Beating { store, id, clock, ambient, life: Life::default(), failures: 0, outages: Vec::new() };
        let mut gone = Vec::new();
        beating.beat_at(1_000_000).await;
        for how in [Away::Stopped, Away::Killed, Away::Unconfirmed, Away::Noticed, Away::Still] {
            for away in (1..=26).map(|tenths| tenths * 100) {
                for after in [1, 333, 666, 999] {
                    gone.push((how, beating.goes_away(how, after, away).await));
                    beating.beat_at(beating.now() + 1_000).await;
                }
            }
        }
        let outages = &beating.outages;
        assert!(outages.is_sorted_by(|one, next| one.to <= next.from), "no moment is credited twice");
        for (how, away) in gone {
            let within = |outage: &Outage| outage.to.min(away.to).0 - outage.from.max(away.from).0;
            let credited: i64 = outages.iter().map(within).filter(|common| *common > 0).sum();
            let cost = away.to.0 - away.from.0 - credited;
            let most = match how {
                Away::Stopped | Away::Killed | Away::Noticed => 0,
                // It has met no heartbeat.
                Away::Unconfirmed => CLOCK_GRACE_MILLIS,
                Away::Still => OUTAGE_AFTER.as_millis() as i64,
            };
            assert!((0..=most).contains(&cost), "{how:?} {away:?} costs {cost} ms");
            assert!(cost == 0 || credited == 0, "{how:?} {away:?}: all of it or nothing");
        }
    }
}
