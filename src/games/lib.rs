//! The registry of games, one line a game.
//!
//! Invariant: id and rules version together are unique. Typed games live in their own folders, or in other crates, and
//! know nothing of HTTP, stores or players; the rest of the service sees them only as [`AnyGame`].
//!
//! A match pins the version of the rules by which it began. Its moves, history, record and pictures are all made by the
//! game that [`Games::find`] has for that version. So a game comes with the earlier versions that it still plays
//! ([`Catalogue::earlier`](sarsen_rules::Catalogue::earlier)).
//!
//! The crate's first page says how to add a game.

pub mod absolution;
pub mod bots;
pub(crate) mod common;
pub mod contiguity;
pub(crate) mod erased;
#[cfg(any(test, feature = "testing"))]
#[expect(clippy::unwrap_used, reason = "a game for tests only")]
pub mod fixture;
#[cfg(any(test, feature = "testing"))]
pub mod fuzzed;
pub mod henge;
#[cfg(any(test, feature = "testing"))]
pub mod laws;
#[cfg(test)]
mod narration_tests;
pub mod pictures;
#[cfg(test)]
mod rulebook_tests;
pub mod sacrifice_roulette;
pub mod stonehenge;
pub mod thief_of_the_sacred_fire;
#[cfg(test)]
mod undo_barriers;

use std::sync::Arc;

use crate::pictures::Picture;

pub use erased::{
    AnyGame, AnyMove, AnyState, Corrupt, Erased, GameEvent, ListForm, MalformedMove, MoveInput, MoveJson, MoveMade,
    NotDrawn, OptionsError, PlayError, PlayedJson, SeatObservation, Sitting, unquoted,
};

/// The operator's settings for the games of an instance.
#[derive(Clone, Default)]
pub struct GameSettings {
    /// Henge's component sets.
    pub henge_components: henge::ComponentSets,
}

/// The games that an instance offers.
pub struct Games {
    games: Vec<Arc<dyn AnyGame>>,
}

impl Games {
    /// All games of this release.
    pub fn standard(settings: GameSettings) -> Games {
        Games::of(Vec::new())
            .with(contiguity::Contiguity)
            .with(absolution::Absolution)
            .with(sacrifice_roulette::SacrificeRoulette)
            .with(thief_of_the_sacred_fire::ThiefOfTheSacredFire)
            .with(henge::Henge::new(settings.henge_components))
    }

    /// These games, later rules versions behind earlier ones or before them: for services with games of their own.
    pub fn of(games: Vec<Arc<dyn AnyGame>>) -> Games {
        games.into_iter().fold(Games { games: Vec::new() }, Games::and)
    }

    /// These games and `game`, by its newest rules and by the earlier ones that it still plays; each takes the place of one
    /// with the same id and rules version.
    #[must_use]
    pub fn with(self, game: impl Picture) -> Games {
        let earlier = game.earlier().into_iter();
        let games = earlier.fold(self, |games, earlier| games.and(Arc::new(Erased::new(earlier))));
        games.and(Arc::new(Erased::new(game)))
    }

    fn and(mut self, game: Arc<dyn AnyGame>) -> Games {
        let pinned = |game: &Arc<dyn AnyGame>| (game.info().id, game.info().rules_version);
        match self.games.iter_mut().find(|known| pinned(known) == pinned(&game)) {
            Some(known) => *known = game,
            None => self.games.push(game),
        }
        self
    }

    /// The newest rules version of the game with this id: what new matches are played by.
    pub fn newest(&self, id: &str) -> Option<&Arc<dyn AnyGame>> {
        self.games.iter().filter(|game| game.info().id == id).max_by_key(|game| game.info().rules_version)
    }

    /// The ids of all games, in the order of the registry.
    pub fn ids(&self) -> Vec<&'static str> {
        self.iter().map(|game| game.info().id).collect()
    }

    /// The game with this id in this rules version: what a match that pinned it is played by.
    pub fn find(&self, id: &str, rules_version: u32) -> Option<&Arc<dyn AnyGame>> {
        self.games.iter().find(|game| (game.info().id, game.info().rules_version) == (id, rules_version))
    }

    /// Every game in its newest rules version, in the order of the registry.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn AnyGame>> {
        self.games.iter().filter(|game| self.newest(game.info().id).is_some_and(|newest| Arc::ptr_eq(newest, game)))
    }
}
