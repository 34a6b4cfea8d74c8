//! Plans of runs: the servers, how many replicas are waited for, and what happens in which order.

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
    pub name: String,
    pub servers: Servers,
    /// The number of replicas that are waited for, if any.
    pub replicas: Option<u32>,
    /// True if the masters have `min-replicas-to-write 1`.
    pub is_guarded: bool,
    /// True if nothing may be lost; otherwise losses are only counted.
    pub promises: bool,
    /// The number of pairs that play.
    pub pairs: usize,
    pub faults: Vec<Fault>,
}

impl Plan {
    /// Starts the servers.
    pub async fn build(&self) -> Box<dyn Rig> {
        match self.servers {
            Servers::Sentinel => Box::new(Sentinels::start(self.is_guarded).await),
            Servers::Cluster => Box::new(Shards::start(self.is_guarded).await),
        }
    }
}

/// The plan of the ordinary run.
pub fn small() -> Plan {
    Plan {
        name: "Sentinel (1 master, 2 replicas), 2 of 2 replicas waited for, min-replicas-to-write 1, small".to_owned(),
        servers: Servers::Sentinel,
        replicas: Some(REPLICAS as u32),
        is_guarded: true,
        promises: true,
        pairs: 4,
        faults: vec![Fault::Planned, Fault::MasterKilled],
    }
}

/// The plans of `tests/full.sh failover`.
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
    let (of_sentinel, of_cluster) = (sentinel[..8].to_vec(), cluster[..8].to_vec());
    let plan = |servers, replicas: Option<u32>, is_guarded, faults| {
        let (arrangement, all) = match servers {
            Servers::Sentinel => ("Sentinel (1 master, 2 replicas)", REPLICAS as u32),
            Servers::Cluster => ("Cluster (3 masters with 1 replica each)", 1),
        };
        let name = format!(
            "{arrangement}, {} of {all} replicas waited for, min-replicas-to-write {}",
            replicas.unwrap_or(0),
            u8::from(is_guarded)
        );
        Plan { name, servers, replicas, is_guarded, promises: replicas == Some(all), pairs: 16, faults }
    };
    vec![
        plan(Servers::Sentinel, Some(REPLICAS as u32), true, sentinel),
        plan(Servers::Cluster, Some(1), true, cluster),
        plan(Servers::Sentinel, Some(1), true, of_sentinel.clone()),
        plan(Servers::Sentinel, None, true, of_sentinel.clone()),
        plan(Servers::Cluster, None, true, of_cluster.clone()),
        plan(Servers::Sentinel, None, false, of_sentinel),
        plan(Servers::Cluster, None, false, of_cluster),
    ]
}
