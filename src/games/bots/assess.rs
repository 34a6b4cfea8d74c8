//! The assessment of a move that was made: its loss against the move that the bot itself prefers.
//!
//! Invariants: both are estimated by one and the same search, with the same seed in the same determinizations, so that
//! noise cancels. These are others than those that the preferred move was chosen in, so that luck there does not count as
//! a loss here. Everything follows from the view: two states that the seat cannot tell apart give the same assessment.

use super::Bot;
use super::budget::{SearchMeans, Seed};
use super::determinizations::Determinizations;
use super::{flat, tree};
use sarsen_rules::{Evaluator, Method, Seat};

/// The number of preferred moves that are compared with the one that was made.
const PREFERRED: usize = 3;
/// The fewest simulations of a comparison: levels that search less, or not at all, are compared by these.
const LEAST: u32 = 240;

/// The assessment of a move. Values are 0 (lost) to [`WON`](sarsen_rules::WON).
pub(crate) struct Assessed<M> {
    /// The best moves with their values, in the order in which the bot prefers them. The made move is first of them where
    /// it is worth as much as the preferred one.
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
        let count = self.effort.simulations.max(LEAST) / moves.len() as u32;
        let values = match G::TUNING.method {
            Method::Tree => tree::compared(self.game, &determinizations, seat, &moves, place, count, means),
            Method::Flat { .. } | Method::Ranked => {
                flat::compared(self.game, &determinizations, seat, &moves, place, count, means)
            }
        }?;
        let worth = values[place].value;
        let mut best: Vec<(G::Move, i32)> = moves.into_iter().zip(values.iter().map(|it| it.value)).collect();
        let is_best = place == 0 || worth >= best[0].1;
        let loss = if is_best { 0 } else { best[0].1 - worth };
        if is_best {
            best[..=place].rotate_right(1);
        }
        best.truncate(PREFERRED);
        Some(Assessed { best, loss, error: if is_best { 0 } else { values[0].apart } })
    }
}
