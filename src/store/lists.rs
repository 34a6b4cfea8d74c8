//! Lists of matches, which follow the commits: at once in the embedded store, and mostly on one Redis server. In a
//! Redis cluster they live in other slots and follow within seconds, even if the committing instance dies, because any
//! instance works through the outbox.

use serde::{Deserialize, Serialize};

use super::Stage;
use sarsen_base::ids::{MatchId, PlayerId};

/// The lists that a match belongs on. The names are those of its stored form in Redis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Listing {
    /// The game's id.
    #[serde(rename = "g")]
    pub game: String,
    /// The stage of the match.
    #[serde(rename = "s")]
    pub stage: Stage,
    /// True if the match is on the public list.
    #[serde(rename = "u")]
    pub public: bool,
    /// The players whose lists it is on: the creator and everyone seated. It is removed from the lists of all others.
    #[serde(rename = "p")]
    pub players: Vec<PlayerId>,
}

/// The owner of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListScope {
    /// All public matches.
    Public,
    /// All matches of this player, private ones too.
    Player(PlayerId),
}

/// The maximum number of matches of a list that are searched for those that its reader is shown.
pub(crate) const LOOKED_AT: usize = 5000;

/// The reader of a list that is not theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListReader(pub Option<PlayerId>);

impl ListReader {
    /// Returns true if the reader is shown a match that is listed like this.
    pub(crate) fn is_shown(&self, public: bool, has: impl FnOnce(&PlayerId) -> bool) -> bool {
        public || self.0.as_ref().is_some_and(has)
    }
}

/// A question for a list, newest match first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListQuery {
    /// The owner of the list.
    pub scope: ListScope,
    /// Only matches at this stage.
    pub stage: Option<Stage>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with a smaller id than this.
    pub before: Option<MatchId>,
    /// The maximum number of matches, 1 to 200; 1 to 1000 where only ids are asked for.
    pub limit: usize,
    /// Only matches that this reader is shown, for a reader of another player's list: public matches, and those that
    /// are theirs too. Only the newest [`LOOKED_AT`] of such a list are searched.
    pub seen_by: Option<ListReader>,
}

/// A match on a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedMatch {
    /// Its id.
    pub id: MatchId,
    /// The match, as the last commit gave it.
    pub stored: Vec<u8>,
    /// Its version.
    pub version: u64,
}
