//! The possessions of a person.

use serde::Deserialize;
use serde_tuple::Serialize_tuple;

use super::cards::CardSet;
use crate::henge::components::{BonusCard, Privilege, StoneCard};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize_tuple, Deserialize)]
pub(crate) struct Held {
    #[serde(rename = "s")]
    pub(crate) stone: StoneCard,
    /// Steps along its track.
    #[serde(rename = "a")]
    pub(crate) at: u8,
    /// True if it is carved.
    #[serde(rename = "c")]
    pub(crate) carved: bool,
}

/// The possessions of a person.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub(crate) struct Person {
    pub(crate) coins: u16,
    pub(crate) travel_tokens: u8,
    /// Points scored in play.
    pub(crate) victory_points: u16,
    /// Levels of the privileges, 0 at the start.
    pub(crate) levels: [u8; 5],
    /// Steps on the Luck track.
    pub(crate) luck_steps: u8,
    /// Luck cards in hand.
    pub(crate) hand: CardSet,
    /// Spring cards to choose from.
    pub(crate) offer: CardSet,
    /// The Spring card chosen.
    pub(crate) spring: Option<BonusCard>,
    pub(crate) marks: u8,
    pub(crate) refused: CardSet,
    pub(crate) end_of_game_cards: CardSet,
    /// End-of-game cards dropped since the last reshuffle.
    pub(crate) dropped: CardSet,
    /// Own drops that the last reshuffle brought back into the deck; the owner remembers them.
    pub(crate) returned: CardSet,
    /// End-of-game cards drawn since the last reshuffle.
    pub(crate) end_of_game_drawn: u8,
    /// Uninstalled stones, in the order of gaining them.
    pub(crate) stones: Vec<Held>,
    /// Installed stones, in order.
    pub(crate) installed: Vec<StoneCard>,
}

impl Person {
    /// The level of a privilege, 0 at the start.
    pub(crate) fn level(&self, privilege: Privilege) -> u8 {
        self.levels[privilege.index()]
    }

    /// The uninstalled stone of this card.
    pub(crate) fn held(&self, stone: StoneCard) -> Option<&Held> {
        self.stones.iter().find(|held| held.stone == stone)
    }
}
