//! Henge, by Rick Holzgrafe.

pub mod board;
pub mod set;
