//! Piles as sets.
//!
//! A pile that was shuffled and that nobody has looked into has every order with the same chance; drawing any of its
//! cards with the same chance each time is the same thing. So no order is kept, and none can leak.

use sarsen_rules::BitSet;

/// More than any kind of card may have: a [`CardSet`] has a bit for each.
pub(crate) const MOST_CARDS: usize = 64;

/// A set of cards or chits of one kind, by their index in the component set. In stored states it is its word.
pub type CardSet = BitSet<usize>;
