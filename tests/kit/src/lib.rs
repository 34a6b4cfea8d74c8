//! Shared tools of unit tests, integration tests and benchmarks.
//!
//! Nothing here knows a type of the crate: a unit test sees other types than an integration test, and this serves both.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first thing that is wrong"
)]

pub mod corpus;
pub mod environment;
pub mod golden;
pub mod proxy;
pub mod redis_cluster;
pub mod redis_sentinel;
pub mod redis_server;
