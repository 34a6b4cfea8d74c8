//! Work beside requests, and the use cases of operators: background tasks, moderation, deletion of accounts, ratings,
//! transfer and check of stores, the sandbox, notifications, and outbound HTTP.
//!
//! Invariant: every change of a match goes through `sarsen_matches`.

pub mod account_deletion;
pub mod admin;
pub mod background;
pub mod notifications;
pub mod outbound;
pub mod pools;
pub mod ratings;
pub mod sandbox;
#[cfg(test)]
mod tests;
pub mod transfer;
