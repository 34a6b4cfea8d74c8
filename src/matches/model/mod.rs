//! The values of matches: what is stored, what is logged, and why something is refused.
//!
//! Invariant: no value here knows a match in memory, a store or a caller.

pub mod adjudication;
pub(crate) mod bots;
pub mod clock;
pub mod events;
pub mod fairness;
pub(crate) mod fork;
pub(crate) mod invite;
pub mod log;
pub(crate) mod plan;
pub(crate) mod rating;
pub mod refused;
pub mod retention;
pub mod seated;
pub mod stored;
pub mod table_terms;
pub mod terms;
pub mod track;
pub(crate) mod unreadable;
