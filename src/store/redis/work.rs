//! Work queues: sorted sets of what is ready when, in parts that are spread over the slots, and a hash for each job.
//!
//! Invariants:
//! - Who claims a job has moved its score to the end of the lease; a claim stands as long as the score does.
//! - A part that fails to answer keeps no other from being fed and worked off.

use async_trait::async_trait;
use redis::{Cmd, Value};

use super::link::{command, read};
use super::script::{BEGIN, CLAIM, ENQUEUE, FINISH, PUT_BACK};
use super::{RedisStore, Shared};
use crate::ambient::Timestamp;
use crate::store::{ClaimedJob, Job, JobId, JobKind, LEASE, QueueSize, Result, StoreError, WorkQueues};

/// The calls that put jobs into their queues.
pub(super) fn enqueueing<'a>(shared: &Shared, jobs: impl Iterator<Item = &'a Job>) -> Vec<Cmd> {
    jobs.map(|Job { kind, id, ready, body }| {
        let mut call = ENQUEUE.on(&[shared.keys.queue(kind, id.part()), shared.keys.job(kind, id)]);
        call.arg(id.as_str()).arg(ready.0).arg(body);
        call
    })
    .collect()
}

/// What the parts of a queue have answered, each with what it was asked about, and the failure of one that has not.
struct Answers<T> {
    given: Vec<(T, Value)>,
    failure: Option<StoreError>,
}

/// Asks parts of a queue something at the same time.
async fn ask_parts<T>(shared: &Shared, questions: Vec<(T, Cmd)>) -> Result<Answers<T>> {
    let (about, commands): (Vec<T>, Vec<Cmd>) = questions.into_iter().unzip();
    let mut answers = Answers { given: Vec::new(), failure: None };
    for (about, answer) in about.into_iter().zip(shared.link.send_each_once(commands).await?) {
        match answer {
            Ok(answer) => answers.given.push((about, answer)),
            Err(error) => answers.failure = Some(StoreError::Unavailable(Box::new(error))),
        }
    }
    Ok(answers)
}

#[async_trait]
impl WorkQueues for RedisStore {
    async fn enqueue(&self, jobs: &[Job]) -> Result<()> {
        self.shared.link.keep_all_once(enqueueing(&self.shared, jobs.iter())).await.map(drop)
    }

    async fn claim(&self, kind: &JobKind, limit: usize) -> Result<Vec<ClaimedJob>> {
        let (shared, now) = (&self.shared, self.shared.now());
        let until = Timestamp(now.0.saturating_add(LEASE.as_millis() as i64));
        let counts = (0..JobId::PARTS).map(|part| {
            let mut count = command("ZCOUNT", shared.keys.queue(kind, part));
            count.arg("-inf").arg(now.0);
            (part, count)
        });
        let mut ready = ask_parts(shared, counts.collect()).await?;
        // From another part each time, so that none has to wait for the others.
        let first = shared.ambient.bytes::<1>()[0] % JobId::PARTS;
        ready.given.sort_by_key(|(part, _)| (part + JobId::PARTS - first) % JobId::PARTS);
        let mut left = limit;
        let mut claims: Vec<(u8, Cmd)> = Vec::new();
        for (part, count) in ready.given {
            let share = read::<usize>(count)?.min(left);
            if share > 0 {
                left -= share;
                let mut claim = CLAIM.on(&[shared.keys.queue(kind, part)]);
                claim.arg(now.0).arg(until.0).arg(share);
                claims.push((part, claim));
            }
        }
        let taken = ask_parts(shared, claims).await?;
        let mut begins: Vec<(JobId, Cmd)> = Vec::new();
        for (_, names) in taken.given {
            for id in read::<Vec<String>>(names)?.iter().filter_map(|name| JobId::parse(name)) {
                let mut begin = BEGIN.on(&[shared.keys.queue(kind, id.part()), shared.keys.job(kind, &id)]);
                begin.arg(id.as_str());
                begins.push((id, begin));
            }
        }
        let begun = ask_parts(shared, begins).await?;
        let mut claimed = Vec::with_capacity(begun.given.len());
        for (id, job) in begun.given {
            let found: Option<(String, u32)> = read(job)?;
            if let Some((body, claims)) = found {
                claimed.push(ClaimedJob { job: Job { kind: kind.clone(), id, ready: now, body }, until, claims });
            }
        }
        match ready.failure.or(taken.failure).or(begun.failure) {
            Some(failure) if claimed.is_empty() => Err(failure),
            _ => Ok(claimed),
        }
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
