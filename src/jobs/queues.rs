//! The work queues: claims jobs of a kind, has them done, and takes them off.
//!
//! Invariants: a job is taken off only after it was done. One that fails, panics or takes longer than [`PATIENCE`] is tried
//! again later and later; from [`POISON`] claims on it is put off for long, and said each time. What is claimed when the end
//! comes is given back at once.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream;
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::failures::POISON;
use super::{Foundation, Pace};
use crate::ambient::Timestamp;
use crate::store::{ClaimedJob, JobKind, LEASE, StoreError};

/// How many jobs are claimed at once. All of them must be done within the lease.
const AT_ONCE: usize = 16;
/// How long a job may take: less than the lease, so that nobody else has begun it meanwhile.
const PATIENCE: Duration = LEASE.saturating_sub(Duration::from_secs(5));
/// How long a job waits that has failed once; each further failure doubles it.
const AGAIN: Duration = Duration::from_secs(1);
/// How long it waits after [`POISON`] failures, and at most.
const PUT_OFF: Duration = Duration::from_secs(600);

/// What has become of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobDone {
    /// It is done, and remembered for so many seconds.
    Yes {
        /// For how long the job is not put in again.
        remember_seconds: u32,
    },
    /// It goes on at this moment.
    GoesOn(Timestamp),
}

/// Does jobs of one kind.
#[async_trait]
pub trait Worker: Send + Sync + 'static {
    /// The kind.
    fn kind(&self) -> JobKind;

    /// Does a job, within the lease. It may have been done before, wholly or in part.
    ///
    /// # Errors
    /// Why it is to be tried again.
    async fn work(&self, claimed: &ClaimedJob) -> Result<JobDone, Box<dyn Error + Send + Sync>>;
}

/// Works until told to stop; `ending` gives up what is under way.
pub(super) async fn work(
    shared: Arc<Foundation>,
    worker: Arc<dyn Worker>,
    pace: Arc<Pace>,
    retiring: CancellationToken,
    ending: CancellationToken,
) {
    let mut next = Instant::now() + pace.phase(&shared.ambient);
    while retiring.run_until_cancelled(sleep_until(next)).await.is_some() {
        let begun = Instant::now();
        next = match turn(&shared, &*worker, &ending).await {
            // There may be more.
            Ok(claimed) if claimed == AT_ONCE => begun,
            Ok(_) => begun + pace.period(),
            Err(error) => {
                tracing::debug!(%error, kind = worker.kind().name(), "no jobs can be claimed now");
                begun + pace.period()
            }
        };
    }
}

/// Claims jobs and does them; answers how many.
async fn turn(shared: &Foundation, worker: &dyn Worker, ending: &CancellationToken) -> Result<usize, StoreError> {
    let claimed = shared.queues.claim(&worker.kind(), AT_ONCE).await?;
    let count = claimed.len();
    stream::iter(claimed).for_each_concurrent(None, |claimed| see_to(shared, worker, ending, claimed)).await;
    Ok(count)
}

async fn see_to(shared: &Foundation, worker: &dyn Worker, ending: &CancellationToken, claimed: ClaimedJob) {
    let now = || shared.ambient.now();
    let settled = match ending.run_until_cancelled(done(worker, &claimed)).await {
        Some(Ok(JobDone::Yes { remember_seconds })) => shared.queues.finish(&claimed, remember_seconds).await,
        Some(Ok(JobDone::GoesOn(at))) => shared.queues.put_back(&claimed, at).await,
        Some(Err(error)) => {
            let kind = claimed.job.kind.name().to_owned();
            shared.failures.count(&kind);
            if claimed.claims >= POISON {
                let error: &dyn Error = &*error;
                tracing::error!(kind, job = claimed.job.id.as_str(), error, "a job keeps failing; it is put off");
            }
            shared.queues.put_back(&claimed, later(now(), claimed.claims)).await
        }
        None => shared.queues.put_back(&claimed, now()).await,
    };
    if let Err(error) = settled {
        // The lease runs out, and it is done again.
        tracing::debug!(%error, "what has become of a job could not be noted");
    }
}

/// Has a job done, in whichever way that ends.
async fn done(worker: &dyn Worker, claimed: &ClaimedJob) -> Result<JobDone, Box<dyn Error + Send + Sync>> {
    // What a worker leaves half done it finds again: a job may have been done before in part.
    match timeout(PATIENCE, AssertUnwindSafe(worker.work(claimed)).catch_unwind()).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_panic)) => Err("it panicked".into()),
        Err(late) => Err(late.into()),
    }
}

/// When a job is tried again that was claimed so often.
fn later(now: Timestamp, claims: u32) -> Timestamp {
    let wait = match claims {
        POISON.. => PUT_OFF,
        claims => AGAIN.saturating_mul(1 << claims.saturating_sub(1).min(POISON)),
    };
    Timestamp(now.0.saturating_add(wait.as_millis() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_waits_longer_each_time() {
        let waits = [1, 2, 3, 4, 5, 6, u32::MAX].map(|claims| later(Timestamp(0), claims).0 / 1000);
        assert_eq!(waits, [1, 2, 4, 8, 600, 600, 600]);
    }
}
