//! Contiguity by Rich Hutnik: two players, six pieces each, first to connect them all. Nothing is hidden.
//!
//! Invariant: [`Contiguity`] follows its rules (`rules.md`), which its refusals cite.

mod evaluator;
mod events;
mod game;
mod glossary;
mod legal;
mod lines;
mod moves;
mod narration;
mod notation;
mod options;
mod picture;
mod position;
mod state;
#[cfg(test)]
mod tests;
mod trail;
mod turn_flow;
mod view;

pub use events::{
    BidMade, BiddingPassed, ColoursDrawn, DisksSetUp, Event, OpeningBidderDrawn, OrderChosen, PieceMoved,
};
pub use game::Contiguity;
pub use lines::{Direction, Jump, Kind};
pub use moves::{Bid, BidTurns, ChooseOrder, Move, MovePiece, TurnOrder};
pub use options::Options;
pub use position::{Colour, Position};
pub use state::{Ending, State};
pub use view::{ContiguityBid, ContiguityView, Phase};

use strum::VariantNames;

use crate::stonehenge::outer_ring;
use sarsen_rules::{Board, Catalogue, Chance, GameInfo, Glossary, Mode};

impl Catalogue for Contiguity {
    const INFO: GameInfo = GameInfo {
        id: "contiguity",
        title: "Contiguity",
        designer: "Rich Hutnik",
        min_seats: 2,
        max_seats: 2,
        mode: Mode::Competitive,
        hidden_information: false,
        chance: Chance::SetUp,
        draws: true,
        rules_version: 1,
        state_version: 1,
        notation: notation::NOTATION,
        summary: include_str!("summary.md"),
        rules: include_str!("rules.md"),
        endings: <Ending as VariantNames>::VARIANTS,
        undo_barriers: &[],
    };

    fn board(&self) -> Board {
        outer_ring()
    }

    fn glossaries(&self) -> Vec<Glossary> {
        vec![glossary::glossary()]
    }
}
