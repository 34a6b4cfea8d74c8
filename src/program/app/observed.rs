//! The metrics with what is looked up when they are asked for.
//!
//! Invariant: a store that is away delays the answer by [`LOOKED_WITHIN`] and no more, and is reported as such.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::fair_queue::Rank;
use sarsen_base::telemetry::{Metrics, ObservedQueue, StoreObservation};
use sarsen_http::answer::problem::Problem;
use sarsen_http::service::Exposition;
use sarsen_matches::thinking::Thinkers;
use sarsen_service::background::{BOTS, DUE, JobFailures, NOTIFICATIONS, PAIRING, REVIEWS};
use sarsen_store::{Backlog, JobKind, QueueSize, Store};

/// The time within which the store has to report its state.
const LOOKED_WITHIN: Duration = Duration::from_secs(2);

/// The metrics of an instance and what they are about.
pub(super) struct Observed {
    pub(super) metrics: Arc<Metrics>,
    pub(super) store: Arc<dyn Store>,
    /// By this machine's own clock.
    pub(super) machine: Ambient,
    /// Counts of the failures in the work without a request.
    pub(super) failures: Arc<JobFailures>,
    /// The threads that think for bots.
    pub(super) thinkers: Arc<Thinkers>,
}

impl Observed {
    /// Returns the observations that the store delivers in time.
    async fn look(&self) -> StoreObservation {
        let store_up = async { matches!(timeout(LOOKED_WITHIN, self.store.ready()).await, Ok(Ok(()))) };
        let used = async { timeout(LOOKED_WITHIN, self.store.used()).await.ok()?.ok()? };
        let backlog = async { timeout(LOOKED_WITHIN, self.store.backlog()).await.ok()?.ok() };
        let jobs = async { timeout(LOOKED_WITHIN, self.store.job_queues()).await.ok()?.ok() };
        let (store_up, store_used, backlog, jobs) = tokio::join!(store_up, used, backlog, jobs);
        let now = self.store.now();
        let mut jobs_failed = self.failures.all();
        // Zeros are reported too.
        for kind in [DUE, BOTS, PAIRING, NOTIFICATIONS, REVIEWS, JobKind::Rate.name(), JobKind::CallOff.name()] {
            jobs_failed.entry(kind.to_owned()).or_default();
        }
        StoreObservation {
            store_up,
            clock_offset_seconds: seconds(self.machine.now(), now),
            store_used,
            jobs_failed,
            queues: queues(backlog.as_ref(), jobs.unwrap_or_default(), now, &self.thinkers),
        }
    }
}

/// Those of the store, if it tells, and those of this instance.
fn queues(
    backlog: Option<&Backlog>,
    jobs: Vec<(&'static str, QueueSize)>,
    now: Timestamp,
    thinkers: &Thinkers,
) -> Vec<ObservedQueue> {
    // Work that is due later does not wait yet.
    let waiting = |size: QueueSize| size.oldest.map_or(0.0, |oldest| seconds(oldest, now).max(0.0));
    let kept = |queue, size: QueueSize| ObservedQueue { queue, length: size.length, oldest_seconds: waiting(size) };
    let stored = backlog.map(|backlog| [kept("outbox", backlog.outbox), kept("due", backlog.due)]);
    let thought = |queue, of: &[Rank]| {
        let (length, oldest) = thinkers.backlog(of);
        ObservedQueue { queue, length: length as u64, oldest_seconds: oldest.as_secs_f64() }
    };
    let own = [thought("hints", &[Rank::Asked]), thought("bots", &[Rank::Easy, Rank::Medium, Rank::Hard])];
    let jobs = jobs.into_iter().map(|(queue, size)| kept(queue, size));
    stored.into_iter().flatten().chain(jobs).chain(own).collect()
}

/// From one moment to another.
fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.0.saturating_sub(from.0) as f64 / 1000.0
}

#[async_trait]
impl Exposition for Observed {
    async fn text(&self) -> Result<String, Problem> {
        let (metrics, observation) = (self.metrics.clone(), self.look().await);
        let text = tokio::task::spawn_blocking(move || metrics.encode(&observation)).await;
        text.map_err(Problem::internal)?.map_err(Problem::internal)
    }
}
