//! Components in plain English, made from the data, so that a front end can show any set's cards.
//!
//! Invariant: every word of the vocabulary has a phrase in `phrases`. Texts end with a full stop and say what happens to the
//! reader's own seat.

mod effect;
mod entries;
mod numbers;
mod phrases;
mod score;

pub(crate) use effect::effects;
pub use entries::glossary;
pub(crate) use entries::key;
pub(crate) use phrases::{action, privilege};
#[cfg(test)]
pub(crate) use score::score;
