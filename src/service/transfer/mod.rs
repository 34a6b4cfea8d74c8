//! Transfer: carrying matches and players from store to store or into files and back, and examining what is kept.
//!
//! Invariants:
//! - The work here needs memory for a page of things at a time, however many there are.
//! - Each match is carried as it was at one moment; an older one never replaces a newer one.
//! - The report of a fault names the thing and what is wrong, and never what is stored.
//!
//! The command line and the terminal are deliberately absent; they are `sarsen::commands`'. Data that ends within a day
//! or sooner (tickets, buckets, reservations) is not carried; the codes of invites are, since their matches tell of
//! them.

pub mod check;
pub mod export;
mod files;
mod format;
pub mod import;
pub mod migrate;
pub mod sink;
mod walk;

use std::io;

use sarsen_rules::phrases::counted;
use sarsen_store::StoreError;

pub use format::FORMAT;

/// The receiver of progress and faults.
pub trait Witness: Send {
    /// `done` things of a kind are done.
    fn progress(&mut self, kind: &str, done: u64);

    /// Something is wrong with the thing of this name.
    fn fault(&mut self, name: &str, what: &str);
}

/// The reason why something could not be carried or examined to its end.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// A store did not do what was asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be made, read or written.
    #[error("{file}")]
    File {
        /// The path of the file.
        file: String,
        /// The system's error.
        source: io::Error,
    },
    /// The directory does not hold what is needed, or holds something else.
    #[error("{directory} {fault}")]
    Directory {
        /// The path of the directory.
        directory: String,
        /// The fault of the directory.
        fault: String,
    },
    /// The import is older than the contents of the store. Nothing was changed.
    #[error(
        "the store has {} and {} in a newer state, or in another of the same number, such as {first}; nothing was \
         imported",
        counted(*matches, "match", "matches"),
        counted(*players, "player", "players")
    )]
    Older {
        /// The number of matches.
        matches: u64,
        /// The number of players.
        players: u64,
        /// One of them.
        first: String,
    },
    /// The target of a migration is no copy of its source. Nothing was changed.
    #[error(
        "the store to migrate to has the player {player}, whom the first store does not have: it has served, or holds \
         something else; nothing was carried over"
    )]
    NoCopy {
        /// One of its players.
        player: String,
    },
    /// Lists and inboxes of the store did not follow in time.
    #[error(
        "the lists of the store have not caught up; everything is imported, and they will follow while a service runs"
    )]
    Behind,
}

impl TransferError {
    fn file(file: &std::path::Path, source: io::Error) -> TransferError {
        TransferError::File { file: file.display().to_string(), source }
    }

    fn directory(directory: &std::path::Path, fault: impl Into<String>) -> TransferError {
        TransferError::Directory { directory: directory.display().to_string(), fault: fault.into() }
    }
}

/// The number of things of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Amounts {
    /// Players.
    pub players: u64,
    /// Sessions.
    pub sessions: u64,
    /// Revoked sessions that are remembered.
    pub(crate) revocations: u64,
    /// Inboxes that hold something.
    pub inboxes: u64,
    /// Matches.
    pub matches: u64,
}
