//! Lists of matches, which follow the commits: at once in the embedded store, and mostly on one Redis server; in a Redis
//! cluster, where they live in other slots, within seconds even if the committing instance dies, because any instance
//! works through the outbox.

use super::Stage;
use crate::ids::{MatchId, PlayerId};

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
