//! The budget of a search: a number of simulations, never a time, so that a busy machine plays as well as an idle one,
//! only later.
//!
//! Invariant: what is found depends on the number of simulations alone. Whoever cannot wait sets the flag, and then
//! nothing is found.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The seed of a search: what is left to lot in it comes from here.
pub type Seed = [u8; 32];

/// The means of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchMeans<'a> {
    /// Threads at once, at least 1. The result is the same with any number.
    pub threads: usize,
    /// Ends the search soon after it is set.
    pub stop: &'a AtomicBool,
}

impl SearchMeans<'_> {
    /// Returns whether the search is to end. It asks every few microseconds, and now and then lets others go first: a
    /// thread that stands back is still left on its core for some milliseconds unless it says that it could wait.
    pub(crate) fn stopped(&self) -> bool {
        if ASKED.with(|asked| asked.replace(asked.get().wrapping_add(1))).is_multiple_of(ASKS_BETWEEN_PAUSES) {
            thread::yield_now();
        }
        self.stop.load(Ordering::Relaxed)
    }
}

/// The number of checks for the end of a search between two yields to other threads: some 50 to 100
/// microseconds. A yield costs that little where no other thread waits.
const ASKS_BETWEEN_PAUSES: u8 = 8;

thread_local! {
    /// The number of checks that the searches of this thread have made.
    static ASKED: Cell<u8> = const { Cell::new(0) };
}
