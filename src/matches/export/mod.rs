//! The record of a finished match, which anyone can replay and check without this service.
//!
//! Invariants: a record holds all that the match was made of (seed, entropy, options, every step) and all that it
//! claims (commitment, events, outcome), and [`verify`] takes nothing on trust: it makes the match again from the
//! former and compares the latter. It holds no invite code. What checks each property, and what remains to be believed,
//! is a closed list: [`LEAVES`].

mod bot_replay;
pub(crate) mod format;
mod leaves;
mod making;
mod possible;
mod reading;
mod verifying;

pub use bot_replay::{ReplayedBots, check_bots, verify_bots};
pub use format::{ExportAction, MatchExport, Verbatim};
pub use leaves::{Believed, Coverage, LEAVES, Leaf, believed, leaf, walk};
pub use making::export;
pub(crate) use verifying::replayed;
pub use verifying::{Discrepancy, Verified, verify};
