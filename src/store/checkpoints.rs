//! Checkpoints: states of matches at earlier versions, from which steps of their logs can be taken again.
//!
//! Invariants: they are no part of a match. One may be missing or be forgotten, and none goes where the match goes
//! elsewhere ([`Inventory`](super::Inventory)); whoever finds one compares its stamp with that of the version in the log.
//! With the match they are deleted.

use super::Stamp;

/// A state of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// At which version.
    pub version: u64,
    /// The stamp of that version.
    pub stamp: Stamp,
    /// The state; arbitrary bytes.
    pub state: Vec<u8>,
}
