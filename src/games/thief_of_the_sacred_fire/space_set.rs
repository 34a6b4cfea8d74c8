//! A set of spaces as three machine words, since the board has more spaces than one word has bits.

use super::space::{SPACES, Space};

const WORD: usize = u64::BITS as usize;

/// A set of spaces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SpaceSet([u64; (SPACES as usize).div_ceil(WORD)]);

impl SpaceSet {
    /// Puts a space in.
    #[inline]
    pub(crate) fn insert(&mut self, space: Space) {
        self.0[space.index() / WORD] |= 1 << (space.index() % WORD);
    }

    /// Takes a space out.
    #[inline]
    pub(crate) fn remove(&mut self, space: Space) {
        self.0[space.index() / WORD] &= !(1 << (space.index() % WORD));
    }

    /// Puts all of `other` in.
    #[inline]
    pub(crate) fn join(&mut self, other: &SpaceSet) {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
    }

    /// Returns what is in this set and not in `other`.
    #[inline]
    #[must_use]
    pub(crate) fn minus(mut self, other: &SpaceSet) -> SpaceSet {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// Returns whether nothing is in it.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Returns how many are in it.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Its spaces in board order.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = Space> + use<> {
        (0..).zip(self.0).flat_map(|(index, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as u8)?;
                word &= word - 1;
                Space::from_index(index * WORD as u8 + bit)
            })
        })
    }
}

impl FromIterator<Space> for SpaceSet {
    fn from_iter<I: IntoIterator<Item = Space>>(spaces: I) -> SpaceSet {
        let mut set = SpaceSet::default();
        spaces.into_iter().for_each(|space| set.insert(space));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_in_board_order() {
        let every_third: Vec<Space> = Space::all().step_by(3).collect();
        let mut set: SpaceSet = every_third.iter().rev().copied().collect();
        assert_eq!((set.iter().collect::<Vec<_>>(), set.len()), (every_third.clone(), every_third.len()));
        let all: SpaceSet = Space::all().collect();
        assert_eq!((all.len(), all.minus(&set).len()), (usize::from(SPACES), usize::from(SPACES) - set.len()));
        set.join(&all);
        assert_eq!(set, all);
        Space::all().for_each(|space| set.remove(space));
        assert!(set.is_empty() && !all.is_empty());
    }
}
