//! What several test binaries share.

// Each binary uses its part of it.
#![allow(dead_code)]

pub mod follow;
pub mod redis_server;
pub mod temp_dir;
