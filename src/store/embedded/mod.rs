//! The embedded store: one file, `sarsen.redb` in the data directory, and one process that uses it.
//!
//! Invariants:
//! - A write is acknowledged once its transaction is on the disk (redb's `Immediate` durability); one writer thread
//!   groups queued writes into one transaction (`writer.rs`).
//! - A read sees one snapshot, at least as new as every write that was acknowledged before it began.
//!
//! Short reads (a match, a session, a page of up to 32 entries) run on the caller's thread: a load takes 4 µs (7 µs
//! while 16 tasks commit; 99.9 % within 0.1 ms), less than the hand-over to a blocking thread and back, which stalls on
//! a busy machine. They wait for no lock that is held during a commit's sync; a page that is not in memory costs one
//! read from the disk. Long reads (200 matches: 0.4 ms) go to tokio's blocking pool.
//!
//! Each commit also records the free pages of the file (redb's quick repair), so that a start after a crash need not
//! read the whole file to find them. That costs a commit a second sync, and the map of pages that it writes: 64 KiB for
//! each GiB of the file; about twice the time of a commit without. A file of 1.2 GB that a kill left behind is open
//! within 0.1 seconds. Builds with debug assertions read all of it nevertheless, which redb does for its own tests.
//!
//! A second process on the same data is deliberately absent (that is where Redis takes over), and so are token buckets
//! that outlive the process.

mod archives;
mod audit;
mod backups;
mod checkpoints;
mod condition;
mod copying;
mod damage;
mod database;
mod due;
mod expiring;
mod expiry;
mod group;
mod inboxes;
mod instances;
mod inventory;
mod items;
mod jobs;
mod layout;
mod leases;
mod lists;
mod live;
mod log;
mod matches;
mod open;
mod plans;
mod player_status;
mod players;
mod pools;
mod ratings;
mod stretches;
mod subscriptions;
#[cfg(test)]
mod tests;
mod writer;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::broadcast;
use tokio::time::{Instant, timeout};

pub use self::database::OpenError;

use self::backups::BackupPlace;
use self::database::{Handle, Outcome, Snapshot};
use self::group::Group;
use self::leases::Leases;
use self::writer::{Failure, LastWrite, Queue};
use super::{Backup, BackupError, Levels, Live, Result, Store, StoreError};
use crate::ratings::StagedRatings;
use sarsen_base::ambient::{Ambient, Timestamp};

/// The time limit of a write, waiting included, after which its outcome counts as unknown.
const PATIENCE: Duration = Duration::from_secs(10);
/// The time limit of [`Store::ready`] for the writer.
const READY_WITHIN: Duration = Duration::from_secs(1);
/// The time for which a write that reached the disk shows that the next one will, in milliseconds.
const SHOWN_FOR: u64 = 10_000;
/// The pause between probes of the disk, after one has failed.
const PROBE_PAUSE: Duration = Duration::from_secs(1);
/// The maximum number of entries that are read on the caller's thread.
const FEW: usize = 32;

/// The embedded store.
pub struct Embedded {
    ambient: Ambient,
    file: PathBuf,
    database: Arc<Handle>,
    backups: BackupPlace,
    writer: Mutex<Option<(Queue, JoinHandle<()>)>>,
    written: Arc<LastWrite>,
    /// The moment at which a probe failed, or began that did not end.
    probe_failed: tokio::sync::Mutex<Option<Instant>>,
    live: broadcast::Sender<Live>,
    levels: Levels,
    leases: Leases,
    staged: Mutex<StagedRatings>,
}

impl Embedded {
    fn start(database: Handle, file: PathBuf, ambient: Ambient) -> std::io::Result<Embedded> {
        let backups = BackupPlace::beside(&file);
        let live = live::channel();
        let database = Arc::new(database);
        let written = Arc::new(LastWrite::default());
        let writer = writer::start(Arc::clone(&database), ambient.clone(), live.clone(), Arc::clone(&written))?;
        Ok(Embedded {
            ambient,
            file,
            database,
            backups,
            writer: Mutex::new(Some(writer)),
            written,
            probe_failed: tokio::sync::Mutex::default(),
            live,
            levels: Levels::default(),
            leases: Leases::default(),
            staged: Mutex::default(),
        })
    }

