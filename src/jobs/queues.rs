//! The work queues: claims jobs of a kind, has them done, and takes them off.
//!
//! Invariants: a job is taken off only after it was done. One that fails is tried again later and later; after
//! [`POISON`] claims it is put off for long, and said once. What is claimed when the end comes is given back at once.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::failures::POISON;
use super::{Foundation, Pace};
use crate::ambient::Timestamp;
use crate::store::{ClaimedJob, JobKind, StoreError};

/// How many jobs are claimed at once. All of them must be done within the lease.
const AT_ONCE: usize = 16;
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
    let settled = match ending.run_until_cancelled(worker.work(&claimed)).await {
        Some(Ok(JobDone::Yes { remember_seconds })) => shared.queues.finish(&claimed, remember_seconds).await,
        Some(Ok(JobDone::GoesOn(at))) => shared.queues.put_back(&claimed, at).await,
        Some(Err(error)) => {
            let kind = claimed.job.kind.name().to_owned();
            shared.failures.count(&kind);
            if claimed.claims == POISON {
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
