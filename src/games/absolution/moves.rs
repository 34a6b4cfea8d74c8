//! What a player can do, as it crosses the wire. Signals have a file of their own.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::talk::{Ready, Wish};
use crate::games::common::Pass;
use crate::games::stonehenge::{Card, CardSet};
use crate::rules::{Seat, tagged_union};

tagged_union! {
    /// A move.
    pub enum Move {
        "nominate" => Nominate(Nominate),
        "exchange" => Exchange(Exchange),
        "play" => Play(Play),
        "pass" => Pass(Pass),
        "wish" => Wish(Wish),
        "ready" => Ready(Ready),
    }
}

/// Nominates a seat to play Day 1, openly and for good in this round of the vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nominate {
    /// The seat nominated; one's own is allowed.
    #[schema(value_type = i64, minimum = 0, maximum = 4, examples(2))]
    pub seat: Seat,
}

/// Swaps a card of the own hand for one of the Exchange Field, once in a turn and before anything is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The card of the own hand.
    #[schema(examples("D7"))]
    pub give: Card,
    /// The card of the Field.
    #[schema(examples("N12"))]
    pub take: Card,
}

/// Plays one or two cards of the own hand that match the number of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// One card of the number's value, or two whose values add up to it or differ by it.
    #[schema(value_type = Vec<Card>, min_items = 1, max_items = 2)]
    pub cards: CardSet,
}
