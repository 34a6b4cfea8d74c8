//! Extractors: bodies, queries, path segments and callers, parsed into types without invalid values.

pub mod as_seat;
pub mod body;
pub mod caller;
pub mod idempotency;
pub mod operator;
pub mod params;
pub mod picture;
mod strict_json;
