//! Piles as sets, and drawing from them.
//!
//! A pile that was shuffled and that nobody has looked into has every order with the same chance; drawing any of its
//! cards with the same chance each time is the same thing. So no order is kept, and none can leak.

use serde::{Deserialize, Serialize};

use crate::rules::Dice;

/// A set of cards or chits of one kind, by their index in the component set.
///
/// Drawing takes each with the same chance: a shuffled pile whose order nobody knows is nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct CardSet(u64);

/// More than any kind of card may have.
pub const MOST_CARDS: usize = 64;

impl CardSet {
    /// Whether nothing is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in it.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the card with this index is in it.
    pub const fn contains(self, index: usize) -> bool {
        index < MOST_CARDS && self.0 & (1 << index) != 0
    }

    /// Puts a card in.
    pub fn insert(&mut self, index: usize) {
        if index < MOST_CARDS {
            self.0 |= 1 << index;
        }
    }

    /// Takes a card out; whether it was in.
    pub fn remove(&mut self, index: usize) -> bool {
        let was_in = self.contains(index);
        if was_in {
            self.0 &= !(1 << index);
        }
        was_in
    }

    /// The indices, rising.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let index = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(index)
        })
    }

    /// Both together.
    #[must_use]
    pub const fn union(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }

    /// What is not in `other`.
    #[must_use]
    pub const fn minus(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn common(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }

    /// Takes one out, each with the same chance.
    pub fn draw(&mut self, dice: &mut Dice) -> Option<usize> {
        let nth = dice.index(self.len())?;
        let index = self.iter().nth(nth)?;
        self.remove(index);
        Some(index)
    }
}

impl FromIterator<usize> for CardSet {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> CardSet {
        let mut set = CardSet::default();
        for index in indices {
            set.insert(index);
        }
        set
    }
}
