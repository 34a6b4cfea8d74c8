//! Work queues: sorted sets of what is ready when, in parts that are spread over the slots, and a hash for each job.
//!
//! Invariant: who claims a job has moved its score to the end of the lease; a claim stands as long as the score does.

use async_trait::async_trait;
use redis::Cmd;

use super::link::{command, read};
use super::script::{BEGIN, CLAIM, ENQUEUE, FINISH, PUT_BACK};
use super::{RedisStore, Shared};
use crate::ambient::Timestamp;
use crate::store::{ClaimedJob, Job, JobId, JobKind, LEASE, QueueSize, Result, WorkQueues};

/// Puts jobs into their queues, and answers once they are there as safely as a commit.
pub(super) async fn enqueue(shared: &Shared, jobs: &[Job]) -> Result<()> {
    let calls = jobs.iter().map(|Job { kind, id, ready, body }| {
        let mut call = ENQUEUE.on(&[shared.keys.queue(kind, id.part()), shared.keys.job(kind, id)]);
        call.arg(id.as_str()).arg(ready.0).arg(body);
        call
    });
    shared.link.keep_all_once(calls.collect()).await.map(drop)
}

/// How many jobs are ready in each part of a queue.
async fn ready(shared: &Shared, kind: &JobKind, now: Timestamp) -> Result<Vec<(u8, usize)>> {
    let counts = (0..JobId::PARTS).map(|part| {
        let mut count = command("ZCOUNT", shared.keys.queue(kind, part));
        count.arg("-inf").arg(now.0);
        count
    });
    let answers = shared.link.send_all_once(counts.collect()).await?;
    (0..).zip(answers).map(|(part, answer)| Ok((part, read(answer)?))).collect()
}

#[async_trait]
impl WorkQueues for RedisStore {
    async fn enqueue(&self, jobs: &[Job]) -> Result<()> {
        enqueue(&self.shared, jobs).await
    }

    async fn claim(&self, kind: &JobKind, limit: usize) -> Result<Vec<ClaimedJob>> {
        let (shared, now) = (&self.shared, self.shared.now());
        let until = Timestamp(now.0.saturating_add(LEASE.as_millis() as i64));
        let mut parts = ready(shared, kind, now).await?;
        // From another part each time, so that none has to wait for the others.
        let first = shared.ambient.bytes::<1>()[0] % JobId::PARTS;
        parts.rotate_left(first.into());
        let mut left = limit;
        let mut claims: Vec<Cmd> = Vec::new();
        for (part, count) in parts {
            let share = count.min(left);
            if share > 0 {
                left -= share;
                let mut claim = CLAIM.on(&[shared.keys.queue(kind, part)]);
                claim.arg(now.0).arg(until.0).arg(share);
                claims.push(claim);
            }
        }
        let mut ids: Vec<JobId> = Vec::new();
        for answer in shared.link.send_all_once(claims).await? {
            let names: Vec<String> = read(answer)?;
            ids.extend(names.iter().filter_map(|name| JobId::parse(name)));
        }
        let begins = ids.iter().map(|id| {
            let mut begin = BEGIN.on(&[shared.keys.queue(kind, id.part()), shared.keys.job(kind, id)]);
            begin.arg(id.as_str());
            begin
        });
        let begun = shared.link.send_all_once(begins.collect()).await?;
        let mut claimed = Vec::with_capacity(ids.len());
        for (id, answer) in ids.into_iter().zip(begun) {
            let found: Option<(String, u32)> = read(answer)?;
            if let Some((body, claims)) = found {
                claimed.push(ClaimedJob { job: Job { kind: kind.clone(), id, ready: now, body }, until, claims });
            }
        }
        Ok(claimed)
    }

    async fn finish(&self, claimed: &ClaimedJob, remember_seconds: u32) -> Result<bool> {
        let Job { kind, id, .. } = &claimed.job;
        let keys = &self.shared.keys;
        let mut call = FINISH.on(&[keys.queue(kind, id.part()), keys.job(kind, id)]);
        call.arg(id.as_str()).arg(claimed.until.0).arg(self.shared.now().0).arg(remember_seconds);
        read(self.shared.link.keep_once(call).await?)
    }

    async fn put_back(&self, claimed: &ClaimedJob, ready: Timestamp) -> Result<bool> {
        let Job { kind, id, .. } = &claimed.job;
        let mut call = PUT_BACK.on(&[self.shared.keys.queue(kind, id.part())]);
        call.arg(id.as_str()).arg(claimed.until.0).arg(ready.0);
        read(self.shared.link.send_once(&call).await?)
    }

    async fn queue(&self, kind: &JobKind) -> Result<QueueSize> {
        let keys: Vec<String> = (0..JobId::PARTS).map(|part| self.shared.keys.queue(kind, part)).collect();
        sizes(&self.shared, &keys).await
    }
}

/// How much these sorted sets hold together.
pub(super) async fn sizes(shared: &Shared, keys: &[String]) -> Result<QueueSize> {
    let looks = keys.iter().flat_map(|key| {
        let mut first = command("ZRANGE", key.clone());
        first.arg(0).arg(0).arg("WITHSCORES");
        [command("ZCARD", key.clone()), first]
    });
    let mut answers = shared.link.send_all_once(looks.collect()).await?.into_iter();
    let mut size = QueueSize::default();
    while let (Some(length), Some(first)) = (answers.next(), answers.next()) {
        let first: Vec<(String, f64)> = read(first)?;
        let oldest = first.first().map(|(_, at)| Timestamp(*at as i64));
        size = size.and(QueueSize { length: read(length)?, oldest });
    }
    Ok(size)
}
