//! Jobs: in each shard a sorted set a kind, by moment, and a hash of all bodies, in the slot of the shard's matches, so
//! that a commit orders them in one script.

use async_trait::async_trait;
use redis::Cmd;

use super::RedisStore;
use super::client::command_with;
use super::due::queue_size;
use super::script::{DUE_JOBS, MOVE_JOB, ORDER_JOB};
use crate::keys::{Keys, Shard};
use crate::{Job, JobKind, JobStore, QueueSize, Result};
use sarsen_base::ambient::Timestamp;

/// A moment behind all others.
const LATEST: Timestamp = Timestamp(1 << 52);

/// Returns the field of a job's body.
fn field(kind: JobKind, id: &str) -> String {
    [kind.name(), ":", id].concat()
}

/// Adds the jobs of a commit to its call.
pub(super) fn tell(call: &mut Cmd, jobs: &[Job]) {
    if !jobs.is_empty() {
        call.arg("j").arg(jobs.len());
        for job in jobs {
            call.arg(&job.id).arg(field(job.kind, &job.id)).arg(job.at.0).arg(&job.body);
        }
    }
}

/// Returns the keys that a commit needs for its jobs: the bodies, then the index of each job.
pub(super) fn keys(keys: &Keys, shard: Shard, jobs: &[Job]) -> Vec<String> {
    let bodies = (!jobs.is_empty()).then(|| keys.job_bodies(shard));
    bodies.into_iter().chain(jobs.iter().map(|job| keys.jobs(shard, job.kind))).collect()
}

#[async_trait]
impl JobStore for RedisStore {
    async fn order_jobs(&self, jobs: &[Job]) -> Result<()> {
        for job in jobs {
            let shard = Shard::of_job(&job.id);
            let mut call = ORDER_JOB.on(&[self.shared.keys.job_bodies(shard), self.shared.keys.jobs(shard, job.kind)]);
            call.arg(&job.id).arg(field(job.kind, &job.id)).arg(job.at.0).arg(&job.body);
            self.shared.client.keep_once(call).await?;
        }
        Ok(())
    }

    async fn due_jobs(&self, kind: JobKind, limit: usize) -> Result<Vec<Job>> {
        self.jobs_until(kind, self.shared.now(), limit).await
    }

    async fn waiting_jobs(&self, kind: JobKind) -> Result<Vec<Job>> {
        self.jobs_until(kind, LATEST, usize::MAX >> 1).await
    }

    async fn move_job(&self, found: &Job, to: Option<Timestamp>, body: Option<Vec<u8>>) -> Result<bool> {
        let shard = Shard::of_job(&found.id);
        let mut call = MOVE_JOB.on(&[self.shared.keys.job_bodies(shard), self.shared.keys.jobs(shard, found.kind)]);
        call.arg(&found.id).arg(field(found.kind, &found.id)).arg(found.at.0);
        call.arg(to.map_or_else(|| "-".to_owned(), |to| to.0.to_string())).arg(body.unwrap_or_default());
        self.shared.client.keep(call).await
    }

    async fn job_body(&self, kind: JobKind, id: &str) -> Result<Option<Vec<u8>>> {
        let get = command_with("HGET", self.shared.keys.job_bodies(Shard::of_job(id)), field(kind, id));
        self.shared.client.ask(&get).await
    }

    async fn jobs(&self, kind: JobKind) -> Result<QueueSize> {
        queue_size(&self.shared, |shard| self.shared.keys.jobs(shard, kind)).await
    }
}

impl RedisStore {
    /// The jobs of a kind that are due until a moment, of each shard at most `limit`.
    async fn jobs_until(&self, kind: JobKind, until: Timestamp, limit: usize) -> Result<Vec<Job>> {
        let looks = Shard::all().map(|shard| {
            let mut look = DUE_JOBS.on(&[self.shared.keys.job_bodies(shard), self.shared.keys.jobs(shard, kind)]);
            look.arg(until.0).arg(limit).arg(field(kind, ""));
            look
        });
        let mut due = Vec::new();
        // An unreadable shard does not hold up the others.
        let mut failure = None;
        for answer in self.shared.client.read_each_once::<Vec<(String, i64, Vec<u8>)>>(looks.collect()).await? {
            match answer {
                Ok(found) => {
                    due.extend(found.into_iter().map(|(id, at, body)| Job { kind, id, at: Timestamp(at), body }))
                }
                Err(error) => failure = Some(error),
            }
        }
        match failure {
            Some(error) if due.is_empty() => Err(error),
            _ => Ok(due),
        }
    }
}
