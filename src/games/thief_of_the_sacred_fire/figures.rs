//! The figures: five coloured druids and the thief. A druid's colour is also that of its alertness disks.

use serde::{Deserialize, Serialize};
use strum::Display;
use utoipa::ToSchema;

use crate::stonehenge::{Card, Colour};

/// A druid, by colour. One of them becomes the High Druid.
///
/// - `white`: The white one.
/// - `blue`: The blue one.
/// - `green`: The green one.
/// - `yellow`: The yellow one.
/// - `red`: The red one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = ThiefDruid)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Druid {
    White,
    Blue,
    Green,
    Yellow,
    Red,
}

/// The number of druids.
pub(crate) const DRUIDS: usize = 5;

impl Druid {
    /// All, in the order of lists.
    pub(crate) const ALL: [Druid; DRUIDS] = [Druid::White, Druid::Blue, Druid::Green, Druid::Yellow, Druid::Red];

    /// Its place in [`Druid::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The druid of the colour of a trilithon card; `None` for black.
    pub(crate) const fn of(colour: Colour) -> Option<Druid> {
        match colour {
            Colour::White => Some(Druid::White),
            Colour::Blue => Some(Druid::Blue),
            Colour::Green => Some(Druid::Green),
            Colour::Yellow => Some(Druid::Yellow),
            Colour::Red => Some(Druid::Red),
            Colour::Black => None,
        }
    }
}

/// The figure that a card moves.
///
/// - `white`: The white druid.
/// - `blue`: The blue druid.
/// - `green`: The green druid.
/// - `yellow`: The yellow druid.
/// - `red`: The red druid.
/// - `thief`: The thief.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = ThiefFigure)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Figure {
    White,
    Blue,
    Green,
    Yellow,
    Red,
    Thief,
}

impl From<Druid> for Figure {
    fn from(druid: Druid) -> Figure {
        match druid {
            Druid::White => Figure::White,
            Druid::Blue => Figure::Blue,
            Druid::Green => Figure::Green,
            Druid::Yellow => Figure::Yellow,
            Druid::Red => Figure::Red,
        }
    }
}

/// Returns how far a card lets a figure go: black 0, white 1, blue 2, green 3, yellow 4, red 5.
pub(crate) fn points(card: Card) -> u8 {
    match card.colour() {
        Colour::Black => 0,
        Colour::White => 1,
        Colour::Blue => 2,
        Colour::Green => 3,
        Colour::Yellow => 4,
        Colour::Red => 5,
    }
}
