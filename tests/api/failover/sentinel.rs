//! A master and two replicas behind proxies, and three Sentinels.

use async_trait::async_trait;
use test_kit::proxy::Cut;
use test_kit::redis_sentinel::{NAME, Watched};
use tokio::time::sleep;

use super::rig::{self, Fault, HANGS, Rig};

/// The number of replicas of the master.
pub const REPLICAS: usize = 2;

/// The servers.
pub struct Sentinels(Watched);

impl Sentinels {
    pub async fn start(is_guarded: bool) -> Sentinels {
        Sentinels(Watched::behind_proxies(REPLICAS, &rig::server(is_guarded)).await)
    }
}

#[async_trait(?Send)]
impl Rig for Sentinels {
    fn settings(&self, replicas: Option<u32>) -> Vec<String> {
        let mut settings = rig::settings("sentinel", &self.0.urls(), replicas);
        settings.extend(["--redis-sentinel-master", NAME].map(str::to_owned));
        settings
    }

    async fn happens(&mut self, fault: Fault) {
        let Sentinels(watched) = self;
        let master = watched.master().await;
        match fault {
            Fault::Planned => drop(watched.fail_over().await),
            Fault::MasterKilled => {
                watched.servers[master].kill();
                watched.another_master(master).await;
                tokio::task::block_in_place(|| watched.servers[master].restart());
            }
            Fault::MasterHalted => {
                watched.servers[master].signal("-STOP");
                watched.another_master(master).await;
                watched.servers[master].signal("-CONT");
            }
            Fault::MasterCutOff => {
                watched.cables[master].cut(Cut::Servers);
                watched.another_master(master).await;
                sleep(HANGS).await;
                watched.cables[master].cut(Cut::Nobody);
            }
            Fault::ReplicaHalted => {
                let replica = (master + 1) % watched.servers.len();
                watched.servers[replica].signal("-STOP");
                sleep(HANGS).await;
                watched.servers[replica].signal("-CONT");
            }
            Fault::ReplicaBehind | Fault::InstanceKilled => panic!("{fault:?} is not for Sentinels"),
        }
        watched.ready().await;
    }
}
