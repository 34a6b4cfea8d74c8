//! The length of the queues of work.

use super::{Administration, Audited};
use sarsen_base::ambient::Timestamp;
use sarsen_store::{JobKind, StoreError};

/// The most players who leave that are counted.
const LEAVING_COUNTED: usize = 1000;

/// A queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueueStanding {
    /// Its name.
    pub name: &'static str,
    /// The number of entries.
    pub length: u64,
    /// Since when, or for when, the first of them waits, where that is known.
    pub oldest: Option<Timestamp>,
}

impl Administration {
    /// Every queue: the outbox of commits, the due index, the jobs of ratings, and the players who leave (of whom no more
    /// than 1000 are counted).
    ///
    /// # Errors
    /// If the store is away.
    pub async fn queues(&self, _: &Audited) -> Result<Vec<QueueStanding>, StoreError> {
        let backlog = self.backlogs.backlog().await?;
        let rate = self.jobs.jobs(JobKind::Rate).await?;
        let leaving = self.marks.leaving(LEAVING_COUNTED).await?;
        Ok(vec![
            QueueStanding { name: "outbox", length: backlog.outbox.length, oldest: backlog.outbox.oldest },
            QueueStanding { name: "due", length: backlog.due.length, oldest: backlog.due.oldest },
            QueueStanding { name: JobKind::Rate.name(), length: rate.length, oldest: rate.oldest },
            QueueStanding {
                name: "leaving",
                length: leaving.len() as u64,
                oldest: leaving.first().map(|departure| departure.look_at),
            },
        ])
    }
}
