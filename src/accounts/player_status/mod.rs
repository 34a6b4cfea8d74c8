//! Player statuses, which every instance knows, so that no request needs a trip for them. A status may hold a name that
//! replaces the one in matches, a ban, or the deletion of the player.
//!
//! Invariants: a status that is set anywhere counts here within ten seconds ([`feed`]); a match is stored with the
//! names that were given, and shown with those of the statuses.
//!
//! Authorization is deliberately absent: `crate::players` and `sarsen_service::admin` decide who may set a status.

pub mod feed;
mod known;
mod stored;

pub use known::{Barred, KnownStatuses};
pub use stored::{Ban, BanFrom, DELETED, PlayerStatus};
