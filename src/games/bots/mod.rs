//! Players that are not people: a move, or a ranking of moves, for what a seat sees.
//!
//! Invariants:
//! - A bot is given a view and the legal moves, never a state; what the seat does not know it imagines.
//! - What it answers is a function of view, list, level and seed: the same on every machine, with any number of threads,
//!   however busy the machine is. Only a search that is stopped answers otherwise: the best so far, no worse than what the
//!   game's knowledge ranks first, and it says so.
//!
//! Deliberately absent: matches, time, and a choice of threads: the caller chooses how many a search may use. What is
//! known of a game is in the game's folder ([`sarsen_rules::Evaluator`]).

mod assess;
pub(crate) mod budget;
mod determinizations;
pub mod duel;
pub(crate) mod erased;
mod flat;
#[cfg(any(test, feature = "testing"))]
pub mod laws;
mod level;
mod ranking;
#[cfg(test)]
mod tests;
mod tree;

pub use budget::{SearchMeans, Seed};
pub use erased::{AnyBot, Assessment, Bots, Noted, NotedMove, Pace};
pub use level::Level;
pub(crate) use ranking::Ranking;

use budget::searches;
use determinizations::Determinizations;
use ranking::as_ranked;
use sarsen_rules::{Effort, Evaluator, Method, Seat};

/// A bot of one game and strength.
pub struct Bot<'g, G: Evaluator> {
    game: &'g G,
    effort: Effort,
    /// The number of decisions in a thousand that are left to lot.
    slips: u32,
}

impl<'g, G: Evaluator> Bot<'g, G> {
    /// A bot of this level.
    pub(crate) fn new(game: &'g G, level: Level) -> Bot<'g, G> {
        Bot { slips: level.slips(&G::TUNING), ..Bot::with_effort(game, level.effort(&G::TUNING)) }
    }

    /// A bot that thinks so hard.
    pub fn with_effort(game: &'g G, effort: Effort) -> Bot<'g, G> {
        Bot { game, effort, slips: 0 }
    }

    /// The moves that it has looked at, best first.
    pub fn rank(
        &self,
        view: &G::View,
        seat: Seat,
        legal: &[G::Move],
        seed: Seed,
        means: &SearchMeans<'_>,
    ) -> Ranking<G::Move> {
        let determinizations = Determinizations::new(self.game, view, seat, seed);
        let mut slip = determinizations.slip();
        if legal.len() > 1 && slip.below(1000) < self.slips {
            return slip.one_of(legal.to_vec()).map_or_else(Ranking::none, Ranking::only);
        }
        let found = self.found(&determinizations, seat, legal, means);
        if found.moves.len() < 2 {
            return found;
        }
        let mut lot = determinizations.noise();
        let within = self.game.variety(&determinizations.state(0), seat);
        found.varied(within, &mut lot).blurred(self.effort.noise, &mut lot)
    }

    /// The same, of which nothing is left to lot.
    fn found(
        &self,
        determinizations: &Determinizations<'_, G>,
        seat: Seat,
        legal: &[G::Move],
        means: &SearchMeans<'_>,
    ) -> Ranking<G::Move> {
        let Some(first) = legal.first() else {
            return Ranking::none();
        };
        if legal.len() == 1 {
            return Ranking::only(first.clone());
        }
        let candidates = self.game.candidates(&determinizations.state(0), seat, G::TUNING.candidates);
        let simulations = self.effort.simulations;
        if candidates.list.is_empty() {
            return Ranking::only(first.clone());
        }
        match G::TUNING.method {
            _ if !searches(&G::TUNING, self.effort) || candidates.list.len() == 1 => as_ranked(candidates.list),
            Method::Ranked => as_ranked(candidates.list),
            Method::Flat { .. } => flat::search(self.game, determinizations, seat, candidates.list, simulations, means),
            Method::Tree => tree::search(self.game, determinizations, seat, candidates, simulations, means),
        }
    }
}
