//! A pool of worker threads for long computations, apart from the threads that serve requests.
//!
//! Invariants: the pool starts a thread only when work needs it, and never more than its maximum. On Linux its threads
//! run at the lowest priority (nice 19). A panic in the work ends no thread. The [`FairQueue`] decides which work is
//! next. Work with a
//! [`Throttle`] also pauses while others are busy.
//!
//! Deliberately absent: results, deadlines and cancellation. The submitted closure reports its own result and checks
//! its own stop flag.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::time::Instant;

use crate::fair_queue::{FairQueue, QueueTicket, Rank, WAITING_MAX};

type Work = Box<dyn FnOnce() + Send>;

/// The pool refuses work: its queue is full, or it has no threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the queue of the worker pool is full")]
pub struct PoolFull;

/// Worker threads with one queue.
pub struct WorkerPool {
    queue: Arc<Queue>,
    most: usize,
}

struct Queue {
    state: Mutex<State>,
    submitted: Condvar,
    /// The origin of the queue's clock.
    begun: Instant,
}

#[derive(Default)]
struct State {
    waiting: FairQueue<Work>,
    threads: usize,
    idle: usize,
    closed: bool,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs queued work until the pool is dropped.
    fn work(&self) {
        let mut state = self.state();
        while !state.closed {
            if let Some((rank, work)) = state.waiting.pop() {
                drop(state);
                let started = Instant::now();
                // The closure drops its sender, so the receiver sees that there is no result.
                let _panicked = catch_unwind(AssertUnwindSafe(work));
                state = self.state();
                state.waiting.done(rank, started.elapsed());
            } else {
                state.idle += 1;
                state = self.submitted.wait(state).unwrap_or_else(PoisonError::into_inner);
                state.idle -= 1;
            }
        }
    }
}

impl WorkerPool {
    /// A pool of at most `most` threads. With 0 it refuses all work.
    pub fn new(most: usize) -> WorkerPool {
        let queue = Queue { state: Mutex::default(), submitted: Condvar::new(), begun: Instant::now() };
        WorkerPool { queue: Arc::new(queue), most }
    }

    /// Maximum number of threads.
    pub fn threads(&self) -> usize {
        self.most
    }

    /// Number of closures that wait for a thread.
    pub(crate) fn waiting(&self) -> usize {
        self.queue.state().waiting.waiting()
    }

    /// True if the pool would refuse work right now.
    pub fn is_full(&self) -> bool {
        self.most == 0 || self.waiting() >= WAITING_MAX
    }

    /// Returns the number of waiting closures of these ranks, and the time since which the first of them waits.
    pub fn backlog(&self, of: &[Rank]) -> (usize, Duration) {
        self.queue.state().waiting.backlog(self.queue.begun.elapsed(), of)
    }

    /// Returns the approximate wait of one more piece of work for a thread.
    pub fn expected_wait(&self, ticket: &QueueTicket) -> Duration {
        self.queue.state().waiting.expected_wait(ticket, self.most)
    }

    /// Queues `work`.
    ///
    /// # Errors
    /// [`PoolFull`]; the work is then dropped.
    pub fn submit(&self, ticket: QueueTicket, work: impl FnOnce() + Send + 'static) -> Result<(), PoolFull> {
        let mut state = self.queue.state();
        let waiting = state.waiting.waiting();
        if self.most == 0 || waiting >= WAITING_MAX {
            return Err(PoolFull);
        }
        if state.idle <= waiting && state.threads < self.most {
            let queue = Arc::clone(&self.queue);
            let started = thread::Builder::new().name("worker".to_owned()).spawn(move || {
                lower_priority();
                queue.work();
            });
            match started {
                Ok(_goes_on) => state.threads += 1,
                Err(_) if state.threads > 0 => {}
                Err(_) => return Err(PoolFull),
            }
        }
        let now = self.queue.begun.elapsed();
        let refused = state.waiting.push(ticket, now, Box::new(work));
        drop(state);
        refused.map_err(|_work| PoolFull)?;
        self.queue.submitted.notify_one();
        Ok(())
    }
}

impl Drop for WorkerPool {
    /// Drops the queued work. Running work ends by its own stop flag.
    fn drop(&mut self) {
        let waiting: FairQueue<Work> = {
            let mut state = self.queue.state();
            state.closed = true;
            std::mem::take(&mut state.waiting)
        };
        drop(waiting);
        self.queue.submitted.notify_all();
    }
}

