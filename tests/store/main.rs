//! The contract of `sarsen::store::Store`, as cases that every backend passes, and what only one backend promises.
//!
//! A case is a named function in `cases/`, written against the trait alone; [`every_case!`] makes a test of each for one
//! backend. Only what the contract calls eventual is waited for, with a deadline ([`harness::eventually`]).

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test stops at the first thing that is wrong")]

mod cases;
mod embedded;
mod floor_plan;
mod harness;
mod kill;
mod redis;
