//! What followers of matches are told, and how they wait for it.
//!
//! Invariant: a follower is told what that viewer may know, and no step that a failover has undone goes unnoticed.

pub mod cursor;
pub mod follow;
pub mod hub;
pub(crate) mod recent;
pub mod resync;
pub mod shared_reads;
pub mod together;
pub mod told;
