//! The one writer: a thread that runs queued writes in groups, one durable transaction a group.
//!
//! Invariants:
//! - A write is answered, and its [`Live`] messages are sent, only after the transaction it ran in is on the disk.
//! - Writes of a group run one after the other in the order they were queued, each seeing those before it.
//! - A group happens whole or not at all. If the transaction fails, or a write panics, every write of the group is
//!   answered with an error and the database is reopened before the next group.
//! - A write that may well fail, such as the probe of a full disk, runs in a group of its own.
//! - No write waits for others to join it: a group consists of the writes that are queued when the transaction before
//!   it is done, up to [`GROUP`].
//!
//! The meaning of the writes is deliberately absent.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

use redb::WriteTransaction;
use tokio::sync::{broadcast, mpsc, oneshot};

use super::database::{Handle, Outcome};
use super::group::Group;
use super::layout::Tables;
use super::{expiry, live};
use crate::Live;
use sarsen_base::ambient::{Ambient, Timestamp};

/// The maximum number of writes in one transaction.
const GROUP: usize = 256;
/// The maximum number of queued writes; further ones wait for room.
const QUEUE: usize = 1024;

/// The number of pages of the file that a probe writes: more than one move does. A move of eight players among 300,000
/// matches takes some 54.
const PROBE_PAGES: u8 = 64;
/// The value that is written to each, in bytes: two of it do not fit into one page.
const PROBE: usize = 3000;

/// The reason why a write failed, or has an unknown outcome: shared by all writes of a group.
#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error("the transaction failed")]
    Transaction(#[source] Arc<redb::Error>),
    #[error("a write panicked: {0}")]
    Panic(Arc<str>),
    #[error("the store is closed")]
    Closed,
}

trait Job: Send {
    /// Returns true if the write runs in a group of its own, so that its failure takes no other with it.
    fn alone(&self) -> bool;
    fn run(&mut self, group: &mut Group<'_>) -> Outcome<()>;
    fn answer(self: Box<Self>, failure: Option<Failure>);
}

struct Write<F, T> {
    alone: bool,
    work: Option<F>,
    result: Option<T>,
    reply: oneshot::Sender<Result<T, Failure>>,
}

impl<F, T> Job for Write<F, T>
where
    F: FnOnce(&mut Group<'_>) -> Outcome<T> + Send,
    T: Send,
{
    fn alone(&self) -> bool {
        self.alone
    }

    fn run(&mut self, group: &mut Group<'_>) -> Outcome<()> {
        if let Some(work) = self.work.take() {
            self.result = Some(work(group)?);
        }
        Ok(())
    }

    fn answer(self: Box<Self>, failure: Option<Failure>) {
        // The caller may be gone by now; then nobody needs the answer.
        let _ = match (failure, self.result) {
            (None, Some(result)) => self.reply.send(Ok(result)),
            (failure, _) => self.reply.send(Err(failure.unwrap_or(Failure::Closed))),
        };
    }
}

/// The queue to the writer. The thread ends after the queued writes, once [`Queue::stop`] is called or the last queue
/// is dropped.
#[derive(Clone)]
pub(super) struct Queue {
    jobs: mpsc::Sender<Box<dyn Job>>,
    stopping: Arc<AtomicBool>,
}

impl Queue {
    /// Runs `work` in the writer, `alone` in a transaction of its own, and returns its result once that is on the disk.
    pub(super) async fn write<T, F>(&self, work: F, alone: bool) -> Result<T, Failure>
    where
        F: FnOnce(&mut Group<'_>) -> Outcome<T> + Send + 'static,
        T: Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Write { alone, work: Some(work), result: None, reply });
        self.jobs.send(job).await.map_err(|_| Failure::Closed)?;
        answer.await.unwrap_or(Err(Failure::Closed))
    }

    /// Makes the writer reopen the database if it is broken, without waiting for that.
    pub(super) fn wake(&self) {
        let (reply, _) = oneshot::channel();
        // A full queue wakes the writer as well.
        let _ = self.jobs.try_send(Box::new(Write { alone: false, work: Some(nothing), result: None, reply }));
    }

    /// Tells the writer to end after the queued writes. It does not wait for queues to be dropped: a caller that is
    /// never polled again keeps one.
    pub(super) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
        self.wake();
    }
}

#[cfg(test)]
impl Queue {
    /// Returns the number of queued writes.
    pub(super) fn waiting(&self) -> usize {
        self.jobs.max_capacity() - self.jobs.capacity()
    }
}

pub(super) fn nothing(group: &mut Group<'_>) -> Outcome<()> {
    group.unchanged(())
}

