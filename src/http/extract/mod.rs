//! Extractors: bodies, queries, path segments and callers, parsed into types without invalid values.

pub(crate) mod as_seat;
pub(crate) mod body;
pub(crate) mod caller;
pub(crate) mod idempotency;
pub(crate) mod operator;
pub(crate) mod params;
pub(crate) mod picture;
mod strict_json;
