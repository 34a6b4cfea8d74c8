//! Henge by Rick Holzgrafe: one to five people, with Hengebots three to five players. Which cards there are, and what
//! they do, is data ([`components`]).
//!
//! A turn is several decisions; what is open and what follows is a stack of frames in the [`state`], which the
//! [`turn_flow`] works off.
//!
//! The rooms, each of which knows only those before it: [`components`] (the cards, tracks and slots as data), [`state`]
//! (what a match is between two moves), [`moves`] and [`options`], [`observation`] (views and events, and what each
//! viewer may know of them), [`machine`] (carries out), [`legality`] (says what may be done), [`turn_flow`] (what comes
//! next).
//!
//! Invariant: [`Henge`] follows its rules (`rules.md`), which its refusals cite.

pub(crate) mod board;
pub mod components;
mod evaluator;
mod game;
mod legality;
mod machine;
pub(crate) mod moves;
mod narration;
mod notation;
mod observation;
mod options;
mod picture;
mod prompt;
mod state;
#[cfg(test)]
mod tests;
mod turn_flow;

pub use components::ComponentSets;
pub use game::Henge;
pub use moves::Move;
pub use observation::events::Event;
pub use observation::{
    HengeBonusDeck, HengeBuilt, HengeDeck, HengeEnd, HengeHeld, HengeMat, HengeStage, HengeView, SourceKind,
};
#[cfg(test)]
pub(crate) use observation::{
    HengeBonusDrawsFrame, HengeDiscardFrame, HengeDropFrame, HengeFrame, HengeLuckDrawsFrame,
};
pub(crate) use observation::{HengeScore, events};
pub use options::Options;
#[cfg(test)]
pub(crate) use state::Seating;
pub use state::{Chair, State};

use components::words::glossary;
use components::{Components, SetId};
use machine::scoring;

use serde_json::Value;

use sarsen_rules::{Board, Catalogue, Chance, GameInfo, Glossary, Mode};

impl Henge {
    fn boards_of(&self, set: &Components) -> Vec<Board> {
        board::boards(set, &self.sets.edition(set))
    }
}

impl Catalogue for Henge {
    const INFO: GameInfo = GameInfo {
        id: "henge",
        title: "Henge",
        designer: "Rick Holzgrafe",
        min_seats: 1,
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
        endings: &[scoring::DECK_EMPTIED, scoring::ROUND_LIMIT],
        undo_barriers: &[
            "rondel", "travel", "luck", "income", "draw", "arrive", "quarry", "carve", "druid", "install", "done",
            "discard", "track",
        ],
    };

    fn missing_components(&self, options: &Value) -> Option<String> {
        let set: SetId = serde_json::from_value(options.get("set")?.clone()).ok()?;
        self.sets.find(&set).err().map(|missing| missing.to_string())
    }

    /// The default table, for the fewest players.
    fn board(&self) -> Board {
        self.boards_of(&self.sets.offered()).swap_remove(0)
    }

    fn boards(&self) -> Vec<Board> {
        self.sets.all().flat_map(|set| self.boards_of(set)).collect()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        self.sets.all().map(|set| glossary(set, self.sets.edition(set))).collect()
    }
}
