//! Checkpoints: states of matches at earlier versions, from which the steps of their logs can be replayed.
//!
//! Invariants: checkpoints are no part of a match. A checkpoint may be missing or forgotten, and an export of a match
//! ([`Inventory`](super::Inventory)) contains none. A reader compares the stamp of a checkpoint with that of the
//! version in the log. Checkpoints are deleted with their match.

use super::Stamp;

/// A state of a match at one version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The version of the match.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// The state; arbitrary bytes.
    pub state: Vec<u8>,
}
