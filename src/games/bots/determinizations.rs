//! Determinizations for a search: states that a seat could be looking at, each with the chance to come.
//!
//! Invariant: determinization n of a seed is always the same, for every reader and in any order.

use super::budget::Seed;
use sarsen_rules::{Dice, DiceSeed, Game, Seat, Viewer};

/// The determinizations that fit what a seat sees.
pub(crate) struct Determinizations<'a, G: Game> {
    game: &'a G,
    view: &'a G::View,
    seat: Seat,
    seed: Seed,
}

/// The use of a stream of draws. Streams of different uses are different.
#[derive(Clone, Copy)]
enum Use {
    Imagine = 1,
    Chance = 2,
    Policy = 3,
    Noise = 4,
    Slip = 5,
}

impl<'a, G: Game> Determinizations<'a, G> {
    /// The determinizations of `seed` that fit `view`, which is `seat`'s.
    pub(crate) fn new(game: &'a G, view: &'a G::View, seat: Seat, seed: Seed) -> Determinizations<'a, G> {
        Determinizations { game, view, seat, seed }
    }

    /// Determinization `number`.
    pub(crate) fn state(&self, number: u32) -> G::State {
        self.game.imagine(self.view, Viewer::Seat(self.seat), &mut self.dice(Use::Imagine, number))
    }

    /// Returns what chance brings in it.
    pub(crate) fn chance(&self, number: u32) -> Dice {
        self.dice(Use::Chance, number)
    }

    /// Returns what its quick players choose by.
    pub(crate) fn policy(&self, number: u32) -> Dice {
        self.dice(Use::Policy, number)
    }

    /// Returns what weak levels err by.
    pub(crate) fn noise(&self) -> Dice {
        self.dice(Use::Noise, 0)
    }

    /// Returns what decides whether a decision is left to lot, and that lot.
    pub(crate) fn slip(&self) -> Dice {
        self.dice(Use::Slip, 0)
    }

    fn dice(&self, what: Use, number: u32) -> Dice {
        let mut seed = self.seed;
        seed[0] ^= what as u8;
        for (byte, part) in seed[1..].iter_mut().zip(number.to_le_bytes()) {
            *byte ^= part;
        }
        Dice::new(DiceSeed(seed))
    }
}
