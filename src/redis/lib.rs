//! Connections to Redis: to one server, to the master that Sentinels name, or to the nodes of a cluster.
//!
//! Invariants: a connection to a server that is no longer the master is given up before an answer on it counts, and a
//! write that waits for replicas is answered only once they have it. Keys, values and what a command means are
//! deliberately absent: they are the store's.

pub mod access;
mod address;
pub mod checks;
pub mod clustered;
pub mod config;
pub(crate) mod connection;
pub mod connector;
mod disks;
pub mod durability_check;
pub mod limit;
mod own;
mod quorum;
mod runtimes;
pub mod script;
mod sentinel_watcher;
mod sentinels;
pub mod shards;
pub mod single;
mod wait_pool;
