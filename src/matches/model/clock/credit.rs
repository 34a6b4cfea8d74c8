//! Time of a turn, or of a decision, that does not count.

use serde::{Deserialize, Serialize};

use sarsen_base::ambient::Timestamp;

/// Time that does not count: because the service was not there, or because it was given to a first turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeCredit {
    /// How many milliseconds.
    #[serde(rename = "c")]
    milliseconds: i64,
    /// Up to when outages have been made good.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    excused_until: Option<Timestamp>,
}

impl TimeCredit {
    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        *self == TimeCredit::default()
    }

    /// How many milliseconds do not count.
    pub fn milliseconds(self) -> i64 {
        self.milliseconds
    }

    /// Adds so many.
    pub fn add(&mut self, milliseconds: i64) {
        self.milliseconds = self.milliseconds.saturating_add(milliseconds);
    }

    /// Adds so many for outages up to now.
    pub fn excuse(&mut self, milliseconds: i64, now: Timestamp) {
        self.add(milliseconds);
        self.excused_until = Some(now);
    }

    /// From when on outages have not been made good in what began at `began`.
    pub fn unexcused_since(self, began: Timestamp) -> Timestamp {
        self.excused_until.unwrap_or(began)
    }
}
