//! Moves of Absolution on the wire. Signals have a file of their own.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{Array, ArrayBuilder};

use super::talk::{Ready, Wish};
use crate::common::Pass;
use crate::stonehenge::{Card, CardSet};
use sarsen_rules::{Seat, tagged_union};

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

/// Nominates a seat to play Day 1. The nomination is open, and final for this round of the vote.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Nominate {
    /// The seat nominated; one's own is allowed.
    #[schema(examples(2))]
    pub(crate) seat: Seat,
}

/// Swaps a card of one's own hand for one in the Exchange Field: once a turn, before anything is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The card given from one's own hand.
    #[schema(examples("D7"))]
    pub(crate) give: Card,
    /// The card taken from the Field.
    #[schema(examples("N12"))]
    pub(crate) take: Card,
}

/// Plays one or two cards of one's own hand that match the number of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// One card of the number's value, or two whose values add up to it or differ by it.
    #[schema(schema_with = one_or_two_cards)]
    pub cards: CardSet,
}

/// The schema of the cards of a match. [`Card`] itself comes into the document with the exchange.
fn one_or_two_cards() -> Array {
    ArrayBuilder::new()
        .items(Ref::from_schema_name(<Card as ToSchema>::name()))
        .unique_items(true)
        .min_items(Some(1))
        .max_items(Some(2))
        .description(Some(
            "One card of the number's value, or two whose values add up to it or differ by it. In board order; read in \
             any.",
        ))
        .build()
}
