//! Dice: the only source of chance in the rules layer.
//!
//! The stream is ChaCha20 (RFC 8439 block function, 64-bit block counter from 0, stream 0) keyed with the 32-byte
//! seed and read as consecutive little-endian 32-bit words. A bounded draw below `n` takes words until one is less
//! than `floor(2^32 / n) * n` and answers that word modulo `n`. A shuffle is Fisher–Yates from the end: for `i` from
//! the last index down to 1, swap `i` with a draw below `i + 1`. That is all there is, so anyone can write a
//! verifier; the test vectors are in this file's tests.
//!
//! Invariants: unbiased; the same seed and position give the same draws on every platform and release. A seed never
//! shows in a view, event, log line, error or `Debug` output.

use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Length of a dice seed.
pub const DICE_SEED_BYTES: usize = 32;

/// The key of a dice stream. Secret until the match has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct DiceSeed(pub [u8; DICE_SEED_BYTES]);

impl fmt::Debug for DiceSeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DiceSeed(secret)")
    }
}

/// A stream of unbiased draws.
#[derive(Clone)]
pub struct Dice {
    stream: ChaCha20Rng,
}

impl Dice {
    /// Dice at the start of the stream of `seed`.
    pub fn new(seed: DiceSeed) -> Dice {
        Dice { stream: ChaCha20Rng::from_seed(seed.0) }
    }

    /// Dice that have already used `position` words of the stream.
    pub fn at(seed: DiceSeed, position: u64) -> Dice {
        let mut dice = Dice::new(seed);
        if position > 0 {
            dice.stream.set_word_pos(u128::from(position));
        }
        dice
    }

    /// Returns how many words of the stream have been used.
    pub fn position(&self) -> u64 {
        self.stream.get_word_pos() as u64
    }

    /// A number from 0 to `bound - 1`, each equally likely. `bound` 0 counts as 1.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = bound.max(1);
        let limit = (1u64 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.stream.next_u32();
            if u64::from(word) < limit {
                return word % bound;
            }
        }
    }

    /// An index into a list of `len` entries, or `None` if there are none.
    #[inline]
    pub fn index(&mut self, len: usize) -> Option<usize> {
        let bound = u32::try_from(len).ok().filter(|bound| *bound > 0)?;
        Some(self.below(bound) as usize)
    }

    /// One of `items`, each equally likely, or `None` if there are none.
    pub fn one_of<T>(&mut self, mut items: Vec<T>) -> Option<T> {
        let index = self.index(items.len())?;
        Some(items.swap_remove(index))
    }

    /// Puts `items` into an order of which each is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

impl fmt::Debug for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dice").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_chacha20() {
        // The all-zero key of RFC 8439 (A.1, test vector 1), whose first words are the same with a 64-bit counter.
        let mut dice = Dice::new(DiceSeed([0; 32]));
        let words: Vec<u32> = (0..4).map(|_| dice.stream.next_u32()).collect();
        assert_eq!(words, [0xade0_b876, 0x903d_f1a0, 0xe56a_5d40, 0x28bd_8653]);
    }

    #[test]
    fn golden_draws() {
        let mut seed = [0; 32];
        for (index, byte) in seed.iter_mut().enumerate() {
            *byte = index as u8;
        }
        let mut dice = Dice::new(DiceSeed(seed));
        let draws: Vec<u32> = [2, 6, 30, 65, 1000, 1 << 31, u32::MAX].iter().map(|n| dice.below(*n)).collect();
        let mut cards: Vec<u8> = (1..=10).collect();
        dice.shuffle(&mut cards);
        assert_eq!((draws, cards, dice.position()), golden());
    }

    // Obtained a second way, with a ChaCha20 written from the RFC in another language.
    fn golden() -> (Vec<u32>, Vec<u8>, u64) {
        (vec![1, 5, 17, 41, 458, 1282072252, 1283312818], vec![4, 1, 6, 2, 5, 9, 8, 10, 7, 3], 16)
    }

    #[test]
    fn a_position_resumes_the_stream() {
        let seed = DiceSeed([7; 32]);
        let mut whole = Dice::new(seed);
        for _ in 0..100 {
            whole.below(30);
        }
        let mut resumed = Dice::at(seed, whole.position());
        for _ in 0..100 {
            assert_eq!(whole.below(65), resumed.below(65));
        }
        assert_eq!(whole.position(), resumed.position());
    }

    #[test]
    fn draws_are_unbiased() {
        // 60,000 draws below 6: each face 10,000 expected, standard deviation 91.
        let mut dice = Dice::new(DiceSeed([3; 32]));
        let mut faces = [0u32; 6];
        for _ in 0..60_000 {
            faces[dice.below(6) as usize] += 1;
        }
        assert!(faces.iter().all(|count| (9_500..10_500).contains(count)), "{faces:?}");
    }

    #[test]
    fn a_bound_of_one_or_none_is_zero() {
        let mut dice = Dice::new(DiceSeed([1; 32]));
        assert_eq!((dice.below(1), dice.below(0), dice.index(0)), (0, 0, None));
    }

    #[test]
    fn one_of_several_is_the_one_of_that_index() {
        let items: Vec<u32> = (0..7).collect();
        let (mut drawn, mut index) = (Dice::new(DiceSeed([5; 32])), Dice::new(DiceSeed([5; 32])));
        for _ in 0..50 {
            assert_eq!(drawn.one_of(items.clone()).map(|item| item as usize), index.index(items.len()));
        }
        assert_eq!((drawn.position(), drawn.one_of(Vec::<u32>::new())), (index.position(), None));
    }

    #[test]
    fn debug_output_keeps_the_secret() {
        let seed = DiceSeed([0xab; 32]);
        assert_eq!(format!("{seed:?} {:?}", Dice::new(seed)), "DiceSeed(secret) Dice { .. }");
    }
}
