//! How this service reads the points that the printed rules leave open, in our own words.

use crate::rules::Ruling;

/// All rulings.
pub const RULINGS: &[Ruling] = &[];
