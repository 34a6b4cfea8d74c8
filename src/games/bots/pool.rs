//! Threads that think, apart from those that serve.
//!
//! Invariants: no more threads than were allowed, and none before there is something to do; they stand behind everything
//! else that the machine has to do, where the system lets a thread say so of itself. What panics ends no thread.
//!
//! What it deliberately lacks: what is thought about, and how long. Whoever submits work has it look at a flag of their
//! own, and is told of its end by the work itself.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How much may wait for a thread.
pub const WAITING_MAX: usize = 1000;

type Work = Box<dyn FnOnce() + Send>;

/// No thread takes this work: too much waits already, or there are no threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too much waits to be thought about")]
pub struct PoolFull;

/// Threads that think.
pub struct ThinkingPool {
    desk: Arc<Desk>,
    most: usize,
}

/// Where work is laid down and taken up.
#[derive(Default)]
struct Desk {
    state: Mutex<State>,
    laid_down: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Work>,
    threads: usize,
    idle: usize,
    closed: bool,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up work until the pool is gone.
    fn work(&self) {
        let mut state = self.state();
        while !state.closed {
            if let Some(work) = state.waiting.pop_front() {
                drop(state);
                // Whoever waits for it sees that it is gone without an answer.
                let _panicked = catch_unwind(AssertUnwindSafe(work));
                state = self.state();
            } else {
                state.idle += 1;
                state = self.laid_down.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        }
    }
}

impl ThinkingPool {
    /// At most so many threads; with 0 nothing is taken.
    pub fn new(most: usize) -> ThinkingPool {
        ThinkingPool { desk: Arc::default(), most }
    }

    /// How many threads there may be.
    pub fn threads(&self) -> usize {
        self.most
    }

    /// How much waits for a thread.
    pub fn waiting(&self) -> usize {
        self.desk.state().waiting.len()
    }

    /// Whether nothing more is taken right now.
    pub fn is_full(&self) -> bool {
        self.most == 0 || self.waiting() >= WAITING_MAX
    }

    /// Has `work` done as soon as a thread is free, after all that waits already.
    ///
    /// # Errors
    /// [`PoolFull`]; then the work is dropped.
    pub fn submit(&self, work: impl FnOnce() + Send + 'static) -> Result<(), PoolFull> {
        let mut state = self.desk.state();
        if self.most == 0 || state.waiting.len() >= WAITING_MAX {
            return Err(PoolFull);
        }
        if state.idle <= state.waiting.len() && state.threads < self.most {
            let desk = Arc::clone(&self.desk);
            let started = thread::Builder::new().name("thinking".to_owned()).spawn(move || {
                stand_back();
                desk.work();
            });
            match started {
                Ok(_goes_on) => state.threads += 1,
                Err(_) if state.threads > 0 => {}
                Err(_) => return Err(PoolFull),
            }
        }
        state.waiting.push_back(Box::new(work));
        drop(state);
        self.desk.laid_down.notify_one();
        Ok(())
    }
}

impl Drop for ThinkingPool {
    /// What waits is dropped; what is under way ends by its own flag.
    fn drop(&mut self) {
        let waiting = {
            let mut state = self.desk.state();
            state.closed = true;
            std::mem::take(&mut state.waiting)
        };
        drop(waiting);
        self.desk.laid_down.notify_all();
    }
}

/// Has this thread wait for all others. On Linux that is said of one thread; elsewhere it would be said of the process.
fn stand_back() {
    #[cfg(target_os = "linux")]
    let _as_before = rustix::process::nice(19);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    /// Threads that stand back get a hundredth of a machine on which others compute.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn work_is_done_in_its_order_and_a_panic_ends_no_thread() {
        let pool = ThinkingPool::new(1);
        let (tell, told) = mpsc::channel();
        pool.submit(|| panic!("a fault")).unwrap();
        for number in 0..3 {
            let tell = tell.clone();
            pool.submit(move || tell.send((number, thread::current().id())).unwrap()).unwrap();
        }
        let done: Vec<_> = (0..3).map(|_| told.recv_timeout(LONG).unwrap()).collect();
        assert_eq!(done.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(done.iter().all(|(_, thread)| *thread == done[0].1));
    }

    #[test]
    fn no_more_threads_than_allowed_work_at_once() {
        let pool = ThinkingPool::new(2);
        let (tell, told) = mpsc::channel();
        let (let_go, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        for number in 0..3 {
            let (tell, held) = (tell.clone(), Arc::clone(&held));
            pool.submit(move || {
                tell.send(number).unwrap();
                held.lock().unwrap().recv().unwrap();
            })
            .unwrap();
        }
        assert_eq!([told.recv_timeout(LONG).unwrap(), told.recv_timeout(LONG).unwrap()].iter().sum::<i32>(), 1);
        assert_eq!((pool.waiting(), told.try_recv().is_err()), (1, true));
        (0..3).for_each(|_| let_go.send(()).unwrap());
        assert_eq!(told.recv_timeout(LONG), Ok(2));
    }

    #[test]
    fn too_much_is_refused_and_what_waits_goes_with_the_pool() {
        let none = ThinkingPool::new(0);
        assert!(none.is_full());
        assert_eq!(none.submit(|| ()), Err(PoolFull));
        let pool = ThinkingPool::new(1);
        let (let_go, held) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel::<()>();
        let begun = tell.clone();
        pool.submit(move || {
            begun.send(()).unwrap();
            held.recv().ok();
        })
        .unwrap();
        told.recv_timeout(LONG).unwrap();
        for _ in 0..WAITING_MAX {
            let tell = tell.clone();
            pool.submit(move || tell.send(()).unwrap()).unwrap();
        }
        assert_eq!((pool.submit(|| ()), pool.waiting()), (Err(PoolFull), WAITING_MAX));
        drop((pool, tell));
        drop(let_go);
        assert!(told.recv_timeout(LONG).is_err(), "nothing of it is done any more");
    }
}
