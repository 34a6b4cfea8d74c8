//! The length of the queues of work.

use super::{Administration, Audited};
use sarsen_base::ambient::Timestamp;
use sarsen_store::{QueueSize, StoreError};

/// The most players who leave that are counted.
const DELETIONS_COUNTED: usize = 1000;

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
    /// Every queue: the outbox of commits, the due index, the jobs of each kind, and the players who leave (of whom no more
    /// than 1000 are counted).
    ///
    /// # Errors
    /// If the store is away.
    pub async fn queues(&self, _: &Audited) -> Result<Vec<QueueStanding>, StoreError> {
        let backlog = self.store.backlog().await?;
        let mut sizes = vec![("outbox", backlog.outbox), ("due", backlog.due)];
        sizes.extend(self.store.job_queues().await?);
        let deletions = self.store.deletions(DELETIONS_COUNTED).await?;
        let oldest = deletions.first().map(|deletion| deletion.look_at);
        sizes.push(("deletions", QueueSize { length: deletions.len() as u64, oldest }));
        let standing = |(name, QueueSize { length, oldest })| QueueStanding { name, length, oldest };
        Ok(sizes.into_iter().map(standing).collect())
    }
}
