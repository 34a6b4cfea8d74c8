//! Work queues.
//!
//! Invariant: a job that is not done has exactly one entry in `work_due`, at the moment that stands with the job; one that
//! is done has none, and goes at its end.

use async_trait::async_trait;
use redb::{ReadTransaction, ReadableTable};

use super::Embedded;
use super::database::Outcome;
use super::expiry::{self, Kind};
use super::group::Group;
use super::layout::{Tables, WORK_DUE};
use crate::ambient::Timestamp;
use crate::store::{ClaimedJob, Job, JobId, JobKind, LEASE, QueueSize, Result, WorkQueues};

#[async_trait]
impl WorkQueues for Embedded {
    async fn enqueue(&self, jobs: &[Job]) -> Result<()> {
        let jobs = jobs.to_vec();
        self.write(move |group| {
            let before = group.added;
            for job in &jobs {
                put(group, job)?;
            }
            if group.added == before {
                group.idle += 1;
            }
            Ok(())
        })
        .await
    }

    async fn claim(&self, kind: &JobKind, limit: usize) -> Result<Vec<ClaimedJob>> {
        let kind = kind.clone();
        self.write(move |group| claim(group, &kind, limit)).await
    }

    async fn finish(&self, claimed: &ClaimedJob, remember_seconds: u32) -> Result<bool> {
        let claimed = claimed.clone();
        self.write(move |group| finish(group, &claimed, remember_seconds)).await
    }

    async fn put_back(&self, claimed: &ClaimedJob, ready: Timestamp) -> Result<bool> {
        let claimed = claimed.clone();
        self.write(move |group| put_back(group, &claimed, ready)).await
    }

    async fn queue(&self, kind: &JobKind) -> Result<QueueSize> {
        let kind = kind.clone();
        self.read_many(usize::MAX, move |transaction| size(transaction, &kind)).await
    }
}

/// Puts a job into its queue, unless it is there or was done.
pub(super) fn put(group: &mut Group<'_>, job: &Job) -> Outcome<()> {
    let key = (job.kind.name(), job.id.as_str());
    if group.tables.work.get(key)?.is_some() {
        return Ok(());
    }
    group.tables.work.insert(key, (job.ready.0, 0, 0, job.body.as_str()))?;
    group.tables.work_due.insert((job.kind.name(), job.ready.0, job.id.as_str()), ())?;
    group.added += 1;
    Ok(())
}

/// A job as stored: when it is ready, how often it was claimed, and the job.
fn stored(tables: &Tables<'_>, kind: &JobKind, id: &JobId) -> Outcome<Option<(i64, u32, String)>> {
    let found = tables.work.get((kind.name(), id.as_str()))?;
    Ok(found.map(|found| {
        let (ready, claims, _, body) = found.value();
        (ready, claims, body.to_owned())
    }))
}

fn claim(group: &mut Group<'_>, kind: &JobKind, limit: usize) -> Outcome<Vec<ClaimedJob>> {
    let now = group.now;
    let until = Timestamp(now.0.saturating_add(LEASE.as_millis() as i64));
    let tables = &mut group.tables;
    let mut ids = Vec::new();
    for entry in
        tables.work_due.range((kind.name(), i64::MIN, "")..(kind.name(), now.0.saturating_add(1), ""))?.take(limit)
    {
        let (key, _) = entry?;
        ids.extend(JobId::parse(key.value().2));
    }
    let mut claimed = Vec::with_capacity(ids.len());
    for id in ids {
        let Some((ready, claims, body)) = stored(tables, kind, &id)? else { continue };
        let claims = claims.saturating_add(1);
        shift(tables, kind, &id, (ready, until.0, claims), &body)?;
        claimed.push(ClaimedJob { job: Job { kind: kind.clone(), id, ready: now, body }, until, claims });
    }
    if claimed.is_empty() {
        group.idle += 1;
    }
    Ok(claimed)
}

/// Moves a job to another moment.
fn shift(
    tables: &mut Tables<'_>,
    kind: &JobKind,
    id: &JobId,
    (from, to, claims): (i64, i64, u32),
    body: &str,
) -> Outcome<()> {
    tables.work_due.remove((kind.name(), from, id.as_str()))?;
    tables.work_due.insert((kind.name(), to, id.as_str()), ())?;
    tables.work.insert((kind.name(), id.as_str()), (to, claims, 0, body))?;
    Ok(())
}

/// The job as stored, if the claim still stands.
fn held(group: &mut Group<'_>, claimed: &ClaimedJob) -> Outcome<Option<(u32, String)>> {
    let Job { kind, id, .. } = &claimed.job;
    let until = claimed.until.0;
    let stands = group.tables.work_due.get((kind.name(), until, id.as_str()))?.is_some();
    let found = if stands { stored(&group.tables, kind, id)? } else { None };
    if found.is_none() {
        group.idle += 1;
    }
    Ok(found.map(|(_, claims, body)| (claims, body)))
}

fn finish(group: &mut Group<'_>, claimed: &ClaimedJob, remember_seconds: u32) -> Outcome<bool> {
    let Job { kind, id, .. } = &claimed.job;
    let Some((claims, body)) = held(group, claimed)? else { return Ok(false) };
    let end = group.now.plus_seconds(remember_seconds);
    let tables = &mut group.tables;
    tables.work_due.remove((kind.name(), claimed.until.0, id.as_str()))?;
    tables.work.insert((kind.name(), id.as_str()), (claimed.until.0, claims, end.0, body.as_str()))?;
    expiry::note(tables, end, Kind::Job, format!("{}|{}", kind.name(), id.as_str()).as_bytes())?;
    Ok(true)
}

fn put_back(group: &mut Group<'_>, claimed: &ClaimedJob, ready: Timestamp) -> Outcome<bool> {
    let Job { kind, id, .. } = &claimed.job;
    let Some((claims, body)) = held(group, claimed)? else { return Ok(false) };
    shift(&mut group.tables, kind, id, (claimed.until.0, ready.0, claims), &body)?;
    Ok(true)
}

fn size(transaction: &ReadTransaction, kind: &JobKind) -> Outcome<QueueSize> {
    let mut size = QueueSize::default();
    for entry in transaction.open_table(WORK_DUE)?.range((kind.name(), i64::MIN, "")..=(kind.name(), i64::MAX, ""))? {
        let (key, _) = entry?;
        size = size.and(QueueSize { length: 1, oldest: Some(Timestamp(key.value().1)) });
    }
    Ok(size)
}
