//! The reason why an operator does something, in their words.

use std::str::FromStr;

use sarsen_base::text::{self, TextError};

/// The longest reason, in characters.
const REASON_MAX: usize = 500;

/// The reason why an operator does something: cleaned text of 1 to 500 characters. It is in the audit, and nowhere else
/// unless an operation says so; never in the log.
#[derive(Clone, PartialEq, Eq)]
pub struct StatedReason(String);

impl StatedReason {
    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StatedReason {
    type Err = TextError;
    fn from_str(text: &str) -> Result<StatedReason, TextError> {
        text::clean(text, REASON_MAX).map(StatedReason)
    }
}

impl std::fmt::Debug for StatedReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StatedReason")
    }
}
