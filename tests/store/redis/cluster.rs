//! A cluster: three masters that share the slots.

use std::time::{Duration, Instant};

use sarsen::store::redis::{RedisConfig, RedisMode};

use super::server::Server;

const SLOTS: u16 = 16_384;
const FORMING: Duration = Duration::from_secs(30);

/// A cluster whose slots are all served.
pub struct Cluster {
    nodes: Vec<Server>,
}

impl Cluster {
    /// Starts the nodes and joins them.
    pub fn start() -> Cluster {
        let settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
        let nodes: Vec<Server> = (0..3).map(|_| Server::start(&settings)).collect();
        let mut connections: Vec<_> =
            nodes.iter().map(|node| ::redis::Client::open(node.url()).unwrap().get_connection().unwrap()).collect();
        for (number, connection) in connections.iter_mut().enumerate() {
            let slots: Vec<u16> =
                (0..SLOTS).filter(|slot| usize::from(*slot) * 3 / usize::from(SLOTS) == number).collect();
            ::redis::cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(number + 1).exec(connection).unwrap();
            ::redis::cmd("CLUSTER").arg("ADDSLOTS").arg(slots).exec(connection).unwrap();
            ::redis::cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(nodes[0].port).exec(connection).unwrap();
        }
        let start = Instant::now();
        for connection in &mut connections {
            loop {
                let info: String = ::redis::cmd("CLUSTER").arg("INFO").query(connection).unwrap();
                let joined = ["cluster_state:ok", "cluster_known_nodes:3", "cluster_size:3"];
                if joined.iter().all(|line| info.contains(line)) {
                    break;
                }
                assert!(start.elapsed() < FORMING, "the cluster does not form: {info}");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        Cluster { nodes }
    }

    /// Settings that lead to it.
    pub fn config(&self) -> RedisConfig {
        RedisConfig {
            urls: self.nodes.iter().map(Server::url).collect(),
            mode: RedisMode::Cluster,
            ..RedisConfig::single("")
        }
    }
}
