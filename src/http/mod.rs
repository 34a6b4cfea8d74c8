//! The HTTP layer.
pub mod body;
pub mod cached;
pub mod codes;
pub mod params;
pub mod problem;
mod strict_json;
pub mod unions;
