//! Plans: the moves that a seat of a match has laid down ahead, secret to the others.
//!
//! Invariants:
//! - A plan is stored beside its match and not in it: neither the stored match nor its log says that there is one.
//! - As long as a plan is kept, every commit makes its match due at once ([`super::Schedule`]), in the same step. The
//!   change that the commit asks of the due index does not matter. So a committer need not know of plans, and a match
//!   without plans costs no further reads.
//! - A plan is deleted with its match. A backend keeps it for 400 days at least.
//!
//! A place in inventory and restoring is deliberately absent: the owner can make a plan again.

/// The plan of one seat. Only its owner may know its content, so it implements no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct KeptPlan {
    /// The seat, from 0.
    pub seat: u8,
    /// The stored plan, one byte at least.
    pub stored: Vec<u8>,
}
