//! Henge, by Rick Holzgrafe.

pub mod set;
