//! Cards and chits that belong to nobody.

use serde::Deserialize;
use serde_tuple::Serialize_tuple;

use super::cards::CardSet;
use crate::henge::components::{BotCard, LuckCard, Pool, Tile};

/// A pool of reward chits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub struct Chits {
    /// The stack.
    pub stack: CardSet,
    /// Face up, oldest first.
    pub face_up: Vec<Tile>,
    /// Used, in order; they come back when the stack is empty.
    pub used: Vec<Tile>,
}

/// The Luck cards that are in nobody's hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub struct LuckPiles {
    /// The deck.
    pub deck: CardSet,
    /// Discarded in earlier turns, in order.
    pub discards: Vec<LuckCard>,
    /// Played and discarded in this turn, in order (H-22).
    pub spent: Vec<LuckCard>,
    /// In hands since the last reshuffle: everybody saw that they were not shuffled.
    pub held: CardSet,
}

/// The cards that Hengebots draw.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub struct BotPiles {
    /// The deck.
    pub deck: CardSet,
    /// The discards, in order.
    pub discards: Vec<BotCard>,
    /// By place, whether the Carve token lies face up.
    pub carve_token_up: Vec<bool>,
}

/// Index of a pool in [`State::chits`](super::State::chits).
pub(crate) fn pool_index(pool: Pool) -> usize {
    match pool {
        Pool::A => 0,
        Pool::B => 1,
    }
}
