//! Reviews of matches: takes ordered ones, longest waiting first, and goes on with them piece by piece.
//!
//! Invariants: the instance that works on a review holds the lease of its job and renews it. So two instances work on
//! the same review only after one of them was thought dead, and the result of the slower one is dropped. An instance
//! without threads for bots takes none.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::pin;
use tokio::time::sleep;

use super::Foundation;
use sarsen_matches::Refused;
use sarsen_matches::reviews::ReviewProgress;
use sarsen_store::{Job, JobKind, StoreError};

/// The lease of a job, in seconds. A review whose instance dies is gone on with after that.
const LEASE_SECONDS: u32 = 15;
/// The period of renewing it.
const RENEW: Duration = Duration::from_secs(5);
/// The time between two looks for orders.
const LOOK: Duration = Duration::from_secs(1);
/// The name of this work in the metrics.
pub const KIND: &str = "reviews";

/// Makes reviews, as many at once as threads think.
pub(super) async fn review(shared: Arc<Foundation>) {
    let most = shared.matches.thinkers().pool().threads();
    if most == 0 {
        return;
    }
    let mut under_way = FuturesUnordered::new();
    loop {
        let mut taken = None;
        if under_way.len() < most {
            taken = take(&shared).await.unwrap_or_else(|error| {
                tracing::debug!(%error, "orders of reviews could not be looked for");
                None
            });
        }
        match taken {
            Some(job) => under_way.push(make(&shared, job)),
            None => tokio::select! {
                Some(()) = under_way.next(), if !under_way.is_empty() => {}
                () = sleep(LOOK) => {}
            },
        }
    }
}

/// Takes the lease of the order that waits longest.
async fn take(shared: &Foundation) -> Result<Option<Job>, StoreError> {
    let mut due = shared.jobs.due_jobs(JobKind::Review, 1).await?;
    due.sort_by_key(|job| job.at);
    for mut job in due {
        if lease(shared, &mut job, None).await? {
            return Ok(Some(job));
        }
    }
    Ok(None)
}

async fn lease(shared: &Foundation, job: &mut Job, body: Option<Vec<u8>>) -> Result<bool, StoreError> {
    shared.jobs.lease_job(job, shared.ambient.now().plus_seconds(LEASE_SECONDS), body).await
}

/// Makes the review of a job as long as its lease is held.
async fn make(shared: &Foundation, mut job: Job) {
    if let Err(error) = make_pieces(shared, &mut job).await {
        shared.failures.count(KIND);
        tracing::warn!(job = job.id, error = &error as &dyn std::error::Error, "a review is put off");
    }
}

async fn make_pieces(shared: &Foundation, job: &mut Job) -> Result<(), Refused> {
    loop {
        let found = job.clone();
        let piece = shared.matches.go_on_with_review(&found);
        pin!(piece);
        let progress = loop {
            tokio::select! {
                progress = &mut piece => break progress?,
                () = sleep(RENEW) => if !lease(shared, job, None).await? { return Ok(()) },
            }
        };
        match progress {
            ReviewProgress::Further(body) => {
                if !lease(shared, job, Some(body)).await? {
                    return Ok(());
                }
            }
            ReviewProgress::Over => {
                shared.jobs.move_job(job, None, None).await?;
                return Ok(());
            }
        }
    }
}
