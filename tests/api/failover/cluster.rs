//! A cluster of three masters with a replica each.

use async_trait::async_trait;
use test_kit::redis_cluster::Cluster;
use tokio::time::sleep;

use super::rig::{self, Fault, HANGS, Rig};

/// The user as whom replicas follow their masters: without it they get nothing.
const FOLLOWER: [&str; 10] =
    ["--user", "follower", "on", ">follows", "+@all", "~*", "--masteruser", "follower", "--masterauth", "follows"];

/// The servers.
pub struct Shards {
    cluster: Cluster,
    /// The number of the pair to which the next fault happens.
    next: usize,
}

impl Shards {
    pub async fn start(is_guarded: bool) -> Shards {
        let settings = [&rig::server(is_guarded)[..], &FOLLOWER].concat();
        let cluster = tokio::task::spawn_blocking(move || Cluster::start(1, &settings)).await.unwrap();
        Shards { cluster, next: 0 }
    }
}

#[async_trait(?Send)]
impl Rig for Shards {
    fn settings(&self, replicas: Option<u32>) -> Vec<String> {
        rig::settings("cluster", &self.cluster.urls(), replicas)
    }

    async fn happens(&mut self, fault: Fault) {
        let pairs = self.cluster.pairs().await;
        let (master, replica) = pairs[self.next % pairs.len()];
        self.next += 1;
        let nodes = &mut self.cluster.nodes;
        match fault {
            Fault::Planned => self.cluster.fail_over_to(&self.cluster.nodes[replica]).await,
            Fault::MasterKilled => {
                nodes[master].kill();
                self.cluster.promoted(replica).await;
                tokio::task::block_in_place(|| self.cluster.nodes[master].restart());
            }
            Fault::MasterHalted => {
                nodes[master].signal("-STOP");
                self.cluster.promoted(replica).await;
                self.cluster.nodes[master].signal("-CONT");
            }
            Fault::ReplicaBehind => {
                let acl = ["SETUSER", "follower", "off"];
                nodes[master].ask::<()>(redis::cmd("ACL").arg(&acl)).await;
                nodes[master].ask::<()>(redis::cmd("CLIENT").arg(&["KILL", "TYPE", "replica"])).await;
                sleep(HANGS).await;
                nodes[master].kill();
                self.cluster.promoted(replica).await;
                tokio::task::block_in_place(|| self.cluster.nodes[master].restart());
            }
            Fault::ReplicaHalted => {
                nodes[replica].signal("-STOP");
                sleep(HANGS).await;
                nodes[replica].signal("-CONT");
            }
            Fault::MasterCutOff | Fault::InstanceKilled => panic!("{fault:?} is not for a cluster"),
        }
        self.cluster.ready().await;
    }
}
