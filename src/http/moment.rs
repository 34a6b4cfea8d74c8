//! A moment as clients read it: RFC 3339 in UTC, written straight into the answer.

use serde::{Serialize, Serializer};

use crate::ambient::Timestamp;

/// A moment in an answer. In a schema: `#[schema(value_type = String, format = "date-time")]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment(pub Timestamp);

impl From<Timestamp> for Moment {
    fn from(at: Timestamp) -> Moment {
        Moment(at)
    }
}

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.write_rfc3339(&mut [0; Timestamp::TEXT_MAX]).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_as_its_timestamp_writes() {
        for millis in [0, 1, 1_700_000_000_123, 253_402_300_799_999, i64::MAX] {
            let at = Timestamp(millis);
            assert_eq!(serde_json::to_value(Moment(at)).unwrap(), at.rfc3339());
        }
    }
}
