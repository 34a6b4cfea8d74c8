//! A match in memory, its steps, and its log as it is stored.
//!
//! Invariant: what a step makes follows from the match, the action and the moment alone. There is no store here.

pub(crate) mod earlier;
pub mod examining;
pub mod live_match;
pub(crate) mod log_codec;
pub(crate) mod replay;
