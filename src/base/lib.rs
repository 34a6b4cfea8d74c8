//! Ids, clock and randomness, text, logs, counters and worker threads: the base of every other crate.
//!
//! Invariant: nothing here knows a match, a player or a store.

pub mod ambient;
pub mod fair_queue;
pub mod ids;
mod named;
pub mod telemetry;
pub mod text;
pub mod worker_pool;
