//! Upkeep: carrying matches and players from store to store or into files and back, and examining what is kept.
//!
//! Invariants:
//! - Whatever runs here needs room for a page of things at a time, however many there are.
//! - Each match is carried as it was at one moment; an older one never replaces a newer one.
//! - What is told of a fault names the thing and what is wrong, and never what is stored.
//!
//! What it deliberately lacks: the command line and the terminal, which are `sarsen::commands`', and what ends within a
//! day or sooner (tickets, buckets, reservations), which is not carried; the codes of invites are, since their matches tell
//! of them. Nor is the audit, whose entries stand for what was done with the store that they are in.

pub mod check;
pub mod export;
mod files;
mod format;
pub mod import;
pub mod migrate;
pub mod sink;
mod walk;

use std::io;

use sarsen_store::StoreError;

pub use format::FORMAT;

/// Who is told how it goes.
pub trait Witness: Send {
    /// So many things of a kind are done.
    fn progress(&mut self, kind: &str, done: u64);

    /// Something is wrong with the thing of this name.
    fn fault(&mut self, name: &str, what: &str);
}

/// Why something could not be carried or examined to its end.
#[derive(Debug, thiserror::Error)]
pub enum UpkeepError {
    /// A store did not do what was asked.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be made, read or written.
    #[error("{file}")]
    File {
        /// Which.
        file: String,
        /// Why not.
        source: io::Error,
    },
    /// The directory does not hold what is needed, or holds something else.
    #[error("{directory} {fault}")]
    Directory {
        /// Which.
        directory: String,
        /// What is wrong with it.
        fault: String,
    },
    /// What is to be imported is older than what is there. Nothing was changed.
    #[error(
        "the store has {matches} matches and {players} players in a newer state, or in another of the same number, such \
         as {first}; nothing was imported"
    )]
    Older {
        /// How many matches.
        matches: u64,
        /// How many players.
        players: u64,
        /// One of them.
        first: String,
    },
    /// Lists and inboxes of the store did not follow in time.
    #[error(
        "the lists of the store have not caught up; everything is imported, and they will follow while a service runs"
    )]
    Behind,
}

impl UpkeepError {
    fn file(file: &std::path::Path, source: io::Error) -> UpkeepError {
        UpkeepError::File { file: file.display().to_string(), source }
    }

    fn directory(directory: &std::path::Path, fault: impl Into<String>) -> UpkeepError {
        UpkeepError::Directory { directory: directory.display().to_string(), fault: fault.into() }
    }
}

/// How many things of each kind there were.
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
