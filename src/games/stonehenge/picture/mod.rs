//! Shared parts of the pictures of the four games of the set: the ring, cards, and a row for each seat.
//!
//! A picture is a header, the ring with a pile or sign in each of its corners, and below it the seats, the one whose side
//! is down last and largest. The counts in the corners can be drawn alone, in a row; so can the seats.

mod cards;
mod page;
mod ring;
mod seats;

pub(crate) use cards::{heap, pile, tally};
pub(crate) use page::{Corner, Corners, Page};
pub use ring::Ring;
pub(crate) use seats::SeatRow;

use super::number::Colour;
use crate::pictures::Hue;

/// The empty board in words.
pub(crate) const PRINTED: &str = "The board: 30 numbers in a ring, each with the rows a to d and two small stones, \
                                  around five trilithon places, 19 bluestones and the altar.";

impl From<Colour> for Hue {
    fn from(colour: Colour) -> Hue {
        match colour {
            Colour::White => Hue::White,
            Colour::Blue => Hue::Blue,
            Colour::Green => Hue::Green,
            Colour::Yellow => Hue::Yellow,
            Colour::Red => Hue::Red,
            Colour::Black => Hue::Black,
        }
    }
}
