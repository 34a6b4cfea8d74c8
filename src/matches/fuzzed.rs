//! Properties that must hold for any bytes: for the targets in `tests/fuzz` and for a test over their corpora.

use std::fmt::{Debug, Display};
use std::str::FromStr;
use std::sync::LazyLock;

use crate::feed::cursor::{EventCursor, NoticeCursor};
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::rewritten;
use sarsen_base::ids::MatchId;
use sarsen_games::Games;
use sarsen_games::fixture::FIXTURE;
use sarsen_store::AuditPlace;

/// A text that is read as a cursor of any kind is read as the same cursor when it is written again.
pub(crate) fn cursors(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    reads_back::<EventCursor>(text);
    reads_back::<NoticeCursor>(text);
    reads_back::<MatchId>(text);
    reads_back::<AuditPlace>(text);
}

fn reads_back<C: FromStr + Display + PartialEq + Debug>(text: &str) {
    if let Ok(cursor) = text.parse::<C>() {
        assert_eq!(cursor.to_string().parse().ok(), Some(cursor));
    }
}

/// The match whose log the entries are read for: the first line of a fixture.
static MATCH: LazyLock<Result<LiveMatch, Unreadable>> = LazyLock::new(|| {
    let stored = include_str!("../../tests/fixtures/match_form_1.jsonl").lines().next().unwrap_or_default();
    LiveMatch::open(&Games::of(Vec::new()).with(FIXTURE), stored.as_bytes())
});

/// An accepted log entry is written in a form that is read, and written again byte by byte. Accepted JSON itself may have
/// blanks, or properties in another order.
pub(crate) fn log(bytes: &[u8]) {
    assert!(MATCH.is_ok(), "the fixture cannot be read");
    let Ok(of) = &*MATCH else { return };
    for version in [1, 2] {
        if let Ok(written) = rewritten(bytes, version, of) {
            assert_eq!(rewritten(&written, version, of).ok(), Some(written));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_corpora_keep_the_properties() {
        test_kit::corpus::each("cursors", super::cursors);
        test_kit::corpus::each("log", super::log);
    }
}
