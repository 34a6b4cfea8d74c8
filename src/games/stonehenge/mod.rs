//! The components that Contiguity, Absolution, Sacrifice Roulette and Thief of the Sacred Fire share: the ring of
//! numbers with its four rows of spaces, the inner ring of small stones, trilithon places, bluestones and the altar.
//!
//! Invariant: a value of these types names something that is printed on the board; nothing else parses.
//!
//! What it deliberately lacks: pieces and rules. Those are each game's own.

mod board;
mod centre;
mod number;
mod space;

pub use board::printed_board;
pub use centre::{BLUESTONES, Stone, TRILITHON_PLACES, TrilithonPlace};
pub use number::{Colour, NUMBERS, Number};
pub use space::{InvalidSpace, ROWS, Row, SPACES, Space};
