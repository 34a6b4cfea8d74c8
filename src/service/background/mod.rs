//! Work that happens without a request: heartbeats, what is due in matches, and the pairing of tickets.
//!
//! Invariants:
//! - There is no leader: each instance looks at everything, and work that two do at once ends in a conflict for one of
//!   them. So an instance may die at any moment without harm.
//! - Any number of instances together look at the due index as often as one alone would ([`poll_interval`]).
//! - What is due in a match follows from the match, never from the index that led to it.
//! - Once `retiring` is cancelled nothing more is begun; what is under way is finished or given up in [`BackgroundWork::end`].
//!
//! To add work: `matches::schedule` says from the match when and what is due, the commit moves the index, and [`due`] does
//! the rest.

mod backfill;
mod components;
mod deliveries;
mod due;
mod failures;
mod foundation;
mod guests;
mod heartbeat;
mod jobs;
mod pairing;
mod poll_interval;
mod reviews;
#[cfg(test)]
mod tests;
mod thinking;

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use sarsen_matches::DueSoon;

pub use deliveries::KIND as NOTIFICATIONS;
pub use due::KIND as DUE;
pub use failures::JobFailures;
pub use foundation::Foundation;
pub use guests::GuestExpiry;
pub use heartbeat::{Heartbeat, HeartbeatParts};
pub use pairing::KIND as PAIRING;
pub(crate) use poll_interval::PollInterval;
pub use reviews::KIND as REVIEWS;
pub use thinking::KIND as BOTS;

/// The time that work under way may take after the end was asked for.
const ENDING: Duration = Duration::from_secs(5);

/// The work of this instance, while it goes on.
pub struct BackgroundWork {
    tasks: JoinSet<()>,
}

impl BackgroundWork {
    /// Begins to work at this interval, until `retiring` is cancelled. `soon` tells of what this instance's own commits have
    /// made due within moments.
    pub fn start(
        foundation: Foundation,
        soon: DueSoon,
        interval: Arc<PollInterval>,
        retiring: &CancellationToken,
    ) -> BackgroundWork {
        let shared = Arc::new(foundation);
        let mut tasks = JoinSet::new();
        tasks.spawn(until(retiring.clone(), backfill::backfill(shared.clone())));
        tasks.spawn(until(retiring.clone(), components::look_for_missing(shared.clone())));
        tasks.spawn(until(retiring.clone(), guests::expire_guests(shared.clone())));
        tasks.spawn(until(retiring.clone(), pairing::pair_on(shared.clone())));
        tasks.spawn(until(retiring.clone(), reviews::review(shared.clone())));
        let (claiming, claimed) = thinking::Claiming::new(shared.clone());
        tasks.spawn(thinking::think(shared.clone(), claimed, retiring.clone()));
        let looking = Arc::new(due::Looking::new(shared.clone(), claiming));
        tasks.spawn(deliveries::notify_on(shared.clone(), interval.clone(), retiring.clone()));
        tasks.spawn(due::look_on(looking.clone(), interval.clone(), retiring.clone()));
        tasks.spawn(jobs::work_on(shared.clone(), interval, retiring.clone()));
        tasks.spawn(until(retiring.clone(), due::look_soon(looking, soon)));
        BackgroundWork { tasks }
    }

    /// Ends it: what is under way is given up, claims are released. Call it after `retiring` was cancelled.
    pub async fn end(mut self) {
        let ended = async { while self.tasks.join_next().await.is_some() {} };
        if timeout(ENDING, ended).await.is_err() {
            tracing::warn!("work without a request did not end in time; other instances go on with it");
        }
    }
}

/// Does `work` until `told` is cancelled. Only for work that may stop anywhere.
async fn until(told: CancellationToken, work: impl Future<Output = ()>) {
    // Whether it has ended by itself is of no interest.
    let _ended = told.run_until_cancelled(work).await;
}
