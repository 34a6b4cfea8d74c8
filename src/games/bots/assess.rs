//! The assessment of a move that was made: its loss against the best of those that the bot prefers.
//!
//! Invariants: all are estimated by one and the same search, with the same seed in the same determinizations, so that
//! noise cancels. These are others than those that the preferred move was chosen in, so that luck there does not count as
//! a loss here; a move that seems better than the preferred one by chance alone does not count as better. Everything
//! follows from the view: two states that the seat cannot tell apart give the same assessment.

use super::Bot;
use super::budget::{SearchMeans, Seed};
use super::determinizations::Determinizations;
use super::ranking::Compared;
use super::{flat, tree};
use sarsen_rules::{Evaluator, Method, Seat};

/// The number of preferred moves that are compared with the one that was made.
const PREFERRED: usize = 3;
/// The fewest simulations of a comparison: levels that search less, or not at all, are compared by these.
const LEAST: u32 = 240;
/// The same of a level that errs on purpose: it judges quickly.
const LEAST_OF_ERRING: u32 = 80;
/// The same where a search grows a tree, whose simulations cost little and find what is forced.
const LEAST_OF_TREE: u32 = 4_800;
/// The number of standard errors, in halves, by which a move is better than the one made and not by chance. Several are
/// compared, so it is more than the two of a verdict.
const HALVES_OF_ERROR: i32 = 5;

/// The assessment of a move. Values are 0 (lost) to [`WON`](sarsen_rules::WON), and with more than two seats shares of
/// the others that are beaten.
pub(crate) struct Assessed<M> {
    /// The best moves with their values, the best first. A move that the comparison cannot tell from the first has at most
    /// the first one's value.
    pub(crate) best: Vec<(M, i32)>,
    /// The value that the made move lacks to that of the first.
    pub(crate) loss: i32,
    /// The standard error of the loss.
    pub(crate) error: i32,
}

impl<G: Evaluator> Bot<'_, G> {
    /// Assesses `made`, a legal move of `seat`; `None` where there was no choice, and from a search that was stopped.
    pub(crate) fn assess(
        &self,
        view: &G::View,
        seat: Seat,
        legal: &[G::Move],
        made: &G::Move,
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Option<Assessed<G::Move>> {
        if legal.len() < 2 {
            return None;
        }
        let determinizations = Determinizations::new(self.game, view, seat, seed);
        let ranking = self.found(&determinizations, seat, legal, means);
        let mut moves: Vec<G::Move> = ranking.moves.into_iter().map(|ranked| ranked.mv).take(PREFERRED).collect();
        let is_made = |mv: &G::Move| self.game.notation(mv) == self.game.notation(made);
        let place = moves.iter().position(is_made).unwrap_or_else(|| {
            moves.push(made.clone());
            moves.len() - 1
        });
        let least = match G::TUNING.method {
            Method::Tree => LEAST_OF_TREE,
            Method::Flat { .. } | Method::Ranked if self.effort.noise > 0 => LEAST_OF_ERRING,
            Method::Flat { .. } | Method::Ranked => LEAST,
        };
        let count = self.effort.simulations.max(least) / moves.len() as u32;
        let values = match G::TUNING.method {
            Method::Tree => tree::compared(self.game, &determinizations, seat, &moves, place, count, means),
            Method::Flat { .. } | Method::Ranked => {
                flat::compared(self.game, &determinizations, seat, &moves, place, count, means)
            }
        }?;
        let first = first_of(&values, place);
        let Compared { value: most, apart: error } = values[first];
        let mut best: Vec<(usize, i32)> = values.iter().map(|found| found.value.min(most)).enumerate().collect();
        best.sort_by_key(|(place, value)| (*place != first, std::cmp::Reverse(*value)));
        best.truncate(PREFERRED);
        let best = best.into_iter().map(|(place, value)| (moves[place].clone(), value)).collect();
        Some(Assessed { best, loss: most - values[place].value, error: if first == place { 0 } else { error } })
    }
}

/// Returns the place of the move that the one at `made` is measured by: the best of those that are surely better, else
/// the preferred one, which is the first, if it is better at all, else the made one.
fn first_of(values: &[Compared], made: usize) -> usize {
    let gain = |place: usize| values[place].value - values[made].value;
    let is_surely_better =
        |place: &usize| gain(*place) > 0 && 2 * gain(*place) >= HALVES_OF_ERROR * values[*place].apart;
    let better =
        (0..values.len()).filter(is_surely_better).max_by_key(|place| (gain(*place), std::cmp::Reverse(*place)));
    better.unwrap_or(if gain(0) > 0 { 0 } else { made })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Issue: a move lost at once was called the best, beside a better one of the same list.
    #[test]
    fn a_move_is_measured_by_the_best_that_is_surely_better() {
        let first = |values: &[(i32, i32)], made: usize| {
            let values: Vec<Compared> = values.iter().map(|&(value, apart)| Compared { value, apart }).collect();
            first_of(&values, made)
        };
        assert_eq!(first(&[(0, 0), (2784, 900), (100, 90)], 0), 1, "though the bot preferred the made one");
        assert_eq!(first(&[(5000, 0), (5600, 300), (5000, 300)], 0), 0, "which two standard errors may be by chance");
        assert_eq!(first(&[(5100, 300), (5000, 0), (5300, 300)], 1), 0, "the preferred was not chosen by this luck");
        assert_eq!(first(&[(5100, 300), (5000, 0), (7000, 300)], 1), 2);
        assert_eq!(first(&[(4900, 300), (4800, 300), (5000, 0)], 2), 2);
    }
}
