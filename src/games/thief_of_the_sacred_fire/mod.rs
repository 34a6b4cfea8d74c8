//! Thief of the Sacred Fire by Peter Cobcroft: one thief against five druids. Only the order of the deck is hidden.
//!
//! Invariant: [`ThiefOfTheSacredFire`] follows its rules (`rules.md`), which its refusals cite. The druids' part of a
//! turn is a chance step; the service stops at the thief's decision.

mod detection;
mod evaluator;
mod events;
mod figures;
mod game;
mod glossary;
mod graph;
mod legal;
mod moves;
mod narration;
mod notation;
mod options;
mod patrol;
mod picture;
mod reach;
mod space;
mod space_set;
mod state;
#[cfg(test)]
mod tests;
mod turn_flow;
mod view;

pub use detection::Reason;
pub use events::*;
pub use figures::{Druid, Figure};
pub use game::ThiefOfTheSacredFire;
pub use graph::{edges, range};
pub use moves::{ChooseStart, GoTo, Move, StayHere, TakeFire};
pub use options::Options;
pub use reach::Reach;
pub use space::{Space, Spot};
pub use state::{Ending, State};
pub use view::{Phase, ThiefDruidView, ThiefFire, ThiefPawn, ThiefView};

use strum::VariantNames;

use sarsen_rules::{Board, Catalogue, Chance, GameInfo, Glossary, Mode};

impl Catalogue for ThiefOfTheSacredFire {
    const INFO: GameInfo = GameInfo {
        id: "thief_of_the_sacred_fire",
        title: "Thief of the Sacred Fire",
        designer: "Peter Cobcroft",
        min_seats: 1,
        max_seats: 1,
        mode: Mode::Solo,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &[],
    };

    /// A loss counts 0, this one too.
    fn given_up_score(&self) -> Option<i32> {
        Some(0)
    }

    fn board(&self) -> Board {
        graph::board()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
