//! Players' inboxes, which follow the commits as the lists do.

use sarsen_base::ids::MatchId;

/// A notice in a player's inbox: something happened in a match of theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice {
    /// The notice's number in this inbox, from 1, ascending without gaps.
    pub number: u64,
    /// The match.
    pub match_id: MatchId,
    /// The version whose step it is about.
    pub version: u64,
}

/// A page of a player's inbox. An inbox keeps at least the newest [`INBOX_KEPT`] notices. Those of one match are in the
/// order of its versions, each once; or twice, where a failover had lost a step that was then made again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inbox {
    /// Ascending by number.
    pub notices: Vec<Notice>,
    /// The number of the newest notice of the inbox, 0 while there is none.
    pub newest: u64,
}

/// The minimum number of notices that an inbox keeps.
pub const INBOX_KEPT: u64 = 1000;
