//! A moment as clients read it: RFC 3339 in UTC, written straight into the answer.

use serde::{Serialize, Serializer};

use sarsen_base::ambient::{Timestamp, rfc3339};

/// A moment in an answer. In a schema: `#[schema(value_type = String, format = "date-time")]`.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub Timestamp);

impl Serialize for Moment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        rfc3339::serialize(&self.0, serializer)
    }
}

/// The moment as RFC 3339 in UTC, with all three digits behind its seconds, so that texts can be compared.
pub(crate) fn to_the_millisecond(moment: Timestamp) -> String {
    let millis = moment.0.rem_euclid(1000);
    let mut room = [0; Timestamp::TEXT_MAX];
    let whole = Timestamp(moment.0.saturating_sub(millis)).write_rfc3339(&mut room).unwrap_or_default();
    let mut text = String::with_capacity(Timestamp::TEXT_MAX);
    text.push_str(whole.strip_suffix('Z').unwrap_or_default());
    text.push('.');
    text.extend([millis / 100, millis / 10 % 10, millis % 10].map(|digit| char::from(b'0' + digit as u8)));
    text.push('Z');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc_with_their_milliseconds() {
        let written = |millis| serde_json::to_value(Moment(Timestamp(millis))).unwrap();
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(1_700_000_000_000), "2023-11-14T22:13:20Z");
        assert_eq!(written(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
        assert_eq!(written(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
        assert_eq!(written(i64::MAX), "", "beyond the calendar");
    }
}
