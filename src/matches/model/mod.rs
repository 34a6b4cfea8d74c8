//! The values of matches: what is stored, what is logged, and why something is refused.
//!
//! Invariant: no value here knows a match in memory, a store or a caller.

pub mod adjudication;
pub mod bots;
pub mod clock;
pub mod events;
pub mod fairness;
pub mod fork;
pub mod invite;
pub mod log;
pub mod plan;
pub mod rating;
pub mod refused;
pub mod retention;
pub mod seated;
pub mod stored;
pub mod table_terms;
pub mod terms;
pub mod track;
pub mod unreadable;
