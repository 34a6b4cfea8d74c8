//! Cards and chits that belong to nobody.

use serde::Deserialize;
use serde_tuple::Serialize_tuple;

use super::cards::CardSet;
use crate::henge::components::{BotCard, LuckCard, Pool, Tile};

/// A pool of reward chits.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub(crate) struct Chits {
    pub(crate) stack: CardSet,
    /// Face up, oldest first.
    pub(crate) face_up: Vec<Tile>,
    /// Used, in order; they come back when the stack is empty.
    pub(crate) used: Vec<Tile>,
}

/// The Luck cards that are in nobody's hand.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub(crate) struct LuckPiles {
    pub(crate) deck: CardSet,
    /// Discarded in earlier turns, in order.
    pub(crate) discards: Vec<LuckCard>,
    /// Played and discarded in this turn, in order (H-22).
    pub(crate) spent: Vec<LuckCard>,
    /// In hands since the last reshuffle: everybody saw that they were not shuffled.
    pub(crate) held: CardSet,
}

/// The cards that Hengebots draw.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize_tuple, Deserialize)]
pub(crate) struct BotPiles {
    pub(crate) deck: CardSet,
    /// The discards, in order.
    pub(crate) discards: Vec<BotCard>,
    /// By place, whether the Carve token lies face up.
    pub(crate) carve_token_up: Vec<bool>,
}

/// Index of a pool in [`State::chits`](super::State::chits).
pub(crate) fn pool_index(pool: Pool) -> usize {
    match pool {
        Pool::A => 0,
        Pool::B => 1,
    }
}
