//! Where long work is done: on the threads that think, or where this instance has none on one of its own.
//!
//! Invariants: no worker of the server is kept busy; not much waits, and who comes when it does is told so at once; work that
//! nobody waits for any more ends. A panic ends the work and not the thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::oneshot;

use sarsen_base::worker_pool::WorkerPool;

/// How much work may be under way or waiting: some MB of requests, and some seconds of time.
const MOST: usize = 64;

/// Too much is waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more work is waiting than is taken on")]
pub struct Busy;

/// Tells whether anybody still waits for the work.
pub type IsAbandoned<'a> = &'a dyn Fn() -> bool;

/// Takes work on.
pub struct Desk {
    pool: Arc<WorkerPool>,
    taken: Arc<AtomicUsize>,
}

/// Work that has been taken on, until it is gone.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Desk {
    /// One whose work is done by these threads, or by one of its own if there are none.
    pub fn on(pool: Arc<WorkerPool>) -> Desk {
        let pool = if pool.threads() == 0 { Arc::new(WorkerPool::new(1)) } else { pool };
        Desk { pool, taken: Arc::default() }
    }

    /// Has `work` done; what is received is its result, or nothing if it panicked.
    ///
    /// # Errors
    /// If too much is waiting.
    pub fn take<T: Send + 'static>(
        &self,
        work: impl FnOnce(IsAbandoned<'_>) -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, Busy> {
        let before = self.taken.fetch_add(1, Ordering::Relaxed);
        let place = Place(Arc::clone(&self.taken));
        if before >= MOST {
            return Err(Busy);
        }
        let (answer, receiver) = oneshot::channel();
        let work = move || {
            let _place = place;
            if !answer.is_closed() {
                let result = work(&|| answer.is_closed());
                // Who does not wait any more does not miss it.
                drop(answer.send(result));
            }
        };
        self.pool.submit(work).map_err(|_| Busy)?;
        Ok(receiver)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    fn desk() -> Desk {
        Desk::on(Arc::new(WorkerPool::new(0)))
    }

    #[tokio::test]
    async fn work_is_done_and_a_panic_ends_it_alone() {
        let desk = desk();
        assert!(desk.take(|_| panic!("a fault")).unwrap().await.map(|(): ()| ()).is_err());
        assert_eq!(desk.take(|_| 6 * 7).unwrap().await, Ok(42));
    }

    #[tokio::test]
    async fn too_much_is_refused_and_abandoned_work_is_not_begun() {
        let desk = desk();
        let (go, gate) = channel::<()>();
        let first = desk.take(move |_| gate.recv().is_ok());
        let (told, heard) = channel();
        for _ in 1..MOST {
            let told = told.clone();
            drop(desk.take(move |_| told.send(()).unwrap()).unwrap());
        }
        assert_eq!(desk.take(|_| ()).err(), Some(Busy));
        go.send(()).unwrap();
        assert_eq!(first.unwrap().await, Ok(true));
        // None of those that were dropped was done before this one, which came behind them.
        let mut last = desk.take(|_| ());
        while last.is_err() {
            tokio::task::yield_now().await;
            last = desk.take(|_| ());
        }
        last.unwrap().await.unwrap();
        drop(told);
        assert!(heard.try_recv().is_err());
    }
}
