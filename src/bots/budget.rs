//! How long a search goes on: a number of simulations, never a time, so that a busy machine plays as well as an idle one,
//! only later.
//!
//! Invariant: what is found depends on the number of simulations alone. Whoever cannot wait sets the flag, and then
//! nothing is found.

use std::sync::atomic::{AtomicBool, Ordering};

/// The seed of a search: what is left to lot in it comes from here.
pub type Seed = [u8; 32];

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct SearchMeans<'a> {
    /// Threads at once, at least 1. The result is the same with any number.
    pub threads: usize,
    /// Ends the search soon after it is set.
    pub stop: &'a AtomicBool,
}

impl SearchMeans<'_> {
    /// Whether the search is to end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
