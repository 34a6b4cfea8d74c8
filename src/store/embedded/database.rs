//! The open database, the reasons why it cannot be opened, and its reopening after a failure.
//!
//! redb refuses everything after an I/O error until the file is opened again, which then recovers to the last commit
//! that is whole on the disk. Invariant: only the writer reopens, never while a transaction runs; meanwhile reads are
//! refused instead of blocked.

use std::cell::RefCell;
use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::{
    Database, DatabaseError, Key, ReadOnlyTable, ReadTransaction, ReadableDatabase, TableDefinition, TableError,
    TableHandle, Value,
};
use sarsen_base::telemetry::caught;

/// Makes a directory that only its owner may use, unless it exists.
pub(super) fn make_private_directory(dir: &Path) -> std::io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// The reason why the embedded store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The directory or the file cannot be made or read.
    #[error("cannot use {} for the data", .path.display())]
    Unusable {
        /// The directory or the file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Others may read the directory, and the store must not change that.
    #[error(
        "{} is open to others (mode {mode:04o}) and {reason}: use a directory inside it, or make it private (chmod 700)",
        .path.display()
    )]
    Exposed {
        /// The directory.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
        /// The reason why it is not made private.
        reason: &'static str,
    },
    /// Another process uses the file.
    #[error("{} is in use by another process; the embedded store serves one process at a time", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A newer release has written the file.
    #[error("{} has layout {found}, and this release knows layouts up to {known}: use a newer release", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The layout of the file.
        found: u64,
        /// The newest layout that this release knows.
        known: u64,
    },
    /// The file is not a file of this store, or it is damaged.
    #[error("{} is not a readable store: {found}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The damaged part.
        found: String,
        /// The error of the database.
        source: Box<redb::Error>,
    },
}

/// The result of work in a transaction.
pub(super) type Outcome<T> = Result<T, redb::Error>;

/// The beginning of the error of a damaged table.
const IN_TABLE: &str = "in the table ";

/// A view of the file at one moment, which notes the table that is read.
pub(super) struct Snapshot {
    transaction: ReadTransaction,
    /// The table that was opened last.
    table: RefCell<String>,
}

impl Snapshot {
    /// Begins a read transaction: a view of the present moment.
    pub(super) fn of(database: &Database) -> Outcome<Snapshot> {
        Ok(Snapshot { transaction: guarded(|| Ok(database.begin_read()?))?, table: RefCell::default() })
    }

    /// Opens a table, as [`ReadTransaction::open_table`] does.
    pub(super) fn open_table<K: Key + 'static, V: Value + 'static>(
        &self,
        table: TableDefinition<'_, K, V>,
    ) -> Result<ReadOnlyTable<K, V>, TableError> {
        let mut name = self.table.borrow_mut();
        name.clear();
        name.push_str(table.name());
        self.transaction.open_table(table)
    }

    /// Runs a read. redb takes a file for whole and panics at a damaged page; the error names the table that was opened
    /// last.
    pub(super) fn read<T>(&self, work: impl FnOnce(&Snapshot) -> Outcome<T>) -> Outcome<T> {
        guarded(|| work(self)).map_err(|error| match error {
            redb::Error::Corrupted(what) if !what.starts_with(IN_TABLE) => {
                redb::Error::Corrupted(format!("{IN_TABLE}{}: {what}", self.table.borrow()))
            }
            other => other,
        })
    }
}

/// Runs work on a file that may be damaged, and turns a panic into an error.
pub(super) fn guarded<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    caught(work).unwrap_or_else(|panicked| Err(redb::Error::Corrupted(format!("a page is damaged ({panicked})"))))
}

/// Opens the database; may be called again.
pub(super) type Opener = Box<dyn Fn() -> Result<Database, DatabaseError> + Send + Sync>;

/// The database, while it is open.
pub(super) struct Handle {
    opener: Opener,
    database: RwLock<Option<Database>>,
    broken: AtomicBool,
}

impl Handle {
    pub(super) fn open(opener: Opener) -> Result<Handle, DatabaseError> {
        let database = opener()?;
        Ok(Handle { opener, database: RwLock::new(Some(database)), broken: AtomicBool::new(false) })
    }

    /// Runs work on the database; refused while it is closed or being opened.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Database) -> Outcome<T>) -> Outcome<T> {
        // A poisoned lock is a reader's panic, which leaves the database as it was.
        let guard = match self.database.try_read() {
            Ok(guard) => guard,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(std::sync::TryLockError::WouldBlock) => return Err(redb::Error::DatabaseClosed),
        };
        work(guard.as_ref().ok_or(redb::Error::DatabaseClosed)?)
    }

    /// Returns true if the database is neither closed nor waiting to be reopened. A long read ends itself when it is
    /// not, because the file cannot be opened while it lasts.
    pub(super) fn is_usable(&self) -> bool {
        let closed = self.database.try_read().is_ok_and(|database| database.is_none());
        !closed && !self.broken.load(Ordering::Acquire)
    }

    /// Asks the writer to reopen the database.
    pub(super) fn mark_broken(&self) {
        self.broken.store(true, Ordering::Release);
    }

    /// Reopens the database if that was asked for. The writer calls it between two transactions.
    pub(super) fn repair(&self) -> Outcome<()> {
        if !self.broken.load(Ordering::Acquire) {
            return Ok(());
        }
        // The old one is closed first: it holds the lock of the file.
        self.close();
        let opened = guarded(|| Ok((self.opener)()?))?;
        *self.database.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(opened);
        self.broken.store(false, Ordering::Release);
        tracing::info!("the embedded store was opened anew");
        Ok(())
    }

    /// Closes the database. redb writes as it closes, and panics where a panic in a damaged page left a lock poisoned.
    pub(super) fn close(&self) {
        let database = self.database.write().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        if let Err(panicked) = caught(|| drop(database)) {
            tracing::error!(%panicked, "the store's file was not closed well; the next start repairs it");
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.close();
    }
}
