//! Table talk (AB-36): the two signals that a seat may send without a turn, and those that still count.
//!
//! Invariant: nothing here changes the game. For those who join late, a seat's last wish is kept until a turn of its
//! own is over, be it the present one. Its words are kept for numbers whose turn is not over.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use strum::{Display, EnumString, VariantNames};
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{Array, ArrayBuilder};

use super::numbers::NumberSet;
use super::track::{Phase, Turn};
use crate::stonehenge::Number;
use sarsen_rules::{Signal, SignalValues};

/// The number of signals that a seat may send in each turn of the track, and in the vote.
pub(crate) const LIMIT: u8 = 10;

/// The number of different things that one wish may name.
pub(crate) const MOST_WISHES: usize = 5;

/// The section of the rules on what a wish may name.
pub(crate) const WISH: &str = "6.2";

/// The section of the rules on what a seat may say about its hand for a number.
pub(crate) const READY: &str = "6.3";

/// A colour to wish for. There is no black trilithon card, so black cannot be wished for.
///
/// - `white`: 1 7 13 19 25.
/// - `blue`: 2 8 14 20 26.
/// - `green`: 3 9 15 21 27.
/// - `yellow`: 4 10 16 22 28.
/// - `red`: 5 11 17 23 29.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Display,
    EnumString,
    VariantNames,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = AbsolutionWishColour)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum WishColour {
    White,
    Blue,
    Green,
    Yellow,
    Red,
}

/// The quality of a hand for a number.
///
/// - `great`: Well.
/// - `fair`: Neither well nor badly.
/// - `poor`: Badly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString, VariantNames, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = AbsolutionWord)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Word {
    Great,
    Fair,
    Poor,
}

/// A signal: what this seat would like to see in the Exchange Field. One to five different things in all, numbers and
/// colours, but never a particular card.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionWish)]
pub struct Wish {
    /// The numbers wished for.
    pub numbers: NumberSet,
    /// Colours wished for, in the order white, blue, green, yellow, red; read in any order.
    #[serde(deserialize_with = "different")]
    #[schema(schema_with = different_colours)]
    pub colours: Vec<WishColour>,
}

fn different<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<WishColour>, D::Error> {
    let mut colours = Vec::<WishColour>::deserialize(deserializer)?;
    colours.sort_unstable();
    if colours.windows(2).any(|two| two[0] == two[1]) {
        return Err(D::Error::custom("a colour is named twice"));
    }
    Ok(colours)
}

/// The schema of different colours. [`WishColour`] itself comes into the document with the event that tells a wish.
fn different_colours() -> Array {
    ArrayBuilder::new()
        .items(Ref::from_schema_name(<WishColour as ToSchema>::name()))
        .unique_items(true)
        .max_items(Some(WishColour::VARIANTS.len()))
        .description(Some(
            "Different colours. Written in the order white, blue, green, yellow, red; accepted in any order.",
        ))
        .build()
}

/// A signal: how this seat stands for a number whose turn is not over yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AbsolutionReady)]
pub struct Ready {
    /// The phase of the turn: Day or Night.
    pub phase: Phase,
    /// The number that the signal is about.
    pub number: Number,
    /// The quality of the seat's hand for it.
    pub word: Word,
}

impl Ready {
    /// The turn it is about.
    pub const fn turn(self) -> Turn {
        Turn::of(self.phase, self.number)
    }
}

/// The signals of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Talk {
    /// The number of signals that it has sent in this turn, or in the vote.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) sent: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) wish: Option<Wish>,
    /// Its words for turns that are not over, in the order of the turns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ready: Vec<Ready>,
}

fn is_zero(sent: &u8) -> bool {
    *sent == 0
}

impl Talk {
    /// Returns how many signals the seat may still send.
    pub(crate) fn left(&self) -> u8 {
        LIMIT.saturating_sub(self.sent)
    }

    /// Keeps a wish in place of the last one.
    pub(crate) fn wish(&mut self, wish: Wish) {
        self.sent += 1;
        self.wish = Some(wish);
    }

    /// Keeps a word in place of the last one for the same number.
    pub(crate) fn ready(&mut self, ready: Ready) {
        self.sent += 1;
        self.ready.retain(|earlier| earlier.turn() != ready.turn());
        self.ready.push(ready);
        self.ready.sort_unstable_by_key(|ready| ready.turn());
    }

    /// The vote or a turn of the track is over, and `turn` begins; `own` if it was this seat's turn.
    pub(crate) fn move_on(&mut self, turn: Turn, own: bool) {
        self.sent = 0;
        self.ready.retain(|ready| ready.turn() >= turn);
        if own {
            self.wish = None;
        }
    }
}

const SCOPE: &str = "each seat, wish and ready together, in each turn of the track and in the vote";

pub(crate) const SIGNALS: &[Signal] = &[
    Signal {
        kind: "wish",
        meaning: "What this seat would like to see in the Exchange Field: one to five different things, numbers and \
                  colours together, never a card.",
        notation: "wish 14 blue",
        values: &[
            SignalValues {
                field: "numbers",
                meaning: "Numbers.",
                words: &[],
                minimum: Some(1),
                maximum: Some(30),
                fewest: 0,
                most: 5,
            },
            SignalValues {
                field: "colours",
                meaning: "Colours.",
                words: WishColour::VARIANTS,
                minimum: None,
                maximum: None,
                fewest: 0,
                most: 5,
            },
        ],
        limit: LIMIT,
        limit_scope: SCOPE,
    },
    Signal {
        kind: "ready",
        meaning: "How this seat stands for a number whose turn is not over yet.",
        notation: "ready day 2 great",
        values: &[
            SignalValues {
                field: "phase",
                meaning: "The first or second time round the track.",
                words: Phase::VARIANTS,
                minimum: None,
                maximum: None,
                fewest: 1,
                most: 1,
            },
            SignalValues {
                field: "number",
                meaning: "The number.",
                words: &[],
                minimum: Some(1),
                maximum: Some(30),
                fewest: 1,
                most: 1,
            },
            SignalValues {
                field: "word",
                meaning: "How this seat stands.",
                words: Word::VARIANTS,
                minimum: None,
                maximum: None,
                fewest: 1,
                most: 1,
            },
        ],
        limit: LIMIT,
        limit_scope: SCOPE,
    },
];
