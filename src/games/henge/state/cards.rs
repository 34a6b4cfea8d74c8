//! Piles as sets, and drawing from them.
//!
//! A pile that was shuffled and that nobody has looked into has every order with the same chance; drawing any of its
//! cards with the same chance each time is the same thing. So no order is kept, and none can leak.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::{BitSet, Dice, Member};

impl Member for usize {
    type Bits = u64;

    fn bit(self) -> u32 {
        u32::try_from(self).unwrap_or(u32::MAX)
    }

    fn of_bit(bit: u32) -> Option<usize> {
        let index = bit as usize;
        (index < MOST_CARDS).then_some(index)
    }
}

/// More than any kind of card may have.
pub const MOST_CARDS: usize = 64;

/// A set of cards or chits of one kind, by their index in the component set.
///
/// Drawing takes each with the same chance: a shuffled pile whose order nobody knows is nothing else.
pub type CardSet = BitSet<usize>;

impl CardSet {
    /// Takes one out, each with the same chance.
    pub fn draw(&mut self, dice: &mut Dice) -> Option<usize> {
        let nth = dice.index(self.len())?;
        let index = self.iter().nth(nth)?;
        self.remove(index);
        Some(index)
    }
}

/// In stored states a set is its word.
impl Serialize for CardSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bits().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for CardSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CardSet, D::Error> {
        u64::deserialize(deserializer).map(BitSet::from_bits)
    }
}
