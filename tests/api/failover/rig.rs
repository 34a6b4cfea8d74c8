//! Servers that the service uses, and the faults that can happen.

use std::time::Duration;

use async_trait::async_trait;

/// An event that disturbs the servers or the service.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A replica is told to take its master's place.
    Planned,
    /// A master dies (`kill -9`), a replica takes its place, and it comes back.
    MasterKilled,
    /// A master hangs (`SIGSTOP`) until a replica has taken its place, and then goes on as if nothing had happened.
    MasterHalted,
    /// The replicas and the Sentinels lose the master; the instances reach it still.
    MasterCutOff,
    /// The replicas get nothing any more; then their master dies, and one that lacks what it took since takes its place.
    ReplicaBehind,
    /// A replica hangs for some seconds.
    ReplicaHalted,
    /// An instance of the service dies (`kill -9`) and is started again.
    InstanceKilled,
}

impl Fault {
    /// As the table calls it.
    pub fn name(self) -> &'static str {
        match self {
            Fault::Planned => "planned failover",
            Fault::MasterKilled => "master killed (kill -9)",
            Fault::MasterHalted => "master halted (SIGSTOP), goes on later",
            Fault::MasterCutOff => "master cut off from replicas and Sentinels",
            Fault::ReplicaBehind => "replication cut, then the master killed",
            Fault::ReplicaHalted => "replica halted for 4 s, no failover",
            Fault::InstanceKilled => "instance killed (kill -9), started again",
        }
    }
}

/// The time for which a replica hangs, or gets nothing.
pub const HANGS: Duration = Duration::from_secs(4);

/// Servers that can fail.
#[async_trait(?Send)]
pub trait Rig {
    /// The program's settings that lead there, waiting for so many replicas if any.
    fn settings(&self, replicas: Option<u32>) -> Vec<String>;

    /// Has something happen, and returns once the servers are all up again and replicate.
    async fn happens(&mut self, fault: Fault);
}

/// The settings that are the same on all servers. A guarded master takes nothing while no replica follows it.
pub fn server(is_guarded: bool) -> [&'static str; 6] {
    let least = if is_guarded { "1" } else { "0" };
    ["--appendfsync", "always", "--maxmemory-policy", "noeviction", "--min-replicas-to-write", least]
}

/// The settings of the program for a Redis in this arrangement.
pub fn settings(mode: &str, urls: &[String], replicas: Option<u32>) -> Vec<String> {
    let (urls, replicas) = (urls.join(","), replicas.unwrap_or(0).to_string());
    ["--redis-mode", mode, "--redis-url", &urls, "--redis-wait-replicas", &replicas].map(str::to_owned).to_vec()
}
