//! Marks: what every instance knows of some players, so that no request needs a trip to find out. A mark may hold another
//! name than the one in matches, a ban, and that the player has left.
//!
//! Invariants: what was marked anywhere counts here within ten seconds ([`feed`]); a match is stored with the names that
//! were given, and shown with those of the marks.
//!
//! What it deliberately lacks: who may mark whom. `crate::players` and `sarsen_service::admin` decide that.

pub mod feed;
mod known;
mod stored;

pub use known::{Barred, KnownStatuses};
pub use stored::{Ban, BanFrom, DELETED, PlayerStatus};
