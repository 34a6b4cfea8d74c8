//! Due work: looks for matches whose moment has come, and has done what is due in them.
//!
//! Invariant: a match that keeps failing, or in which something panics, holds up no other, and is tried again in
//! [`PUT_OFF`].

use std::collections::BTreeSet;
use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, FuturesUnordered};
use futures_util::{FutureExt, StreamExt};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use super::failures::Poison;
use super::thinking::Claiming;
use super::{Foundation, PollInterval};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_matches::DueSoon;
use sarsen_matches::Refused;
use sarsen_matches::schedule::Looked;
use sarsen_store::{DueMatch, StoreError};

/// The number of matches of each part of the index that are looked at in one go.
const AT_ONCE: usize = 32;
/// The number of them that are looked at concurrently.
const TOGETHER: usize = 16;
/// The delay of a match that keeps failing.
const PUT_OFF: Duration = Duration::from_secs(600);
/// The name of this work in the metrics.
pub const KIND: &str = "due";

/// The dependencies of a look at the due index.
pub(super) struct Looking {
    shared: Arc<Foundation>,
    claiming: Claiming,
    poison: Poison,
}

impl Looking {
    pub(super) fn new(shared: Arc<Foundation>, claiming: Claiming) -> Looking {
        Looking { shared, claiming, poison: Poison::default() }
    }

    /// Looks once, and answers whether there may be more right now.
    pub(super) async fn look(&self) -> Result<bool, StoreError> {
        let mut due = self.shared.due.due_matches(AT_ONCE).await?;
        self.poison.keep_only(&due.iter().map(|due| &due.id).collect::<BTreeSet<_>>());
        let more = due.len() >= AT_ONCE;
        // Other instances look at the same: each begins elsewhere.
        if !due.is_empty() {
            let first = usize::from(u16::from_be_bytes(self.shared.ambient.bytes())) % due.len();
            due.rotate_left(first);
        }
        let outcomes: Vec<bool> =
            stream::iter(due).map(|due| self.see_to(due)).buffer_unordered(TOGETHER).collect().await;
        Ok(more && outcomes.contains(&true))
    }

    /// Sees to one match. Answers whether its entry has moved.
    async fn see_to(&self, due: DueMatch) -> bool {
        // Nothing is left half done: a match is changed by a commit, or not at all.
        match AssertUnwindSafe(self.shared.matches.see_to(&due.id)).catch_unwind().await {
            Ok(Ok(Looked::Acted)) => true,
            // The index had an entry too many: the match was moved on by who knows no index.
            Ok(Ok(Looked::Waits(next))) => self.move_to(&due, next).await,
            Ok(Ok(Looked::Thinks(clock))) => self.have_thought(&due, clock).await,
            // It is not the match's doing.
            Ok(Err(Refused::Store(StoreError::Unavailable(_)) | Refused::Busy)) => false,
            Ok(Err(refused)) => self.failed(&due, &refused).await,
            Err(_panic) => self.failed(&due, &Panicked).await,
        }
    }

    /// Has the bots of a match thought for, without missing a clock that runs out meanwhile. Answers whether its entry has
    /// moved.
    async fn have_thought(&self, due: &DueMatch, clock: Option<Timestamp>) -> bool {
        match self.claiming.claim(due, clock).await {
            Ok(Some((next, claimed))) => {
                // Before anything is thought: what comes of it moves the entry itself.
                let moved = self.move_to(due, Some(next)).await;
                if let Some(claimed) = claimed {
                    self.claiming.hand_over(claimed);
                }
                moved
            }
            Ok(None) => false,
            Err(error) => {
                tracing::debug!(%error, id = %due.id, "a match cannot be claimed now");
                false
            }
        }
    }

    /// Puts a match off that has failed too often. Answers whether its entry has moved.
    async fn failed(&self, due: &DueMatch, error: &(dyn Error + Sync + 'static)) -> bool {
        self.shared.failures.count(KIND);
        if !self.poison.failed(&due.id) {
            return false;
        }
        say(&due.id, error);
        let later = self.shared.ambient.now().0.saturating_add(PUT_OFF.as_millis() as i64);
        self.move_to(due, Some(Timestamp(later))).await
    }

    async fn move_to(&self, due: &DueMatch, next: Option<Timestamp>) -> bool {
        match self.shared.due.move_due(due, next).await {
            Ok(moved) => moved,
            Err(error) => {
                tracing::debug!(%error, id = %due.id, "the due index stays as it is for now");
                false
            }
        }
    }
}

fn say(id: &MatchId, error: &(dyn Error + 'static)) {
    tracing::error!(%id, error, "what is due in a match keeps failing; it is put off");
}

/// The work of a match has panicked; the log has more of it.
#[derive(Debug, thiserror::Error)]
#[error("it panicked")]
struct Panicked;

/// Looks again and again, at the interval, until told to stop; what a look has begun is finished.
pub(super) async fn look_on(looking: Arc<Looking>, interval: Arc<PollInterval>, retiring: CancellationToken) {
    let mut next = Instant::now() + interval.phase(&looking.shared.ambient);
    while retiring.run_until_cancelled(sleep_until(next)).await.is_some() {
        let begun = Instant::now();
        next = match looking.look().await {
            Ok(true) => begun,
            Ok(false) => begun + interval.period(),
            Err(error) => {
                tracing::debug!(%error, "the due index cannot be read now");
                begun + interval.period()
            }
        };
    }
}

/// Looks at the matches that this instance's own commits have made due within moments, for ever.
pub(super) async fn look_soon(looking: Arc<Looking>, mut soon: DueSoon) {
    let mut waiting = FuturesUnordered::new();
    loop {
        tokio::select! {
            told = soon.next() => {
                let Some(due) = told else { return };
                let left = due.at.0.saturating_sub(looking.shared.ambient.now().0).max(0).unsigned_abs();
                waiting.push(async move {
                    sleep(Duration::from_millis(left)).await;
                    due
                });
            }
            Some(due) = waiting.next(), if !waiting.is_empty() => {
                looking.see_to(due).await;
            }
        }
    }
}
