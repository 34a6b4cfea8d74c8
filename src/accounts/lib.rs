//! Players and how they prove who they are: tokens, sessions, codes, outside issuers, and the status that an operator or
//! a player sets.
//!
//! Invariant: a secret of a token is stored as a digest only.

pub mod auth;
pub mod notifications;
pub mod outside;
pub mod people;
pub mod player_status;
pub mod players;
pub mod programs;
mod since;
pub mod stored_items;
