//! What comes in, parsed into types that cannot be wrong: bodies, queries, path segments, and who calls.

pub mod as_seat;
pub mod body;
pub mod caller;
pub mod idempotency;
pub mod operator;
pub mod params;
pub mod picture;
mod strict_json;
