//! Moves of Sacrifice Roulette on the wire.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Array, ArrayBuilder, Object, ObjectBuilder, Type};

use crate::stonehenge::{Card, CardSet, Colour, NUMBER_CARDS, Stone};
use sarsen_rules::tagged_union;

tagged_union! {
    /// A move.
    #[derive(Copy)]
    pub enum Move {
        "place" => Place(Place),
        "roll" => Roll(Roll),
        "reverse" => Reverse(Reverse),
    }
}

/// Puts one of one's own sacrifices into an unoccupied pit, for a trilithon card that was dealt during set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RoulettePlace)]
pub struct Place {
    /// The stone that marks the pit.
    #[schema(examples("N7"))]
    pub(crate) pit: Stone,
}

/// Plays cards of one colour. Only the set of cards and the ending matter; the service works out the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteRoll)]
pub struct Roll {
    /// Trilithon cards, at most two: one turns the direction round before the boulder rolls, two change nothing.
    #[serde(deserialize_with = "trilithons")]
    #[schema(schema_with = trilithons_schema, required)]
    pub(crate) trilithons: CardSet,
    /// Number cards of one colour, at least one.
    #[serde(deserialize_with = "numbers")]
    #[schema(schema_with = numbers_schema, required)]
    pub(crate) cards: CardSet,
    /// The ending of the roll.
    pub(crate) ending: Ending,
}

/// Plays one trilithon card alone; only for a hand without a number card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RouletteReverse)]
pub struct Reverse {
    /// The trilithon card, one of those held.
    #[serde(deserialize_with = "trilithon")]
    #[schema(schema_with = trilithon_schema, required)]
    pub(crate) trilithon: Card,
}

/// The ending of a roll.
///
/// - `stop`: Every card rolls, and none reaches its own number.
/// - `match`: Every card rolls, and only the last reaches its own number: the boulder falls there.
/// - `fall`: All cards but one roll, and none reaches its own number; the remaining one makes the boulder fall.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, EnumString, IntoStaticStr, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
#[schema(as = RouletteEnding)]
pub enum Ending {
    /// Every card rolls, and none reaches its own number.
    Stop,
    /// Every card rolls, and only the last reaches its own number: the boulder falls there.
    Match,
    /// All cards but one roll, and none reaches its own number; the remaining one makes the boulder fall.
    Fall,
}

impl Ending {
    /// All endings, in the order of legal lists.
    pub(crate) const ALL: [Ending; 3] = [Ending::Stop, Ending::Match, Ending::Fall];
}

fn trilithons<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
    let set = CardSet::deserialize(deserializer)?;
    match set.iter().find(|card| !card.is_trilithon()) {
        None => Ok(set),
        Some(card) => Err(D::Error::custom(format_args!("{card} is not a trilithon card"))),
    }
}

fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
    let set = CardSet::deserialize(deserializer)?;
    match set.iter().find(|card| card.is_trilithon()) {
        None => Ok(set),
        Some(card) => Err(D::Error::custom(format_args!("{card} is not a number card"))),
    }
}

fn trilithon<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Card, D::Error> {
    let card = Card::deserialize(deserializer)?;
    if card.is_trilithon() { Ok(card) } else { Err(D::Error::custom(format_args!("{card} is not a trilithon card"))) }
}

const TRILITHON: &str = "^T[WBGYR]$";
const NUMBER: &str = "^[DN]([1-9]|[12][0-9]|30)$";

fn text(pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern))
}

fn set(pattern: &str, most: usize, example: &[&str], description: &str) -> Array {
    ArrayBuilder::new()
        .items(text(pattern))
        .unique_items(true)
        .max_items(Some(most))
        .description(Some(description))
        .examples([example])
        .build()
}

fn trilithons_schema() -> Array {
    let description = "Trilithon cards, at most two: one turns the direction round before the boulder rolls, two change \
                       nothing. Read in any order.";
    set(TRILITHON, Colour::PIECES.len(), &["TW"], description)
}

fn numbers_schema() -> Array {
    let description = "Number cards of one colour, at least one; accepted in any order.";
    set(NUMBER, usize::from(NUMBER_CARDS), &["D5", "N11"], description)
}

fn trilithon_schema() -> Object {
    text(TRILITHON).description(Some("The card.")).examples(["TW"]).build()
}
