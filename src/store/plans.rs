//! Plans: what seats of a match keep to themselves of the moves that they will make.
//!
//! Invariants:
//! - A plan stands beside its match and not in it: neither the stored match nor its log says that there is one.
//! - As long as a plan is kept, every commit makes its match due at once ([`super::Schedule`]), in the same step and
//!   whatever the commit asks of the due index. So whoever commits need not know of it, and nobody reads anything more for
//!   a match without plans.
//! - It goes with its match. A backend keeps it for 400 days at least.
//!
//! What it deliberately lacks: a place in inventory and restoring. A plan is its owner's to make again.

/// The plan of one seat. What it says is nobody's to know but its owner's, so it has no form to print.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptPlan {
    /// Whose it is, from 0.
    pub seat: u8,
    /// What is stored of it, one byte at least.
    pub stored: Vec<u8>,
}
