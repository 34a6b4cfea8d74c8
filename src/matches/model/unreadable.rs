//! The error of stored data that cannot be read.
//!
//! Invariant: of an error of JSON no value is kept that was read, for it may be secret.

use std::error::Error;

use sarsen_games::{Corrupt, unquoted};

/// Stored data of a match that this release cannot read or write, or that is not what it must be. No request is at
/// fault.
#[derive(Debug, thiserror::Error)]
#[error("a stored value cannot be read")]
pub struct Unreadable(#[source] Box<dyn Error + Send + Sync>);

impl Unreadable {
    /// Because of this error, or because of what this sentence says. Of an error of JSON nothing is kept that was read.
    pub(crate) fn new(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Unreadable {
        Unreadable(unquoted(cause.into()))
    }

    /// The error of a match whose components are not installed here.
    pub(crate) fn without_components(missing: String) -> Unreadable {
        Unreadable(MissingComponents(missing).into())
    }

    /// Returns true if nothing is wrong but that components are not installed here.
    pub fn lacks_components(&self) -> bool {
        self.0.is::<MissingComponents>()
    }

    /// A move of a log that is none. What it is instead is not said: it may be secret.
    pub(crate) fn logged_move() -> Unreadable {
        Unreadable::new("a logged move cannot be read")
    }

    /// A game that waits for nobody.
    pub(crate) fn stuck() -> Unreadable {
        Unreadable::new("the game is neither over nor waiting for a present player")
    }
}

/// Components that a match is played with and that are not here, in a sentence for operators.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct MissingComponents(String);

impl From<serde_json::Error> for Unreadable {
    fn from(error: serde_json::Error) -> Unreadable {
        Unreadable::new(error)
    }
}

impl From<Corrupt> for Unreadable {
    fn from(corrupt: Corrupt) -> Unreadable {
        Unreadable::new(corrupt)
    }
}
