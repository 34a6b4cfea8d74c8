//! Ids, clock and randomness, text, logs and counters: what every other crate may use.
//!
//! Invariant: nothing here knows a match, a player or a store.

pub mod ambient;
pub mod ids;
pub mod telemetry;
pub mod text;
