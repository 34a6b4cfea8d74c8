//! The registry of games, one line a game.
//!
//! Invariant: ids are unique. Typed games live in their own folders and know nothing of HTTP, stores or players; the
//! rest of the service sees them only as [`AnyGame`].
//!
//! To add a game, see `crate::rules`.

pub mod absolution;
pub mod common;
pub mod contiguity;
pub mod erased;
#[cfg(test)]
pub(crate) mod fixture;
pub mod henge;
#[cfg(test)]
pub(crate) mod laws;
pub mod sacrifice_roulette;
pub mod stonehenge;
pub mod thief_of_the_sacred_fire;

pub use erased::{
    AnyGame, AnyMove, AnyState, Corrupt, Erased, LegalJson, ListForm, MalformedMove, MoveInput, MoveJson, OptionsError,
    PlayError, PlayedJson, SetUp,
};

/// The games that an instance offers.
pub struct Games {
    games: Vec<&'static dyn AnyGame>,
}

impl Games {
    /// All games of this release.
    pub fn standard() -> Games {
        Games::of(vec![
            &Erased::<contiguity::Contiguity>::GAME,
            &Erased::<absolution::Absolution>::GAME,
            &Erased::<sacrifice_roulette::SacrificeRoulette>::GAME,
            &Erased::<thief_of_the_sacred_fire::ThiefOfTheSacredFire>::GAME,
            &Erased::<henge::Henge>::GAME,
        ])
    }

    /// These games: for tests of the service with games of their own.
    pub fn of(games: Vec<&'static dyn AnyGame>) -> Games {
        Games { games }
    }

    /// The game with this id.
    pub fn find(&self, id: &str) -> Option<&'static dyn AnyGame> {
        self.games.iter().copied().find(|game| game.info().id == id)
    }

    /// Every game, in the order of the registry.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyGame> + '_ {
        self.games.iter().copied()
    }
}
