//! Lists of matches, which follow the commits: at once in the embedded store, and mostly on one Redis server; in a Redis
//! cluster, where they live in other slots, within seconds even if the committing instance dies, because any instance
//! works through the outbox.

use super::Stage;
use sarsen_base::ids::{MatchId, PlayerId};

/// Which lists a match belongs on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The game's id.
    pub game: String,
    /// How far it has come.
    pub stage: Stage,
    /// Whether strangers see it listed.
    pub public: bool,
    /// Whose lists it is on: the creator and everyone seated. Whoever is missing here is taken off.
    pub players: Vec<PlayerId>,
}

/// Whose list is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ListScope {
    /// All public matches.
    Public,
    /// All matches of this player, private ones too.
    Player(PlayerId),
}

/// How many matches of a list are looked at for those that its reader is shown.
pub const LOOKED_AT: usize = 5000;

/// Who reads a list that is not theirs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListReader(pub Option<PlayerId>);

impl ListReader {
    /// Whether they are shown a match that is listed like this.
    pub(crate) fn is_shown(&self, public: bool, has: impl FnOnce(&PlayerId) -> bool) -> bool {
        public || self.0.as_ref().is_some_and(has)
    }
}

/// A question for a list, newest match first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListQuery {
    /// Whose list.
    pub scope: ListScope,
    /// Only matches at this stage.
    pub stage: Option<Stage>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches with a smaller id than this.
    pub before: Option<MatchId>,
    /// At most so many, 1 to 200; 1 to 1000 where only ids are asked for.
    pub limit: usize,
    /// Only what this reader is shown, where it is somebody's: public matches, and those that are theirs too. Of such a list
    /// no more than the newest [`LOOKED_AT`] are looked at.
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
