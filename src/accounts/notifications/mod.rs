//! The types of notifications, and the players who listen to them.
//!
//! Invariant: every instance knows within ten seconds who has a webhook or a push subscription, so a commit in a match at
//! which nobody listens costs no trip and no work.

pub mod listeners;
mod types;

pub use listeners::Listeners;
pub use types::NotificationType;
