//! Jobs: by kind and moment, and by kind and id with their bodies.
//!
//! Invariant: each entry of `jobs_due` has one in `jobs` and the other way round.

use async_trait::async_trait;
use redb::ReadableTable;

use super::Embedded;
use super::database::Outcome;
use super::due::{millis, moment};
use super::layout::{JOBS, JOBS_DUE, Tables};
use crate::{Job, JobKind, JobStore, QueueSize, Result};
use sarsen_base::ambient::Timestamp;

#[async_trait]
impl JobStore for Embedded {
    async fn order_jobs(&self, jobs: &[Job]) -> Result<()> {
        let jobs = jobs.to_vec();
        self.write(move |group| order(&mut group.tables, &jobs)).await
    }

    async fn due_jobs(&self, kind: JobKind, limit: usize) -> Result<Vec<Job>> {
        self.jobs_before(kind, millis(self.ambient.now()).saturating_add(1), limit).await
    }

    async fn waiting_jobs(&self, kind: JobKind) -> Result<Vec<Job>> {
        self.jobs_before(kind, u64::MAX, usize::MAX).await
    }

    async fn move_job(&self, found: &Job, to: Option<Timestamp>, body: Option<Vec<u8>>) -> Result<bool> {
        let found = found.clone();
        self.write(move |group| {
            let (key, from) = ((found.kind.name(), found.id.as_str()), millis(found.at));
            let stands = group.tables.jobs.get(key)?.map(|job| (job.value().0, job.value().1.to_vec()));
            let Some((_, kept)) = stands.filter(|(at, _)| *at == from) else {
                return group.unchanged(false);
            };
            group.tables.jobs_due.remove((key.0, from, key.1))?;
            if let Some(to) = to.map(millis) {
                group.tables.jobs_due.insert((key.0, to, key.1), ())?;
                group.tables.jobs.insert(key, (to, body.unwrap_or(kept).as_slice()))?;
            } else {
                group.tables.jobs.remove(key)?;
            }
            Ok(true)
        })
        .await
    }

    async fn job_body(&self, kind: JobKind, id: &str) -> Result<Option<Vec<u8>>> {
        self.read(|file| Ok(file.open_table(JOBS)?.get((kind.name(), id))?.map(|job| job.value().1.to_vec())))
    }

    async fn jobs(&self, kind: JobKind) -> Result<QueueSize> {
        self.read_many(usize::MAX, move |file| {
            let due = file.open_table(JOBS_DUE)?;
            let mut size = QueueSize::default();
            for entry in due.range((kind.name(), 0, "")..=(kind.name(), u64::MAX, ""))? {
                size.length += 1;
                size.oldest = size.oldest.or(Some(moment(entry?.0.value().1)));
            }
            Ok(size)
        })
        .await
    }
}

impl Embedded {
    /// The jobs of a kind that are due before a moment.
    async fn jobs_before(&self, kind: JobKind, until: u64, limit: usize) -> Result<Vec<Job>> {
        let until = (kind.name(), until, "");
        self.read_many(limit, move |file| {
            let (due, jobs) = (file.open_table(JOBS_DUE)?, file.open_table(JOBS)?);
            let mut found = Vec::new();
            for entry in due.range((kind.name(), 0, "")..until)?.take(limit) {
                let (key, _) = entry?;
                let (_, at, id) = key.value();
                if let Some(job) = jobs.get((kind.name(), id))? {
                    let body = job.value().1.to_vec();
                    found.push(Job { kind, id: id.to_owned(), at: moment(at), body });
                }
            }
            Ok(found)
        })
        .await
    }
}

/// Adds those jobs whose id is not there yet.
pub(super) fn order(tables: &mut Tables<'_>, jobs: &[Job]) -> Outcome<()> {
    for Job { kind, id, at, body } in jobs {
        let key = (kind.name(), id.as_str());
        if tables.jobs.get(key)?.is_none() {
            tables.jobs.insert(key, (millis(*at), body.as_slice()))?;
            tables.jobs_due.insert((key.0, millis(*at), key.1), ())?;
        }
    }
    Ok(())
}
