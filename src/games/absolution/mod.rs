//! Absolution by Nate Christensen: two to five players against the clock, all win or all lose. Hands and the order of
//! the pile are hidden.
//!
//! Invariant: [`Absolution`] follows its rules (`rules.md`), which its refusals cite.

mod evaluator;
mod events;
mod game;
mod glossary;
mod legal;
mod matching;
mod moves;
mod narration;
mod notation;
mod numbers;
mod options;
mod picture;
mod state;
mod talk;
#[cfg(test)]
mod tests;
mod track;
mod turn_flow;
mod view;

pub use events::Event;
pub use events::{
    AbsolutionEnded, DoomedDruidMoved, ExchangeFieldLaid, FieldCardExchanged, NominationsDiffered, NumberDiskMoved,
    NumberMatched, NumberMissed, NumberTrilithonPlaced, NumberTrilithonRemoved, OpeningHandDealt, ReadinessTold,
    ReplacementsDrawn, Ring, StarterFound, StarterNominated, TrackTurnBegun, WishTold,
};
pub use game::Absolution;
pub use moves::Move;
pub use moves::{Exchange, Nominate, Play};
pub use numbers::NumberSet;
pub use options::{FirstPlayer, Options};
pub use state::{Ending, State};
pub use state::{Player, Step};
pub use talk::Word;
pub use talk::{Ready, Talk, Wish, WishColour};
pub use track::Turn;
pub use track::{Druid, Phase};
pub use view::AbsolutionView;
pub use view::{Nomination, Round, SeatView, TurnView};

use strum::VariantNames;

use crate::stonehenge::printed_board;
use sarsen_rules::{Board, Catalogue, Chance, Edge, GameInfo, Glossary, Mode, Signal};

impl Catalogue for Absolution {
    const INFO: GameInfo = GameInfo {
        id: "absolution",
        title: "Absolution",
        designer: "Nate Christensen",
        min_seats: 2,
        max_seats: 5,
        mode: Mode::Cooperative,
        hidden_information: true,
        chance: Chance::DuringPlay,
        draws: false,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &["nominate", "exchange", "play", "wish", "ready"],
    };

    fn signals(&self) -> &'static [Signal] {
        talk::SIGNALS
    }

    /// The printed board, with the Druid's way joined up.
    fn board(&self) -> Board {
        let mut board = printed_board();
        board.edges.extend(Druid::way().filter(|druid| !druid.on_altar()).map(|druid| Edge {
            from: druid.to_string(),
            to: druid.on().to_string(),
            cost: None,
        }));
        board
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
