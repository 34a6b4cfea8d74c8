//! The spaces of the outer ring: 30 numbers by 4 rows, written `29b`.
//!
//! Board order is row by row from the outside, each clockwise from 1: `1a` … `30a`, `1b` … `30d`. A space is its index
//! in that order, so that a set of spaces is a 120-bit mask.

use std::str::FromStr;

use utoipa::ToSchema;

use super::number::{NUMBERS, Number, around_each_number};
use crate::common::text_forms;

/// The number of rows that the ring has.
pub const ROWS: u8 = 4;

/// The number of spaces that the ring has.
pub const SPACES: u8 = NUMBERS * ROWS;

/// The names of the spaces, row by row.
const TEXTS: [[&str; NUMBERS as usize]; ROWS as usize] = [
    around_each_number!("", "a"),
    around_each_number!("", "b"),
    around_each_number!("", "c"),
    around_each_number!("", "d"),
];

/// A row across the numbers, from outside to inside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Row {
    /// The outermost box.
    A,
    /// The colour strip.
    B,
    /// The number.
    C,
    /// The day-and-night pair.
    D,
}

impl Row {
    /// All rows, from outside to inside.
    pub(crate) const ALL: [Row; ROWS as usize] = [Row::A, Row::B, Row::C, Row::D];

    /// 0 for the outermost row to 3 for the innermost.
    pub(crate) const fn index(self) -> u8 {
        self as u8
    }

    /// `a` to `d`.
    pub(crate) const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

/// A space, such as `29b`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(as = StonehengeSpace, value_type = String, pattern = "^([1-9]|[12][0-9]|30)[a-d]$", examples("29b"))]
pub struct Space(u8);

/// A text that names no space.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a space is a number from 1 to 30 and a row from a to d, such as 29b")]
pub struct InvalidSpace;

impl Space {
    /// The space of `number` in `row`.
    pub(crate) const fn new(number: Number, row: Row) -> Space {
        Space::at(number.column(), row.index())
    }

    /// The space at `column` (from 0, going round at 30) and `row` (from 0, at most 3).
    pub(crate) const fn at(column: u8, row: u8) -> Space {
        Space((row & 3) * NUMBERS + column % NUMBERS)
    }

    /// The space at this place in board order, or `None` from [`SPACES`] on.
    pub(crate) const fn from_index(index: u8) -> Option<Space> {
        if index < SPACES { Some(Space(index)) } else { None }
    }

    /// Its place in board order, 0 to 119.
    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// Its column, 0 to 29.
    pub const fn column(self) -> u8 {
        self.0 % NUMBERS
    }

    /// Its row, 0 (`a`) to 3 (`d`).
    pub const fn row(self) -> u8 {
        self.0 / NUMBERS
    }

    /// All spaces in board order.
    pub(crate) fn all() -> impl Iterator<Item = Space> + Clone {
        (0..SPACES).map(Space)
    }

    /// Returns what it is called.
    pub(crate) fn text(self) -> &'static str {
        TEXTS.as_flattened().get(usize::from(self.0)).copied().unwrap_or_default()
    }
}

impl FromStr for Space {
    type Err = InvalidSpace;

    /// Exactly the canonical text: no capitals, blanks or leading zeros.
    fn from_str(text: &str) -> Result<Space, InvalidSpace> {
        let (number, letter) = match *text.as_bytes() {
            [unit @ b'1'..=b'9', letter] => (unit - b'0', letter),
            [ten @ b'1'..=b'3', unit @ b'0'..=b'9', letter] => ((ten - b'0') * 10 + unit - b'0', letter),
            _ => return Err(InvalidSpace),
        };
        match (Number::new(number), letter) {
            (Some(number), b'a'..=b'd') => Ok(Space::at(number.column(), letter - b'a')),
            _ => Err(InvalidSpace),
        }
    }
}

text_forms!(Space, "a space such as \"29b\"");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_space_round_trips() {
        let texts: Vec<String> = Space::all().map(|space| space.to_string()).collect();
        assert_eq!((texts[0].as_str(), texts[29].as_str(), texts[119].as_str()), ("1a", "30a", "30d"));
        for (space, text) in Space::all().zip(&texts) {
            assert_eq!(text.parse(), Ok(space));
            assert_eq!(serde_json::to_string(&space).unwrap(), format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Space>(&format!("\"{text}\"")).unwrap(), space);
            assert_eq!(Space::at(space.column(), space.row()), space);
        }
    }

    #[test]
    fn nothing_else_is_a_space() {
        for wrong in ["", "a", "0a", "31a", "39a", "1e", "1A", "01a", " 1a", "1a ", "1", "300a", "-1a", "1é"] {
            assert_eq!(wrong.parse::<Space>(), Err(InvalidSpace), "{wrong}");
            assert!(serde_json::from_value::<Space>(wrong.into()).is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<Space>("29").is_err());
    }
}
