//! The inside of the outer ring: the small stones of the inner ring, trilithon places, bluestones.

use std::ops::RangeInclusive;
use std::str::FromStr;

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::number::{NUMBERS, Number, around_each_number};
use crate::common::text_forms;

/// The number of small stones that the inner ring has.
pub const STONES: u8 = NUMBERS * 2;

/// The names of the small stones: those of the night clockwise, then those of the day.
const TEXTS: [[&str; NUMBERS as usize]; 2] = [around_each_number!("N", ""), around_each_number!("D", "")];

/// A small stone of the inner ring, two per number: night, then day, clockwise N1 D1 N2 D2 … N30 D30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stone {
    pub(crate) number: Number,
    /// True if it is the day stone.
    pub(crate) day: bool,
}

impl Stone {
    /// All stones, clockwise from N1.
    pub(crate) fn all() -> impl Iterator<Item = Stone> + Clone {
        Number::all().flat_map(|number| [false, true].map(|day| Stone { number, day }))
    }

    /// The stone at this place in the ring, counted from N1 clockwise and round again from 60 on.
    pub(crate) const fn in_ring(index: u8) -> Stone {
        Stone { number: Number::in_column(index % STONES / 2), day: index % 2 == 1 }
    }

    /// Its place in the ring, 0 (N1) to 59 (D30).
    pub const fn index(self) -> u8 {
        self.number.column() * 2 + self.day as u8
    }

    /// Returns what it is called.
    pub(crate) fn text(self) -> &'static str {
        let place = self.number.column() + if self.day { NUMBERS } else { 0 };
        TEXTS.as_flattened().get(usize::from(place)).copied().unwrap_or_default()
    }
}

/// A text that names no small stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a small stone is D or N and a number from 1 to 30, such as N6")]
pub struct InvalidStone;

impl FromStr for Stone {
    type Err = InvalidStone;

    /// Exactly the canonical text: capitals, no blanks or leading zeros.
    fn from_str(text: &str) -> Result<Stone, InvalidStone> {
        let (day, number) = match *text.as_bytes() {
            [b'D', unit @ b'1'..=b'9'] => (true, unit - b'0'),
            [b'N', unit @ b'1'..=b'9'] => (false, unit - b'0'),
            [b'D', ten @ b'1'..=b'3', unit @ b'0'..=b'9'] => (true, (ten - b'0') * 10 + unit - b'0'),
            [b'N', ten @ b'1'..=b'3', unit @ b'0'..=b'9'] => (false, (ten - b'0') * 10 + unit - b'0'),
            _ => return Err(InvalidStone),
        };
        Number::new(number).map(|number| Stone { number, day }).ok_or(InvalidStone)
    }
}

text_forms!(Stone, "a small stone such as \"N6\"");

impl PartialSchema for Stone {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A small stone of the inner ring: D (day) or N (night) and its number, such as `N6`."))
            .pattern(Some("^[DN]([1-9]|[12][0-9]|30)$"))
            .examples(["N6"])
            .into()
    }
}

impl ToSchema for Stone {
    fn name() -> std::borrow::Cow<'static, str> {
        "StonehengeStone".into()
    }
}

/// The number of bluestones that the horseshoe has: `B1` at its right end to `B19` at its left end.
pub const BLUESTONES: u8 = 19;

/// A place for a trilithon, inside the inner ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrilithonPlace {
    /// `T1` to `T5`, clockwise.
    pub(crate) id: &'static str,
    /// The two numbers in front of it; its path is their four small stones.
    pub(crate) path: RangeInclusive<u8>,
    /// The bluestones that look at it.
    pub(crate) view: RangeInclusive<u8>,
}

/// The trilithon places, clockwise.
pub const TRILITHON_PLACES: [TrilithonPlace; 5] = [
    TrilithonPlace { id: "T1", path: 6..=7, view: 1..=3 },
    TrilithonPlace { id: "T2", path: 10..=11, view: 6..=7 },
    TrilithonPlace { id: "T3", path: 15..=16, view: 9..=11 },
    TrilithonPlace { id: "T4", path: 20..=21, view: 13..=14 },
    TrilithonPlace { id: "T5", path: 24..=25, view: 17..=19 },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_5_and_night_6_are_neighbours() {
        let ring: Vec<String> = Stone::all().map(|stone| stone.to_string()).collect();
        assert_eq!(&ring[..4], ["N1", "D1", "N2", "D2"]);
        assert_eq!(&ring[9..11], ["D5", "N6"]);
        assert_eq!(ring[59], "D30");
        assert!(Stone::all().enumerate().all(|(index, stone)| usize::from(stone.index()) == index));
        assert!(Stone::all().all(|stone| Stone::in_ring(stone.index()) == stone));
        assert_eq!(Stone::in_ring(60), Stone::in_ring(0));
    }

    #[test]
    fn every_stone_round_trips_and_nothing_else_is_one() {
        for stone in Stone::all() {
            assert_eq!(stone.to_string().parse(), Ok(stone));
            let json = serde_json::to_string(&stone).unwrap();
            assert_eq!(serde_json::from_str::<Stone>(&json).unwrap(), stone);
        }
        for wrong in ["", "D", "D0", "D31", "d1", "N01", "1", "TB", "N 1", "N3é"] {
            assert_eq!(wrong.parse::<Stone>(), Err(InvalidStone), "{wrong}");
        }
    }

    #[test]
    fn the_horseshoe_is_symmetric() {
        for (right, left) in TRILITHON_PLACES.iter().zip(TRILITHON_PLACES.iter().rev()) {
            assert_eq!((31 - right.path.end(), 31 - right.path.start()), (*left.path.start(), *left.path.end()));
            assert_eq!((20 - right.view.end(), 20 - right.view.start()), (*left.view.start(), *left.view.end()));
        }
    }
}