    fn queue(&self) -> Option<Queue> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().map(|(queue, _)| queue.clone())
    }

    async fn write<T, F>(&self, work: F) -> Result<T>
    where
        F: FnOnce(&mut Group<'_>) -> Outcome<T> + Send + 'static,
        T: Send + 'static,
    {
        let queue = self.queue().ok_or_else(|| unavailable(Failure::Closed))?;
        timeout(PATIENCE, queue.write(work, false)).await.map_err(unavailable)?.map_err(failed)
    }

    /// Succeeds if writes reach the disk. Any client may ask; so it writes nothing while moves show that they do, one
    /// probe runs at a time, and a failed one is followed by a pause.
    async fn probe(&self) -> Result<()> {
        let mut failed = self.probe_failed.lock().await;
        let queue = self.queue().ok_or_else(|| unavailable(Failure::Closed))?;
        if self.written.is_within(SHOWN_FOR, self.ambient.now()) {
            return Ok(());
        }
        if failed.is_some_and(|at| at.elapsed() < PROBE_PAUSE) {
            return Err(unavailable(std::io::Error::other("a write failed a moment ago")));
        }
        *failed = Some(Instant::now());
        queue.write(writer::probe, true).await.map_err(self::failed)?;
        *failed = None;
        Ok(())
    }

    /// Runs a short read on the caller's thread.
    fn read<T>(&self, work: impl FnOnce(&Snapshot) -> Outcome<T>) -> Result<T> {
        let done = read(&self.database, work);
        self.note_failure(done)
    }

    /// Runs a read of up to `entries` entries, on the blocking pool if they are many.
    async fn read_many<T, F>(&self, entries: usize, work: F) -> Result<T>
    where
        F: FnOnce(&Snapshot) -> Outcome<T> + Send + 'static,
        T: Send + 'static,
    {
        if entries <= FEW {
            return self.read(work);
        }
        let database = Arc::clone(&self.database);
        let done = tokio::task::spawn_blocking(move || read(&database, work)).await;
        self.note_failure(done.map_err(unavailable)?)
    }

    fn note_failure<T>(&self, done: Outcome<T>) -> Result<T> {
        done.map_err(|error| {
            if needs_reopening(&error) {
                self.database.mark_broken();
                if let Some(queue) = self.queue() {
                    queue.wake();
                }
            }
            as_told(error)
        })
    }
}

fn read<T>(database: &Handle, work: impl FnOnce(&Snapshot) -> Outcome<T>) -> Outcome<T> {
    database.with(|database| Snapshot::of(database)?.read(work))
}

/// Converts an error for the caller.
fn as_told(error: redb::Error) -> StoreError {
    refused(&error).unwrap_or_else(|| unavailable(error))
}

fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// Returns the error as one that a retry does not help, if it is one.
fn refused(error: &redb::Error) -> Option<StoreError> {
    use redb::Error::{Corrupted, TableDoesNotExist, TableTypeMismatch, TypeDefinitionChanged};
    matches!(error, Corrupted(_) | TableDoesNotExist(_) | TableTypeMismatch { .. } | TypeDefinitionChanged { .. })
        .then(|| StoreError::Corrupt(error.to_string()))
}

fn needs_reopening(error: &redb::Error) -> bool {
    matches!(error, redb::Error::Io(_) | redb::Error::PreviousIo | redb::Error::LockPoisoned(_))
}

fn failed(failure: Failure) -> StoreError {
    match &failure {
        Failure::Transaction(error) => refused(error).unwrap_or_else(|| unavailable(failure)),
        Failure::Panic(_) | Failure::Closed => unavailable(failure),
    }
}

#[async_trait]
impl Store for Embedded {
    fn live(&self) -> broadcast::Receiver<Live> {
        self.live.subscribe()
    }

    fn now(&self) -> Timestamp {
        self.ambient.now()
    }

    async fn used(&self) -> Result<Option<f64>> {
        self.disk_used().await
    }

    async fn ready(&self) -> Result<()> {
        timeout(READY_WITHIN, self.probe()).await.unwrap_or_else(|late| Err(unavailable(late)))
    }

    async fn back_up(&self) -> Result<Backup, BackupError> {
        backups::make_one(self).await
    }

    async fn close(&self) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((queue, thread)) = writer else { return };
        queue.stop();
        let database = Arc::clone(&self.database);
        let ended = tokio::task::spawn_blocking(move || {
            let ended = thread.join();
            database.close();
            ended
        });
        // A hanging disk must not keep the process from ending.
        if !matches!(timeout(PATIENCE, ended).await, Ok(Ok(Ok(())))) {
            tracing::error!("the store's writer did not end well");
        }
    }
}
