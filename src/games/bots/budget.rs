//! The budget of a search: a number of simulations, never a time, so that a busy machine plays as well as an idle one,
//! only later.
//!
//! Invariant: what is found depends on the number of simulations alone. Only a search that its caller stops finds less, and
//! says so.

use sarsen_rules::{Effort, Method, Tuning};

/// The seed of a search: what is left to lot in it comes from here.
pub type Seed = [u8; 32];

/// The means of a search.
#[derive(Clone, Copy)]
pub struct SearchMeans<'a> {
    /// Threads at once, at least 1. The result is the same with any number.
    pub threads: usize,
    /// Asked every few microseconds: whether the search is to end with the best that it has found so far.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// Fewer simulations choose worse than none: a search that is cut before leaves the candidates as they were ranked.
pub(crate) const FEWEST_SIMULATIONS: u32 = 100;

/// Returns whether anything is searched with this effort.
pub(crate) fn searches(tuning: &Tuning, effort: Effort) -> bool {
    effort.simulations > 0 && tuning.method != Method::Ranked
}
