//! The cases, by topic.

pub mod inboxes;
pub mod life;
pub mod limits;
pub mod lists;
pub mod live;
pub mod matches;
pub mod once;
pub mod players;
pub mod replays;
pub mod sessions;
