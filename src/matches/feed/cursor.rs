//! Cursors: the place of a follower behind an event of a match, or behind a notice of an inbox.
//!
//! Invariant: a cursor from the service names the stamp of the step that the follower was told of, where that has one.
//! So a later read notices that a failover has replaced the step. A cursor without a stamp is trusted. Cursors of older
//! releases have none, and neither has one that a client makes of an event's own id.

use std::fmt;
use std::str::FromStr;

use crate::feed::redacted::{self, EventId};
use sarsen_store::Stamp;

/// Behind this event of a match: `<version>.<index>`, and `.<stamp>` of that version where it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventCursor {
    /// The event.
    pub id: EventId,
    /// The stamp of the version that brought it.
    pub stamp: Option<Stamp>,
}

/// Behind this notice of an inbox: `<number>`, and `.<stamp>` of the step that it names where that is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoticeCursor {
    /// The notice's number, 0 for the beginning.
    pub number: u64,
    /// The stamp of the step that it names.
    pub(crate) stamp: Option<Stamp>,
}

impl fmt::Display for EventCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)?;
        write_stamp(f, self.stamp)
    }
}

impl fmt::Display for NoticeCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)?;
        write_stamp(f, self.stamp)
    }
}

fn write_stamp(f: &mut fmt::Formatter<'_>, stamp: Option<Stamp>) -> fmt::Result {
    stamp.map_or(Ok(()), |stamp| write!(f, ".{stamp}"))
}

impl FromStr for EventCursor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<EventCursor, &'static str> {
        const WRONG: &str = "a cursor is <version>.<index> or <version>.<index>.<stamp>";
        let (version, rest) = text.split_once('.').ok_or(WRONG)?;
        let (index, stamp) = split_stamp(rest).ok_or(WRONG)?;
        let id = format!("{version}.{index}").parse().map_err(|_| WRONG)?;
        Ok(EventCursor { id, stamp })
    }
}

impl FromStr for NoticeCursor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<NoticeCursor, &'static str> {
        const WRONG: &str = "a cursor is <number> or <number>.<stamp>";
        let (number, stamp) = split_stamp(text).ok_or(WRONG)?;
        Ok(NoticeCursor { number: redacted::number(number, 16).ok_or(WRONG)?, stamp })
    }
}

/// Splits a stamp, if there is one, from the text before it.
fn split_stamp(text: &str) -> Option<(&str, Option<Stamp>)> {
    match text.split_once('.') {
        Some((before, stamp)) => Some((before, Some(stamp.parse().ok()?))),
        None => Some((text, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursors_read_back_with_and_without_a_stamp() {
        let (id, stamp) = (EventId { version: 17, index: 2 }, Stamp::from_number(0xab));
        for (cursor, text) in [
            (EventCursor { id, stamp: None }, "17.2"),
            (EventCursor { id, stamp: Some(stamp) }, "17.2.00000000000000ab"),
        ] {
            assert_eq!((cursor.to_string().as_str(), text.parse()), (text, Ok(cursor)));
        }
        for (cursor, text) in [
            (NoticeCursor { number: 17, stamp: None }, "17"),
            (NoticeCursor { number: 17, stamp: Some(stamp) }, "17.00000000000000ab"),
        ] {
            assert_eq!((cursor.to_string().as_str(), text.parse()), (text, Ok(cursor)));
        }
    }

    #[test]
    fn nonsense_is_no_cursor() {
        const STAMP: &str = "00000000000000ab";
        let mut wrong = vec![String::new(), ".".to_owned(), format!(".{STAMP}"), "17.2.".to_owned()];
        for stamp in ["ab", "00000000000000AB", "00000000000000abc", "00000000000000ab.0", "0x000000000000ab", "-"] {
            wrong.push(format!("17.2.{stamp}"));
        }
        for before in ["017.2", "17.02", "-1.0", "+1.0", "1.x", "99999999999999999999.0", "1. 0"] {
            wrong.push(format!("{before}.{STAMP}"));
        }
        for text in &wrong {
            assert!(text.parse::<EventCursor>().is_err(), "{text}");
            assert!(text.parse::<NoticeCursor>().is_err(), "{text}");
        }
        assert!(format!("17.{STAMP}").parse::<EventCursor>().is_err());
        assert!(format!("17.2.{STAMP}").parse::<NoticeCursor>().is_err());
    }
}
