//! Shared parts of the pictures of the four games of the set: the ring, cards, and a row for each seat.
//!
//! A picture is a header, the ring with a pile or sign in each of its corners, and below it the seats, the one whose side
//! is down last and largest.

mod cards;
mod page;
mod ring;
mod seats;

pub(crate) use cards::{heap, pile, tally};
pub(crate) use page::{Corner, Page};
pub use ring::Ring;
pub(crate) use seats::SeatRow;

use super::number::Colour;
use crate::pictures::Hue;

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
