//! What lies inside the outer ring: the small stones of the inner ring, trilithon places, bluestones.

use std::fmt;
use std::ops::RangeInclusive;

use super::number::Number;

/// A small stone of the inner ring, two per number: night, then day, clockwise N1 D1 N2 D2 … N30 D30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stone {
    /// Its number.
    pub number: Number,
    /// Whether it is the day stone.
    pub day: bool,
}

impl Stone {
    /// All stones, clockwise from N1.
    pub fn all() -> impl Iterator<Item = Stone> + Clone {
        Number::all().flat_map(|number| [false, true].map(|day| Stone { number, day }))
    }

    /// Its place in the ring, 0 (N1) to 59 (D30).
    pub const fn index(self) -> u8 {
        self.number.column() * 2 + self.day as u8
    }
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.day { 'D' } else { 'N' }, self.number.get())
    }
}

/// How many bluestones the horseshoe has: `B1` at its right end to `B19` at its left end.
pub const BLUESTONES: u8 = 19;

/// A place for a trilithon, inside the inner ring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrilithonPlace {
    /// `T1` to `T5`, clockwise.
    pub id: &'static str,
    /// The two numbers in front of it; its path is their four small stones.
    pub path: RangeInclusive<u8>,
    /// The bluestones that look at it.
    pub view: RangeInclusive<u8>,
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
    }

    #[test]
    fn the_horseshoe_is_symmetric() {
        for (right, left) in TRILITHON_PLACES.iter().zip(TRILITHON_PLACES.iter().rev()) {
            assert_eq!((31 - right.path.end(), 31 - right.path.start()), (*left.path.start(), *left.path.end()));
            assert_eq!((20 - right.view.end(), 20 - right.view.start()), (*left.view.start(), *left.view.end()));
        }
    }
}