/// Writes a probe, which shows whether writes reach the disk. On a full disk, pages of the file may still be free, and
/// their size decides which write takes them: so it takes single pages, as moves do, and more of them.
pub(super) fn probe(group: &mut Group<'_>) -> Outcome<()> {
    let probes = &mut group.tables.probes;
    for page in 0..PROBE_PAGES {
        probes.insert(page.to_string().as_str(), &[0; PROBE][..])?;
    }
    Ok(())
}

/// The moment at which a transaction last reached the disk, as long as none has failed since.
#[derive(Debug)]
pub(super) struct LastWrite(AtomicI64);

impl LastWrite {
    const NONE: i64 = i64::MIN;

    fn succeeded(&self, now: Timestamp) {
        self.0.store(now.0, Ordering::Release);
    }

    fn failed(&self) {
        self.0.store(LastWrite::NONE, Ordering::Release);
    }

    /// Returns true if that was less than `millis` before `now`.
    pub(super) fn is_within(&self, millis: u64, now: Timestamp) -> bool {
        let last = self.0.load(Ordering::Acquire);
        last != LastWrite::NONE && now.0.abs_diff(last) < millis
    }
}

impl Default for LastWrite {
    fn default() -> LastWrite {
        LastWrite(AtomicI64::new(LastWrite::NONE))
    }
}

/// Starts the writer's thread.
pub(super) fn start(
    database: Arc<Handle>,
    ambient: Ambient,
    listeners: broadcast::Sender<Live>,
    written: Arc<LastWrite>,
) -> std::io::Result<(Queue, thread::JoinHandle<()>)> {
    let (jobs, mut queued) = mpsc::channel::<Box<dyn Job>>(QUEUE);
    let stopping = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopping);
    let thread = thread::Builder::new().name("store-writer".to_owned()).spawn(move || {
        let writer = Writer { database, listeners, written };
        let mut found = Vec::with_capacity(GROUP);
        while queued.blocking_recv_many(&mut found, GROUP) > 0 {
            let (alone, group): (Vec<_>, Vec<_>) = found.drain(..).partition(|job| job.alone());
            writer.carry_out(group, ambient.now());
            for job in alone {
                writer.carry_out(vec![job], ambient.now());
            }
            if stop.load(Ordering::Acquire) {
                queued.close();
            }
        }
    })?;
    Ok((Queue { jobs, stopping }, thread))
}

struct Writer {
    database: Arc<Handle>,
    listeners: broadcast::Sender<Live>,
    written: Arc<LastWrite>,
}

impl Writer {
    /// Runs the jobs in one transaction and answers them.
    fn carry_out(&self, mut group: Vec<Box<dyn Job>>, now: Timestamp) {
        if group.is_empty() {
            return;
        }
        let done = catch_unwind(AssertUnwindSafe(|| transact(&self.database, now, &mut group)));
        let failure = match done {
            Ok(Ok((messages, telling))) => {
                if telling {
                    self.written.succeeded(now);
                }
                live::announce(&self.listeners, messages);
                None
            }
            Ok(Err(error)) => Some(Failure::Transaction(Arc::new(error))),
            Err(panic) => Some(Failure::Panic(text_of(&*panic))),
        };
        if let Some(failure) = &failure {
            tracing::error!(error = failure as &dyn std::error::Error, writes = group.len(), "a group failed");
            self.written.failed();
            self.database.mark_broken();
        }
        for job in group {
            job.answer(failure.clone());
        }
    }
}

fn transact(database: &Handle, now: Timestamp, jobs: &mut [Box<dyn Job>]) -> Outcome<(Vec<Live>, bool)> {
    database.repair()?;
    database.with(|database| {
        let mut transaction = database.begin_write()?;
        // After a crash, a start then need not read the whole file.
        transaction.set_quick_repair(true);
        let Ran { live, changed, telling } = run(&transaction, now, jobs)?;
        if changed {
            transaction.commit()?
        } else {
            transaction.abort()?
        }
        Ok((live, telling))
    })
}

/// The outcome of the writes of a group.
struct Ran {
    live: Vec<Live>,
    /// True if there is anything to commit.
    changed: bool,
    /// True if the success of this group on the disk shows that other writes would succeed.
    telling: bool,
}

fn run(transaction: &WriteTransaction, now: Timestamp, jobs: &mut [Box<dyn Job>]) -> Outcome<Ran> {
    let mut group = Group { tables: Tables::open(transaction)?, live: Vec::new(), now, idle: 0, slight: 0 };
    for job in jobs.iter_mut() {
        job.run(&mut group)?;
    }
    let changed = group.idle < jobs.len();
    if changed {
        expiry::sweep(&mut group)?;
    }
    Ok(Ran { changed, telling: group.idle + group.slight < jobs.len(), live: group.live })
}

fn text_of(panic: &(dyn Any + Send)) -> Arc<str> {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").into()
}
