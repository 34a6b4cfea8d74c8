//! The cases, by topic.

pub mod archives;
pub mod audit;
pub mod buckets;
pub mod checkpoints;
pub mod claims;
pub mod clock;
pub mod condition;
pub mod deletion;
pub mod due;
pub mod inboxes;
pub mod instances;
pub mod inventory;
pub mod items;
pub mod life;
pub mod lists;
pub mod live;
pub mod marks;
pub mod matches;
pub mod plans;
pub mod players;
pub mod replays;
pub mod reservations;
pub mod restoring;
pub mod sessions;
pub mod stamps;
pub mod tickets;
