#![warn(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::dbg_macro)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![doc = include_str!("../README.md")]

// Some tests here share code with those that stand outside.
#[cfg(test)]
extern crate self as sarsen;

pub mod ambient;
pub mod auth;
pub mod config;
pub mod games;
pub mod http;
pub mod ids;
pub mod matches;
pub mod players;
pub mod rules;
pub mod store;
pub mod telemetry;
pub mod text;
