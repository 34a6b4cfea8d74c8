//! Sacrifice Roulette by Jason Bulmahn: two to five players roll a boulder over pits full of each other's sacrifices.
//! Hands and the deck's order are secret; falls and draws are left to chance.
//!
//! Invariant: [`SacrificeRoulette`] follows its rules (`rules.md`), which its refusals cite.

mod evaluator;
mod events;
mod game;
mod glossary;
mod legal;
mod moves;
mod narration;
mod notation;
mod options;
mod picture;
mod state;
#[cfg(test)]
mod tests;
mod track;
mod turn_flow;
mod view;

pub use events::Event;
pub use events::{
    BoulderFell, BoulderRolled, BoulderSetUp, CardsDrawn, CardsRevealed, DeckDepleted, DeckReshuffled, FallCardDrawn,
    Hand, HandsDealt, PitEmptied, SacrificePlaced, SacrificesSetUp, SeatSacrifices, TrilithonsPlayed, TurnBegun,
};
pub use game::SacrificeRoulette;
pub use moves::{Ending, Move, Place};
pub use moves::{Reverse, Roll};
pub use options::Options;
pub use state::State;
pub use state::{Pits, Player, Reshuffle, Stage};
pub use track::Direction;
pub use view::{Phase, Pit, PlayerView, SacrificeRouletteView, ScoringPile};

use crate::stonehenge::printed_board;
use sarsen_rules::{Board, Catalogue, Chance, GameInfo, Glossary, Mode};

impl Catalogue for SacrificeRoulette {
    const INFO: GameInfo = GameInfo {
        id: "sacrifice_roulette",
        title: "Sacrifice Roulette",
        designer: "Jason Bulmahn",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Competitive,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: &[state::ENDING],
        undo_barriers: &["roll", "reverse"],
    };

    fn board(&self) -> Board {
        printed_board()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
