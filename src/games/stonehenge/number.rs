//! The numbers 1 to 30, which stand clockwise in a ring, and their colours.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use strum::Display;
use utoipa::ToSchema;

use sarsen_rules::reading::small_integer;

/// The count of numbers on the ring.
pub const NUMBERS: u8 = 30;

/// One text for each number, clockwise from 1: the number between what is given.
macro_rules! around_each_number {
    ($before:literal, $after:literal) => {
        $crate::stonehenge::number::around_each_number!($before, $after,
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30)
    };
    ($before:literal, $after:literal, $($number:literal)+) => {
        [$(concat!($before, $number, $after)),+]
    };
}
pub(super) use around_each_number;

/// A number of the ring, 1 to 30. 30 and 1 are neighbours; between them is 12 o'clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ToSchema)]
#[serde(into = "u8")]
#[schema(as = StonehengeNumber, value_type = i64, minimum = 1, maximum = 30, examples(14))]
pub struct Number(u8);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        small_integer(deserializer, 1..=NUMBERS, Number::new)
    }
}

impl Number {
    /// The number `value`, or `None` outside 1 to 30.
    pub(crate) const fn new(value: u8) -> Option<Number> {
        if value >= 1 && value <= NUMBERS { Some(Number(value)) } else { None }
    }

    /// The number in column `column`, counted from 0 clockwise from 12 o'clock and round again from 30 on.
    pub const fn in_column(column: u8) -> Number {
        Number(column % NUMBERS + 1)
    }

    /// 1 to 30.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The column, 0 to 29, clockwise from 12 o'clock.
    pub(crate) const fn column(self) -> u8 {
        self.0 - 1
    }

    /// The next number clockwise.
    pub(crate) const fn next(self) -> Number {
        Number::in_column(self.0)
    }

    /// The next number counter-clockwise.
    pub(crate) const fn previous(self) -> Number {
        Number::in_column(self.0 + NUMBERS - 2)
    }

    /// The colour in which it is printed.
    pub const fn colour(self) -> Colour {
        match (self.0 - 1) % 6 {
            0 => Colour::White,
            1 => Colour::Blue,
            2 => Colour::Green,
            3 => Colour::Yellow,
            4 => Colour::Red,
            _ => Colour::Black,
        }
    }

    /// All numbers, ascending.
    pub fn all() -> impl Iterator<Item = Number> + Clone {
        (1..=NUMBERS).map(Number)
    }
}

impl From<Number> for u8 {
    fn from(number: Number) -> u8 {
        number.0
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A printed colour. There are no black pieces.
///
/// - `white`: 1 7 13 19 25.
/// - `blue`: 2 8 14 20 26.
/// - `green`: 3 9 15 21 27.
/// - `yellow`: 4 10 16 22 28.
/// - `red`: 5 11 17 23 29.
/// - `black`: 6 12 18 24 30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Display, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = StonehengeColour)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Colour {
    White,
    Blue,
    Green,
    Yellow,
    Red,
    Black,
}

impl Colour {
    /// All colours, in the order of the numbers.
    pub(crate) const ALL: [Colour; 6] =
        [Colour::White, Colour::Blue, Colour::Green, Colour::Yellow, Colour::Red, Colour::Black];

    /// The colours that pieces and trilithon cards have, in the order of the seats that play them.
    pub const PIECES: [Colour; 5] = [Colour::White, Colour::Blue, Colour::Green, Colour::Yellow, Colour::Red];

    /// The letter that trilithon cards name it by: `W`, `B`, `G`, `Y`, `R`, and `K` for black, which has no card.
    pub(crate) const fn letter(self) -> char {
        match self {
            Colour::White => 'W',
            Colour::Blue => 'B',
            Colour::Green => 'G',
            Colour::Yellow => 'Y',
            Colour::Red => 'R',
            Colour::Black => 'K',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_round_in_sixes() {
        let of = |colour| Number::all().filter(|n| n.colour() == colour).map(Number::get).collect::<Vec<_>>();
        assert_eq!(of(Colour::Blue), [2, 8, 14, 20, 26]);
        assert_eq!(of(Colour::Black), [6, 12, 18, 24, 30]);
        assert_eq!(of(Colour::White), [1, 7, 13, 19, 25]);
    }

    #[test]
    fn the_ring_closes() {
        assert_eq!(Number::new(30).map(Number::next), Number::new(1));
        assert_eq!((Number::new(0), Number::new(31)), (None, None));
        assert_eq!(serde_json::from_str::<Number>("30").ok(), Number::new(30));
        assert!(["0", "31", "-1", "1.0", "\"1\""].iter().all(|wrong| serde_json::from_str::<Number>(wrong).is_err()));
        assert_eq!(
            Number::all().map(|n| Number::in_column(n.column())).collect::<Vec<_>>(),
            Number::all().collect::<Vec<_>>()
        );
        assert!(Number::all().all(|n| n.next().previous() == n && n.previous().next() == n));
        assert!(Number::all().zip(Colour::ALL.into_iter().cycle()).all(|(n, colour)| n.colour() == colour));
    }
}
