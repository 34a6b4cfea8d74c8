//! The audit: an append-only log of the actions of operators.
//!
//! Invariant: entries are numbered upwards in the order in which they were appended, and stay until they expire.

use std::fmt;
use std::str::FromStr;

use super::concern::concern;
use super::{Restored, Result};
use sarsen_base::ambient::Timestamp;

/// An entry's place in the audit: the moment at which it was appended, by the store's clock, and its number among those
/// of that millisecond. Places ascend even if the clock goes back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AuditPlace {
    /// Milliseconds since 1970.
    pub millis: u64,
    /// The entry's number within its millisecond, from 0.
    pub number: u64,
}

impl AuditPlace {
    /// Returns the next place within the same millisecond.
    pub fn next(self) -> AuditPlace {
        AuditPlace { number: self.number.saturating_add(1), ..self }
    }

    /// Returns the moment at which the entry was appended.
    pub fn at(self) -> Timestamp {
        Timestamp(i64::try_from(self.millis).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for AuditPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.millis, self.number)
    }
}

/// The error for a text that is not a place in the audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a place of the form milliseconds-number")]
pub struct NoPlace;

impl FromStr for AuditPlace {
    type Err = NoPlace;
    fn from_str(text: &str) -> Result<AuditPlace, NoPlace> {
        let (millis, number) = text.split_once('-').ok_or(NoPlace)?;
        let read = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { digits.parse().map_err(|_| NoPlace) } else { Err(NoPlace) }
        };
        Ok(AuditPlace { millis: read(millis)?, number: read(number)? })
    }
}

concern! {
    /// Keeps the audit.
    pub trait Audit {
        /// Appends an entry and returns its place. Entries older than `keep_seconds` are removed.
        async fn append_audit(&self, entry: Vec<u8>, keep_seconds: u32) -> Result<AuditPlace>;

        /// Writes an entry of another store at its place, unless one is there; in Redis also unless there is a later
        /// one.
        async fn restore_audit(&self, place: AuditPlace, entry: Vec<u8>) -> Result<Restored>;

        /// Returns entries before `before` (of all if `None`), newest first, at most `limit`.
        async fn audit(&self, before: Option<AuditPlace>, limit: usize) -> Result<Vec<(AuditPlace, Vec<u8>)>>;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_back_and_refuse_nonsense() {
        let place = AuditPlace { millis: 1_700_000_000_000, number: 3 };
        assert_eq!(place.to_string().parse(), Ok(place));
        for wrong in ["", "-", "1", "1-", "-1", "+1-0", "1-0-0", "1-x", "99999999999999999999-0"] {
            assert_eq!(wrong.parse::<AuditPlace>(), Err(NoPlace), "{wrong}");
        }
    }
}
