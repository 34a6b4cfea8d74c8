//! The components that Contiguity, Absolution, Sacrifice Roulette and Thief of the Sacred Fire share: the ring of
//! numbers with its four rows of spaces, the inner ring of small stones, trilithon places, bluestones, the altar, and
//! the deck of cards.
//!
//! Invariant: a value of these types names something that is printed on the board or a card; nothing else parses.
//!
//! Deliberately absent: pieces and rules. Those are each game's own.

mod board;
mod card;
mod cards;
mod centre;
mod number;
pub(crate) mod picture;
mod space;
pub(crate) mod words;

pub(crate) use board::{outer_ring, printed_board};
pub use card::{CARDS, Card, Face, InvalidCard, NUMBER_CARDS};
pub use cards::{CardSet, Pile, packed};
pub use centre::{BLUESTONES, InvalidStone, STONES, Stone, TRILITHON_PLACES, TrilithonPlace};
pub use number::{Colour, NUMBERS, Number};
pub use space::{InvalidSpace, ROWS, Row, SPACES, Space};
