//! Jobs: work that a commit or a use case orders, and that any instance does, at least once.
//!
//! Invariants: a job that a commit orders is written with the commit or not at all; ordering an id of a kind that is
//! there changes nothing. An instance takes a job by moving it to the end of a lease, and removes it when done. Both
//! succeed only if the job is still as found. If the instance dies at work, another takes the job after the lease.
//! Doing a job twice must do no harm. No order is promised.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::concern::concern;
use super::upgrade::{Formed, Forms, Upgrade};
use super::{QueueSize, Result};
use sarsen_base::ambient::Timestamp;

sarsen_base::named! {
    /// The kinds of jobs.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum JobKind {
        /// Finds the recipients of the notifications of a commit.
        Notify = "notify",
        /// Delivers one notification.
        Deliver = "deliver",
        /// Rates a match that has ended.
        Rate = "rate",
        /// Reviews a match that has ended.
        Review = "review",
        /// Calls off what its players wait for elsewhere, as a match starts.
        CallOff = "call_off",
    }
}

impl JobKind {
    /// Returns true if export and import carry its jobs: those of which something would be missing for good.
    pub const fn is_carried(self) -> bool {
        matches!(self, JobKind::Rate | JobKind::CallOff)
    }
}

/// A job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its kind.
    pub kind: JobKind,
    /// Its id among the jobs of its kind: short ASCII. That of a job which a commit orders begins with the match's id.
    pub id: String,
    /// The moment at which it is due.
    pub at: Timestamp,
    /// The description of the work: JSON on one line, never empty.
    pub body: Vec<u8>,
}

/// The work of a kind of jobs. The body says the number of its form beside it.
pub trait Work: Serialize + DeserializeOwned {
    /// The name of the work, for errors.
    const NAME: &'static str;
    /// The upgrades of bodies of earlier forms.
    const STEPS: &'static [Upgrade] = &[];

    /// Writes the body of a job.
    ///
    /// # Errors
    /// [`super::StoreError::Corrupt`] where it has no JSON form.
    fn to_body(&self) -> Result<Vec<u8>> {
        super::upgrade::encode(&Body { form: Self::STEPS.len() as u16 + 1, work: self }, Self::NAME)
    }

    /// Reads the body of a job.
    ///
    /// # Errors
    /// [`super::StoreError::Corrupt`], which quotes nothing.
    fn of_body(body: &[u8]) -> Result<Self> {
        Ok(Body::decode(body)?.work)
    }
}

/// The body of a job as stored.
#[derive(Serialize, Deserialize)]
struct Body<W> {
    #[serde(rename = "v")]
    form: u16,
    #[serde(rename = "w")]
    work: W,
}

impl<W: Work> Formed for Body<W> {
    const FORMS: Forms = Forms { kind: W::NAME, property: "v", steps: W::STEPS };

    fn form(&self) -> u16 {
        self.form
    }
}

concern! {
    /// Keeps jobs.
    pub trait JobStore {
        /// Adds those jobs whose id is not there yet.
        async fn order_jobs(&self, jobs: &[Job]) -> Result<()>;

        /// Returns jobs of a kind that are due, the longest overdue first in each part of the store, at most `limit` of
        /// each part.
        async fn due_jobs(&self, kind: JobKind, limit: usize) -> Result<Vec<Job>>;

        /// Returns all jobs of a kind, due or not.
        async fn waiting_jobs(&self, kind: JobKind) -> Result<Vec<Job>>;

        /// Moves a job to another moment, with another body if one is given, or removes it, if it is still due at the
        /// moment as found. Returns true if it was.
        async fn move_job(&self, found: &Job, to: Option<Timestamp>, body: Option<Vec<u8>>) -> Result<bool>;

        /// Returns the body of a job that is not done yet.
        async fn job_body(&self, kind: JobKind, id: &str) -> Result<Option<Vec<u8>>>;

        /// Returns the number of jobs of a kind, with the moment of the first.
        async fn jobs(&self, kind: JobKind) -> Result<QueueSize>;
    }

    default {
        /// Takes or renews the lease of a job, with another body if one is given. Returns true, with the job as leased,
        /// if it is still as found.
        async fn lease_job(&self, job: &mut Job, until: Timestamp, body: Option<Vec<u8>>) -> Result<bool> {
            if !self.move_job(job, Some(until), body.clone()).await? {
                return Ok(false);
            }
            job.at = until;
            if let Some(body) = body {
                job.body = body;
            }
            Ok(true)
        }

        /// Returns the same for every kind, by its name.
        async fn job_queues(&self) -> Result<Vec<(&'static str, QueueSize)>> {
            let mut queues = Vec::with_capacity(JobKind::ALL.len());
            for kind in JobKind::ALL {
                queues.push((kind.name(), self.jobs(kind).await?));
            }
            Ok(queues)
        }
    }
}
