//! Offloads long work to the threads that think, or to a thread of its own where this instance has none.
//!
//! Invariants: no worker of the server is kept busy; little work waits, of one player or in all, and further work is
//! refused at once, with the time until there is room; work that nobody waits for any more ends. A panic ends the work
//! and not the thread.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use sarsen_base::fair_queue::{QueueTicket, Rank};
use sarsen_base::ids::PlayerId;
use sarsen_base::worker_pool::WorkerPool;

/// The amount of work that may be under way or waiting: some MB of requests, and some seconds of time.
const MOST: usize = 64;
/// The amount of one player's work.
const MOST_OF_PLAYER: usize = 8;
/// The time after which a client for whom there is no room should come again.
const ROOM_AFTER: Duration = Duration::from_secs(1);

/// Too much is waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more work is waiting than is taken on")]
pub struct Busy {
    /// About when there is room.
    pub retry_after: Duration,
}

/// Tells whether anybody still waits for the work.
pub type IsAbandoned<'a> = &'a (dyn Fn() -> bool + Sync);

/// Takes work on.
pub struct Offload {
    pool: Arc<WorkerPool>,
    taken: Arc<Places>,
    patience: Duration,
}

/// The amount of work of each player that has been taken on.
#[derive(Default)]
struct Places(Mutex<HashMap<PlayerId, usize>>);

/// Work that has been taken on, until it is gone.
struct Place(Arc<Places>, PlayerId);

impl Places {
    /// A place for one more of `player`'s, if there is room.
    fn take(self: &Arc<Places>, player: &PlayerId) -> Option<Place> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (all, own) = (taken.values().sum::<usize>(), taken.get(player).copied().unwrap_or_default());
        if all >= MOST || own >= MOST_OF_PLAYER {
            return None;
        }
        taken.insert(player.clone(), own + 1);
        Some(Place(Arc::clone(self), player.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.1) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.1);
            }
        }
    }
}

impl Offload {
    /// One whose work is done by these threads, or by one of its own if there are none. Nobody waits longer than `patience`.
    pub fn on(pool: Arc<WorkerPool>, patience: Duration) -> Offload {
        let pool = if pool.threads() == 0 { Arc::new(WorkerPool::new(1)) } else { pool };
        Offload { pool, taken: Arc::default(), patience }
    }

    /// Has `work` of `player` done; what is received is its result, or nothing if it panicked.
    ///
    /// # Errors
    /// If too much is waiting, or so much that it would not begin in time.
    pub fn take<T: Send + 'static>(
        &self,
        player: &PlayerId,
        work: impl FnOnce(IsAbandoned<'_>) -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Busy> {
        let ticket = QueueTicket { rank: Rank::Asked, share: player.to_string() };
        let wait = self.pool.expected_wait(&ticket);
        if wait > self.patience {
            return Err(Busy { retry_after: wait.saturating_sub(self.patience) });
        }
        let full = || Busy { retry_after: wait.max(ROOM_AFTER) };
        let place = self.taken.take(player).ok_or_else(full)?;
        let (answer, receiver) = oneshot::channel();
        let work = move || {
            let _place = place;
            if !answer.is_closed() {
                let result = work(&|| answer.is_closed());
                // Who does not wait any more does not miss it.
                drop(answer.send(result));
            }
        };
        self.pool.submit(ticket, work).map_err(|_| full())?;
        Ok(receiver)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn offload() -> Offload {
        Offload::on(Arc::new(WorkerPool::new(0)), Duration::from_secs(30))
    }

    fn player(number: usize) -> PlayerId {
        PlayerId::from_number(number as u128)
    }

    #[tokio::test]
    async fn work_is_done_and_a_panic_ends_it_alone() {
        let offload = offload();
        assert!(offload.take(&player(1), |_| panic!("a fault")).unwrap().await.map(|(): ()| ()).is_err());
        assert_eq!(offload.take(&player(1), |_| 6 * 7).unwrap().await, Ok(42));
    }

    #[tokio::test]
    async fn too_much_is_refused_and_abandoned_work_is_not_begun() {
        let offload = offload();
        let (go, gate) = channel::<()>();
        let first = offload.take(&player(0), move |_| gate.recv().is_ok());
        let (told, heard) = channel();
        for number in 1..MOST {
            let told = told.clone();
            drop(offload.take(&player(number / MOST_OF_PLAYER), move |_| told.send(()).unwrap()).unwrap());
        }
        assert_eq!(offload.take(&player(MOST), |_| ()).err(), Some(Busy { retry_after: ROOM_AFTER }));
        go.send(()).unwrap();
        assert_eq!(first.unwrap().await, Ok(true));
        // None of those that were dropped was done before this one, which came behind them.
        let mut last = offload.take(&player(MOST), |_| ());
        while last.is_err() {
            tokio::task::yield_now().await;
            last = offload.take(&player(MOST), |_| ());
        }
        last.unwrap().await.unwrap();
        drop(told);
        assert!(heard.try_recv().is_err());
    }

    #[tokio::test]
    async fn one_player_takes_no_more_than_a_share_of_the_places() {
        let offload = offload();
        let (go, gate) = channel::<()>();
        let mut taken = vec![offload.take(&player(1), move |_| gate.recv().is_ok()).unwrap()];
        taken.extend((1..MOST_OF_PLAYER).map(|_| offload.take(&player(1), |_| true).unwrap()));
        assert!(offload.take(&player(1), |_| true).is_err());
        taken.push(offload.take(&player(2), |_| true).unwrap());
        go.send(()).unwrap();
        for work in taken {
            assert_eq!(work.await, Ok(true));
        }
    }

    #[tokio::test]
    async fn whoever_would_wait_too_long_is_told_so_at_once() {
        let offload = Offload { patience: Duration::ZERO, ..offload() };
        let (go, gate) = channel::<()>();
        let (begin, begun) = channel::<()>();
        let first = offload.take(&player(1), move |_| {
            begin.send(()).unwrap();
            gate.recv().is_ok()
        });
        begun.recv().unwrap();
        assert!(offload.take(&player(2), |_| true).is_err(), "one thread is at work");
        go.send(()).unwrap();
        assert_eq!(first.unwrap().await, Ok(true));
    }
}
