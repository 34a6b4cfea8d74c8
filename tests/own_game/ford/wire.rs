//! Types that cross the wire: options, moves, events, and what one viewer may know.

use sarsen::rules::{Seat, tagged_union};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::card::Card;

/// The options of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FordOptions {
    /// The number of cards of a hand.
    #[schema(minimum = 2, maximum = 5)]
    pub hand: u8,
}

impl Default for FordOptions {
    fn default() -> FordOptions {
        FordOptions { hand: 3 }
    }
}

tagged_union! {
    /// A move.
    pub enum Move {
        "lay" => Lay(Lay),
        "drown" => Drown(Drown),
    }
}

/// Lays a card that is higher than the one on top, and steps forward.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lay {
    /// The card.
    #[schema(value_type = String, pattern = "^F([1-9]|[12][0-9]|30)$")]
    pub card: Card,
}

/// Drowns a card in secret and washes the pile away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Drown {
    /// The card.
    #[schema(value_type = String, pattern = "^F([1-9]|[12][0-9]|30)$")]
    pub card: Card,
}

tagged_union! {
    /// Something that happened.
    pub enum Event {
        "ford_hand_dealt" => HandDealt(FordHandDealt),
        "ford_card_laid" => CardLaid(FordCardLaid),
        "ford_card_drowned" => CardDrowned(FordCardDrowned),
        "ford_card_drawn" => CardDrawn(FordCardDrawn),
    }
}

/// A seat was dealt its hand.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FordHandDealt {
    /// The seat.
    pub seat: Seat,
    /// The cards; null for those who may not know them.
    #[schema(value_type = Option<Vec<String>>, required)]
    pub cards: Option<Vec<Card>>,
}

/// A seat laid a card and stepped forward.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FordCardLaid {
    /// The seat.
    pub seat: Seat,
    /// The card.
    #[schema(value_type = String)]
    pub card: Card,
    /// The number of the place where its walker stands now.
    #[schema(minimum = 1, maximum = 8)]
    pub place: u8,
}

/// A seat drowned a card, and the pile was washed away.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FordCardDrowned {
    /// The seat.
    pub seat: Seat,
    /// The card; null for those who may not know it.
    #[schema(value_type = Option<String>, required)]
    pub card: Option<Card>,
}

/// A seat drew a card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FordCardDrawn {
    /// The seat.
    pub seat: Seat,
    /// The card; null for those who may not know it.
    #[schema(value_type = Option<String>, required)]
    pub card: Option<Card>,
}

/// The part of a match that one viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct FordView {
    /// The seat on turn, or the one that has won by stepping onto the far bank.
    pub turn: Seat,
    /// The card on top of the pile; null if it has been washed away, or nothing has been laid.
    #[schema(value_type = Option<String>, required)]
    pub top: Option<Card>,
    /// All cards that have been laid, in order.
    #[schema(value_type = Vec<String>)]
    pub laid: Vec<Card>,
    /// The number of cards in the deck.
    #[schema(maximum = 30)]
    pub deck_size: usize,
    /// The deck, its top last; null before the end.
    #[schema(value_type = Option<Vec<String>>, required)]
    pub deck: Option<Vec<Card>>,
    /// The walkers, in seat order.
    pub walkers: Vec<FordWalker>,
}

/// The part of a walker that one viewer may know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct FordWalker {
    /// The number of the place where it stands: 0 is the near bank, 8 the far bank.
    #[schema(maximum = 8)]
    pub place: u8,
    /// The number of cards in its hand.
    #[schema(maximum = 5)]
    pub hand_size: usize,
    /// The hand in ascending order; null for those who may not know it.
    #[schema(value_type = Option<Vec<String>>, required)]
    pub hand: Option<Vec<Card>>,
    /// The number of cards that it has drowned.
    #[schema(maximum = 30)]
    pub drowned_size: usize,
    /// The cards that it has drowned, in order; null for those who may not know them.
    #[schema(value_type = Option<Vec<String>>, required)]
    pub drowned: Option<Vec<Card>>,
}
