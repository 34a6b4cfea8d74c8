//! The feed: the events that followers of matches get, and how followers wait for them.
//!
//! Invariant: a follower gets only what that viewer may know, and always learns that a failover has undone a step.

pub mod coalesced_look;
pub mod coalesced_reads;
pub mod cursor;
pub mod follow;
pub mod notifier;
pub(crate) mod recent;
pub mod redacted;
pub mod resync;
pub mod streaming;
