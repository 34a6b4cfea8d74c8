//! Short jobs: rates matches that have ended, computes ratings again, takes sleepers off boards, and calls off matches of
//! players who have begun to play elsewhere.
//!
//! Invariant: a job is removed once it is done, and doing it twice changes nothing; one that fails is tried again when its
//! lease is over.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::{Foundation, PollInterval};
use sarsen_base::ambient::Timestamp;
use sarsen_matches::rated_result::RatingJob;
use sarsen_store::{Job, JobKind, StoreError, Work};

/// The number of jobs of each part of the store that are taken in one go.
const AT_ONCE: usize = 32;
/// The time for which a job is taken, in seconds.
const LEASE_SECONDS: u32 = 45;
const DAY_MILLIS: i64 = 86_400_000;
/// The number of periods between two looks, which ask every part of the store: a rating is less urgent than a clock.
const PERIODS: u32 = 4;
/// The kinds of jobs.
const KINDS: [JobKind; 2] = [JobKind::Rate, JobKind::CallOff];

type Failure = Box<dyn Error + Send + Sync>;

/// Looks again and again, at the interval, until told to stop; a job that was begun is finished.
pub(super) async fn work_on(shared: Arc<Foundation>, interval: Arc<PollInterval>, retiring: CancellationToken) {
    let mut pause = interval.phase(&shared.ambient);
    while retiring.run_until_cancelled(sleep(pause)).await.is_some() {
        let done = look(&shared).await.unwrap_or_else(|error| {
            tracing::debug!(%error, "jobs cannot be read now");
            0
        });
        pause = if done < AT_ONCE { interval.period() * PERIODS } else { Duration::ZERO };
    }
}

/// Does the jobs that are due, one after the other, since each category has one log. Answers how many it has done.
pub(super) async fn look(shared: &Foundation) -> Result<usize, StoreError> {
    let mut done = 0;
    for kind in KINDS {
        for mut job in shared.jobs.due_jobs(kind, AT_ONCE).await? {
            if !shared.jobs.lease_job(&mut job, shared.ambient.now().plus_seconds(LEASE_SECONDS), None).await? {
                // Another instance has it.
                continue;
            }
            match work(shared, &job).await {
                Ok(next) => {
                    shared.jobs.move_job(&job, next, None).await?;
                    done += 1;
                }
                Err(error) => {
                    shared.failures.count(kind.name());
                    tracing::warn!(job = %job.id, error = &*error as &dyn Error, "a job has to wait: {}", kind.name());
                }
            }
        }
    }
    Ok(done)
}

/// Does a job. Answers the moment at which it is due again.
async fn work(shared: &Foundation, job: &Job) -> Result<Option<Timestamp>, Failure> {
    if job.kind == JobKind::CallOff {
        shared.matches.call_off_others(job).await?;
        return Ok(None);
    }
    let midnight = Timestamp((shared.ambient.now().0.div_euclid(DAY_MILLIS) + 1) * DAY_MILLIS);
    match RatingJob::of_body(&job.body)? {
        RatingJob::Match(result) => {
            shared.ratings.rate(&result).await?;
            shared.notifications.tell_rated(&shared.ratings, &result).await?;
            sweep_later(shared, result.category, midnight).await
        }
        RatingJob::Board(found) => {
            shared.ratings.record(&found).await?;
            sweep_later(shared, found.board, midnight).await
        }
        RatingJob::Rebuild(category) => shared.ratings.rebuild(&category).await.map(|_| None).map_err(Into::into),
        RatingJob::Sweep(category) => Ok(shared.ratings.sweep(&category).await?.then_some(midnight)),
    }
}

/// Orders the next sweep of a board, unless it waits already.
async fn sweep_later(shared: &Foundation, board: String, midnight: Timestamp) -> Result<Option<Timestamp>, Failure> {
    let (id, body) = (format!("sweep:{board}"), RatingJob::Sweep(board).to_body()?);
    shared.jobs.order_jobs(&[Job { kind: JobKind::Rate, id, at: midnight, body }]).await?;
    Ok(None)
}
