//! What followers of matches are told, and how they wait for it.
//!
//! Invariant: a follower is told what that viewer may know, and no step that a failover has undone goes unnoticed.

pub mod coalesced_look;
pub mod coalesced_reads;
pub mod cursor;
pub mod follow;
pub mod notifier;
pub(crate) mod recent;
pub mod redacted;
pub mod resync;
