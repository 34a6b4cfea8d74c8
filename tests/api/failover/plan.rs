//! What is played: on which servers, how many are waited for, and what happens in which order.

use super::cluster::Shards;
use super::rig::{Fault, Rig};
use super::sentinel::{REPLICAS, Sentinels};

/// The servers of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Servers {
    Sentinel,
    Cluster,
}

/// One run.
pub struct Plan {
    pub name: &'static str,
    pub servers: Servers,
    /// How many replicas are waited for, if any.
    pub replicas: Option<u32>,
    /// How many pairs play.
    pub pairs: usize,
    pub faults: Vec<Fault>,
}

impl Plan {
    /// Starts the servers.
    pub async fn build(&self) -> Box<dyn Rig> {
        match self.servers {
            Servers::Sentinel => Box::new(Sentinels::start().await),
            Servers::Cluster => Box::new(Shards::start().await),
        }
    }
}

/// What the ordinary run plays.
pub fn small() -> Plan {
    Plan {
        name: "Sentinel (1 master, 2 replicas), both replicas waited for, small",
        servers: Servers::Sentinel,
        replicas: Some(REPLICAS as u32),
        pairs: 4,
        faults: vec![Fault::Planned, Fault::MasterKilled],
    }
}

/// What `tests/full.sh failover` plays.
pub fn whole() -> Vec<Plan> {
    use Fault::{InstanceKilled, MasterCutOff, MasterHalted, MasterKilled, Planned, ReplicaBehind, ReplicaHalted};
    let sentinel = vec![
        Planned,
        MasterKilled,
        InstanceKilled,
        MasterCutOff,
        MasterHalted,
        ReplicaHalted,
        Planned,
        MasterCutOff,
        MasterKilled,
        MasterHalted,
        InstanceKilled,
        Planned,
    ];
    let cluster = vec![
        Planned,
        MasterKilled,
        InstanceKilled,
        ReplicaBehind,
        MasterHalted,
        ReplicaHalted,
        Planned,
        ReplicaBehind,
        MasterKilled,
        MasterHalted,
        InstanceKilled,
        Planned,
    ];
    let plan = |name, servers, replicas, faults| Plan { name, servers, replicas, pairs: 16, faults };
    let all = Some(REPLICAS as u32);
    vec![
        plan("Sentinel (1 master, 2 replicas), both replicas waited for", Servers::Sentinel, all, sentinel.clone()),
        plan("Cluster (3 masters, 3 replicas), the replica waited for", Servers::Cluster, Some(1), cluster.clone()),
        plan("Sentinel (1 master, 2 replicas), nobody waited for", Servers::Sentinel, None, sentinel[..8].to_vec()),
        plan("Cluster (3 masters, 3 replicas), nobody waited for", Servers::Cluster, None, cluster[..8].to_vec()),
    ]
}
