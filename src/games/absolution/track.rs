//! The track: 60 turns, Day 1 to 30 and Night 1 to 30, and the numbers and the Druid on or beside it.
//!
//! Invariant: a [`Turn`] is on the track, a [`Druid`] on one of the 19 bluestones or on the altar.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};
use utoipa::ToSchema;

use crate::stonehenge::{BLUESTONES, Colour, NUMBERS, Number};

/// Half of the track.
///
/// - `day`: The first time round.
/// - `night`: The second time round.
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
#[schema(as = AbsolutionPhase)]
pub enum Phase {
    /// The first time round.
    Day,
    /// The second time round.
    Night,
}

impl Phase {
    /// As a title of a turn has it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Phase::Day => "Day",
            Phase::Night => "Night",
        }
    }
}

/// One of the 60 turns, in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Turn(u8);

impl Turn {
    /// Day 1.
    pub(crate) const FIRST: Turn = Turn(0);

    /// The turn on `number` in `phase`.
    pub const fn of(phase: Phase, number: Number) -> Turn {
        match phase {
            Phase::Day => Turn(number.column()),
            Phase::Night => Turn(NUMBERS + number.column()),
        }
    }

    /// Returns how many turns lie before it: 0 (Day 1) to 59 (Night 30).
    pub const fn index(self) -> u8 {
        self.0
    }

    pub(crate) const fn phase(self) -> Phase {
        if self.0 < NUMBERS { Phase::Day } else { Phase::Night }
    }

    /// The number that is played on.
    pub(crate) const fn number(self) -> Number {
        Number::in_column(self.0)
    }

    /// The turn after it; `None` after Night 30. There is no break between Day and Night (AB-03).
    pub(crate) const fn next(self) -> Option<Turn> {
        if self.0 + 1 < NUMBERS * 2 { Some(Turn(self.0 + 1)) } else { None }
    }
}

impl TryFrom<u8> for Turn {
    type Error = &'static str;
    fn try_from(index: u8) -> Result<Turn, &'static str> {
        if index < NUMBERS * 2 { Ok(Turn(index)) } else { Err("the track has 60 turns") }
    }
}

impl From<Turn> for u8 {
    fn from(turn: Turn) -> u8 {
        turn.0
    }
}

/// Returns whether `number` is black: no disks, no trilithon card, but room for a trilithon.
pub(crate) fn is_black(number: Number) -> bool {
    number.colour() == Colour::Black
}

/// The place where the Druid stands: `B1` to `B19` or `altar`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(as = AbsolutionDruid, value_type = String, pattern = "^(B([1-9]|1[0-9])|altar)$", examples("B1"))]
pub struct Druid(u8);

impl Druid {
    /// The first bluestone, B1 (AB-20).
    pub const START: Druid = Druid(1);
    /// The final bluestone, B19, where he is still safe (AB-21).
    #[cfg(test)]
    pub(crate) const LAST: Druid = Druid(BLUESTONES);
    pub(crate) const ALTAR: Druid = Druid(BLUESTONES + 1);

    /// His whole way, from the first bluestone to the altar.
    pub(crate) fn way() -> impl Iterator<Item = Druid> {
        (Druid::START.0..=Druid::ALTAR.0).map(Druid)
    }

    /// Returns how many steps it is from `other`, which lies before or here.
    pub(crate) fn steps_from(self, other: Druid) -> u8 {
        self.0.saturating_sub(other.0)
    }

    /// Returns whether he lies on the altar.
    pub(crate) fn on_altar(self) -> bool {
        self == Druid::ALTAR
    }

    /// One bluestone on; from the last to the altar.
    #[must_use]
    pub(crate) fn on(self) -> Druid {
        Druid((self.0 + 1).min(Druid::ALTAR.0))
    }

    /// One bluestone back, never beyond the first (AB-29); from the altar to the last (AB-25).
    #[must_use]
    pub(crate) fn back(self) -> Druid {
        Druid((self.0 - 1).max(Druid::START.0))
    }
}

impl fmt::Display for Druid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.on_altar() { f.write_str("altar") } else { write!(f, "B{}", self.0) }
    }
}

impl FromStr for Druid {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Druid, &'static str> {
        Druid::way().find(|druid| druid.to_string() == text).ok_or("the Druid stands on B1 to B19 or the altar")
    }
}

impl TryFrom<String> for Druid {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Druid, &'static str> {
        text.parse()
    }
}

impl From<Druid> for String {
    fn from(druid: Druid) -> String {
        druid.to_string()
    }
}
