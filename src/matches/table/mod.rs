//! A match in memory, its steps, and its log as it is stored.
//!
//! Invariant: what a step makes follows from the match, the action and the moment alone. There is no store here.

pub(in crate::matches) mod earlier;
pub mod examining;
mod fixed;
pub mod live_match;
pub(in crate::matches) mod log_codec;
pub(in crate::matches) mod replay;
