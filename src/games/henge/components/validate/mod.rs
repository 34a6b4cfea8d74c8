//! The validator (section 1.4): what the rulebook forces on every set, and what our rules need to stay total.
//!
//! Invariants: all faults are found, each naming the table, card, slot or step; no input makes it panic. Sums over a
//! table are judged only if every row of it could be read, so that one unreadable row is one fault.

mod board;
mod cards;
mod decks;
mod lists;
mod numbers;
mod rondel;

use super::fault::Faults;
use super::file::Draft;

/// Adds every fault of the draft.
pub(crate) fn check(draft: &Draft, faults: &mut Faults) {
    numbers::check(draft, faults);
    decks::check(draft, faults);
    cards::check(draft, faults);
    board::check(draft, faults);
    rondel::check(draft, faults);
}
