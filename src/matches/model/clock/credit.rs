//! Time of a turn, or of a decision, that does not count.

use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Timestamp;

/// Time that does not count: because the service was not there, or because it was given to a first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeCredit {
    #[serde(rename = "c")]
    milliseconds: i64,
    /// The time up to which outages are credited.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    excused_until: Option<Timestamp>,
}

impl TimeCredit {
    /// Returns true if nothing is credited.
    pub(crate) fn is_none(&self) -> bool {
        *self == TimeCredit::default()
    }

    /// The time that does not count, in milliseconds.
    pub(crate) fn milliseconds(self) -> i64 {
        self.milliseconds
    }

    /// Adds this many milliseconds.
    pub(crate) fn add(&mut self, milliseconds: i64) {
        self.milliseconds = self.milliseconds.saturating_add(milliseconds);
    }

    /// Adds this many milliseconds for outages up to `now`.
    pub(crate) fn excuse(&mut self, milliseconds: i64, now: Timestamp) {
        self.add(milliseconds);
        self.excused_until = Some(now);
    }

    /// The time from which on outages are not yet credited, in what began at `began`.
    pub(crate) fn unexcused_since(self, began: Timestamp) -> Timestamp {
        self.excused_until.unwrap_or(began)
    }
}