/// Throttled work looks this often whether it is to pause.
const SLICE: Duration = Duration::from_millis(2);
/// A pause lasts this many times as long as the slice before it.
const PAUSE: u32 = 100;
/// The longest pause.
const PAUSE_MAX: Duration = Duration::from_millis(500);

/// Pauses work that nobody waits for, while others are busy.
///
/// The lowest priority alone is not enough: a thread that can run takes part in how the kernel spreads the others over
/// the cores. The p99 of moves of 64 people beside 100 reviews, over that without reviews, is 1.00 with these pauses and
/// 2.10 without them, on two cores; a thread that only yields every 300 µs still makes it 1.94.
pub struct Throttle<F> {
    is_busy: F,
    since: Mutex<Instant>,
}

impl<F: Fn() -> bool> Throttle<F> {
    /// A throttle for the work that begins now.
    pub fn new(is_busy: F) -> Throttle<F> {
        Throttle { is_busy, since: Mutex::new(Instant::now()) }
    }

    /// Sleeps where the others are busy. The work calls this every few microseconds.
    pub fn pause(&self) {
        let mut since = self.since.lock().unwrap_or_else(PoisonError::into_inner);
        let took = since.elapsed();
        if took >= SLICE {
            if (self.is_busy)() {
                thread::sleep((took * PAUSE).min(PAUSE_MAX));
            }
            *since = Instant::now();
        }
    }
}

/// Gives this thread the lowest priority. Only on Linux does `nice` concern a single thread.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    let _as_before = rustix::process::nice(19);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;
    use crate::fair_queue::WAITING_MAX_OF_SHARE;

    /// Threads of the lowest priority get about 1 % of a busy machine.
    const LONG: Duration = Duration::from_secs(60);

    fn any() -> QueueTicket {
        QueueTicket { rank: Rank::Hard, share: "ann".to_owned() }
    }

    #[test]
    fn work_is_done_in_its_order_and_a_panic_ends_no_thread() {
        let pool = WorkerPool::new(1);
        let (tell, told) = mpsc::channel();
        pool.submit(any(), || panic!("a fault")).unwrap();
        for number in 0..3 {
            let tell = tell.clone();
            pool.submit(any(), move || tell.send((number, thread::current().id())).unwrap()).unwrap();
        }
        let done: Vec<_> = (0..3).map(|_| told.recv_timeout(LONG).unwrap()).collect();
        assert_eq!(done.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(done.iter().all(|(_, thread)| *thread == done[0].1));
    }

    #[test]
    fn no_more_threads_than_allowed_work_at_once() {
        let pool = WorkerPool::new(2);
        let (tell, told) = mpsc::channel();
        let (let_go, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        for number in 0..3 {
            let (tell, held) = (tell.clone(), Arc::clone(&held));
            pool.submit(any(), move || {
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
    fn throttled_work_pauses_while_others_are_busy() {
        let paused = |is_busy: bool| {
            let throttle = Throttle::new(move || is_busy);
            thread::sleep(SLICE);
            let begun = Instant::now();
            throttle.pause();
            // Just after a pause there is none.
            throttle.pause();
            begun.elapsed()
        };
        assert!(paused(true) >= PAUSE * SLICE);
        assert!(paused(false) < PAUSE * SLICE);
    }

    #[test]
    fn too_much_is_refused_and_what_waits_goes_with_the_pool() {
        let none = WorkerPool::new(0);
        assert!(none.is_full());
        assert_eq!(none.submit(any(), || ()), Err(PoolFull));
        let pool = WorkerPool::new(1);
        let (let_go, held) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel::<()>();
        let begun = tell.clone();
        pool.submit(any(), move || {
            begun.send(()).unwrap();
            held.recv().ok();
        })
        .unwrap();
        told.recv_timeout(LONG).unwrap();
        for _ in 0..WAITING_MAX_OF_SHARE {
            let tell = tell.clone();
            pool.submit(any(), move || tell.send(()).unwrap()).unwrap();
        }
        assert_eq!((pool.submit(any(), || ()), pool.waiting()), (Err(PoolFull), WAITING_MAX_OF_SHARE));
        drop((pool, tell));
        drop(let_go);
        assert!(told.recv_timeout(LONG).is_err(), "nothing of it is done any more");
    }
}
