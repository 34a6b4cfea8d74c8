//! The result of a search: the moves that it looked at, best first.

use sarsen_rules::{Dice, WON};

/// A move as a search has judged it. Values are 0 (lost) to [`WON`].
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<M> {
    /// The move.
    pub mv: M,
    /// The value that the search found; half of [`WON`] where nothing was searched.
    pub(crate) value: i32,
    /// The standard error of `value`, in the same units; 0 where nothing was sampled.
    pub(crate) error: i32,
    /// The number of simulations that went through it.
    pub(crate) visits: u32,
    /// The key of the order: the value, the worth before the search, and the random shift.
    pub(crate) score: i32,
    /// The moves that would most likely follow, where no chance and nothing hidden comes in between.
    pub(crate) line: Vec<M>,
}

/// Moves, best first.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranking<M> {
    /// Never empty unless there was no legal move.
    pub moves: Vec<Ranked<M>>,
    /// The number of simulations.
    pub simulations: u32,
    /// True if the search was stopped before its end: then the first legal move stands alone.
    pub(crate) cut: bool,
}

impl<M> Ranking<M> {
    /// Just one move, of which nothing is said.
    pub(crate) fn only(mv: M, cut: bool) -> Ranking<M> {
        let only = Ranked { mv, value: WON / 2, error: 0, visits: 0, score: 0, line: Vec::new() };
        Ranking { moves: vec![only], simulations: 0, cut }
    }

    /// Shifts the scores by lot, each by up to `most` either way, little more often than much, and orders anew.
    #[must_use]
    pub(crate) fn blurred(mut self, most: u32, dice: &mut Dice) -> Ranking<M> {
        if most > 0 {
            for ranked in &mut self.moves {
                let shift = dice.below(most + 1) as i32 - dice.below(most + 1) as i32;
                ranked.score = ranked.score.saturating_add(shift);
            }
            self.order();
        }
        self
    }

    /// Best first, equals as they stand.
    pub(crate) fn order(&mut self) {
        self.moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.score));
    }
}
