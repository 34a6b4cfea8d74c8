//! The result of a search: the moves that it looked at, best first.

use sarsen_rules::{Candidate, Dice, WON};

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
    /// True if the search was stopped before its end: then this is the best so far.
    pub(crate) cut: bool,
}

/// A move that is compared with one that was made.
pub(super) struct Compared {
    /// The value that the search found.
    pub(super) value: i32,
    /// The standard error of the difference to the made move.
    pub(super) apart: i32,
}

/// A move with fewer visits than the best move's divided by this is not known well enough to be as good.
const OFTEN: u32 = 8;

impl<M> Ranking<M> {
    /// Nothing, where there is no legal move.
    pub(crate) fn none() -> Ranking<M> {
        Ranking { moves: Vec::new(), simulations: 0, cut: false }
    }

    /// Just one move, of which nothing is said.
    pub(crate) fn only(mv: M) -> Ranking<M> {
        let only = Ranked { mv, value: WON / 2, error: 0, visits: 0, score: 0, line: Vec::new() };
        Ranking { moves: vec![only], simulations: 0, cut: false }
    }

    /// Shifts each score at random, by up to `most` either way, small shifts being likelier, and sorts the moves again.
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

    /// Picks at random one of the moves that are as good as the best, and puts it first. These are worth at most
    /// `within` less and have at least an eighth of its visits. Does not pick or replace a certain win or loss.
    #[must_use]
    pub(crate) fn varied(mut self, within: i32, lot: &mut Dice) -> Ranking<M> {
        let Some(best) = self.moves.first() else { return self };
        let (value, visits, score) = (best.value, best.visits, best.score);
        let is_open = |value: i32| value > 0 && value < WON;
        if within == 0 || visits == 0 || !is_open(value) {
            return self;
        }
        let as_good = |other: &&Ranked<M>| {
            other.visits >= visits / OFTEN && other.value >= value - within && is_open(other.value)
        };
        // They need not be adjacent.
        let places: Vec<usize> =
            self.moves.iter().enumerate().filter(|(_, other)| as_good(other)).map(|(place, _)| place).collect();
        if let Some(place) = lot.one_of(places) {
            self.moves[..=place].rotate_right(1);
            self.moves[0].score = score;
        }
        self
    }

    /// Sorts the moves, best first. Equals keep their order.
    pub(crate) fn order(&mut self) {
        self.moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.score));
    }
}

/// Returns the candidates as the game's knowledge has them.
pub(crate) fn as_ranked<M>(candidates: Vec<Candidate<M>>) -> Ranking<M> {
    let ranked = |candidate: Candidate<M>| Ranked {
        mv: candidate.mv,
        value: WON / 2,
        error: 0,
        visits: 0,
        score: candidate.worth,
        line: Vec::new(),
    };
    Ranking { moves: candidates.into_iter().map(ranked).collect(), simulations: 0, cut: false }
}
