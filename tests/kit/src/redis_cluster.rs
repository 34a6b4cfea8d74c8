//! A cluster for tests: three masters that share the slots, each with as many replicas as wanted.

use std::time::Duration;

use redis::Connection;
use tokio::time::{Instant, sleep};

use crate::redis_server::Server;

/// The number of slots.
pub const SLOTS: u16 = 16_384;
const MASTERS: usize = 3;
/// The time for which a replica tries to be promoted.
const MANUAL: Duration = Duration::from_secs(6);
const FORMING: Duration = Duration::from_secs(60);

/// A cluster whose slots are all served.
pub struct Cluster {
    /// The masters, and then the first replicas of each, the second ones and so on; until a failover.
    pub nodes: Vec<Server>,
}

fn connection(node: &Server) -> Connection {
    redis::Client::open(node.url()).unwrap().get_connection().unwrap()
}

/// The section of a node's `INFO` about replication.
async fn about(node: &Server) -> String {
    node.ask(redis::cmd("INFO").arg("replication")).await
}

/// Asks until the answer contains everything wanted.
fn until(connection: &mut Connection, question: [&str; 2], wanted: &[&str]) {
    let start = Instant::now();
    loop {
        let answer: String = redis::cmd(question[0]).arg(question[1]).query(connection).unwrap();
        if wanted.iter().all(|line| answer.contains(line)) {
            return;
        }
        assert!(start.elapsed() < FORMING, "the cluster does not form: {answer}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

impl Cluster {
    /// Starts the nodes, with more settings, and joins them.
    pub fn start(replicas_each: usize, settings: &[&str]) -> Cluster {
        let usual = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--appendfsync", "always"];
        let usual =
            [&usual[..], &["--repl-diskless-sync-delay", "0", "--cluster-replica-validity-factor", "0"]].concat();
        let all = MASTERS * (1 + replicas_each);
        let nodes: Vec<Server> = (0..all).map(|_| Server::start(&[&usual, settings].concat())).collect();
        let mut connections: Vec<Connection> = nodes.iter().map(connection).collect();
        let mut names = Vec::new();
        // The second port follows from the one that nodes use among themselves.
        let bus = nodes[0].tls_port().unwrap_or(nodes[0].port);
        for (number, connection) in connections.iter_mut().enumerate() {
            names.push(redis::cmd("CLUSTER").arg("MYID").query::<String>(connection).unwrap());
            redis::cmd("CLUSTER").arg("SET-CONFIG-EPOCH").arg(number + 1).exec(connection).unwrap();
            if number < MASTERS {
                let slots: Vec<u16> = (0..SLOTS).filter(|slot| Cluster::place_of(*slot) == number).collect();
                redis::cmd("CLUSTER").arg("ADDSLOTS").arg(slots).exec(connection).unwrap();
            }
            redis::cmd("CLUSTER").arg("MEET").arg("127.0.0.1").arg(bus).exec(connection).unwrap();
        }
        let known = format!("cluster_known_nodes:{all}");
        for connection in &mut connections {
            until(connection, ["CLUSTER", "INFO"], &["cluster_state:ok", &known, "cluster_size:3"]);
        }
        for (number, connection) in connections.iter_mut().enumerate().skip(MASTERS) {
            redis::cmd("CLUSTER").arg("REPLICATE").arg(&names[number % MASTERS]).exec(connection).unwrap();
            until(connection, ["INFO", "replication"], &["role:slave", "master_link_status:up"]);
        }
        for connection in connections.iter_mut().take(MASTERS) {
            let connected = format!("connected_slaves:{replicas_each}");
            until(connection, ["INFO", "replication"], &[&connected]);
        }
        Cluster { nodes }
    }

    /// Returns the number of the master that has a slot at first.
    pub fn place_of(slot: u16) -> usize {
        usize::from(slot) * MASTERS / usize::from(SLOTS)
    }

    /// Has a replica take the place of its master.
    pub async fn fail_over_to(&self, replica: &Server) {
        let (start, mut asked) = (Instant::now(), None);
        let info: &mut redis::Cmd = &mut redis::cmd("INFO");
        info.arg("replication");
        while !replica.ask::<String>(info).await.contains("role:master") {
            // Where a replica has not come up with its master in time, or has no votes, it has to be asked again.
            if asked.is_none_or(|asked: Instant| asked.elapsed() > MANUAL) {
                replica.try_to_ask::<()>(redis::cmd("CLUSTER").arg("FAILOVER")).await.ok();
                asked.replace(Instant::now());
            }
            assert!(start.elapsed() < FORMING, "the replica is not promoted");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a node is a master.
    pub async fn promoted(&self, place: usize) {
        let start = Instant::now();
        while !about(&self.nodes[place]).await.contains("role:master") {
            assert!(start.elapsed() < FORMING, "the replica is not promoted");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// The places of each master that serves slots and of a replica of it.
    pub async fn pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (place, node) in self.nodes.iter().enumerate() {
            let role: redis::Role = node.ask(&redis::cmd("ROLE")).await;
            let redis::Role::Replica { primary_port, .. } = role else { continue };
            let master = self.nodes.iter().position(|node| node.port == primary_port);
            pairs.push((master.expect("one of the nodes"), place));
        }
        pairs
    }

    /// Waits until three masters serve all slots and every other node follows one of them.
    pub async fn ready(&self) {
        let start = Instant::now();
        for (place, node) in self.nodes.iter().enumerate() {
            loop {
                let state: String = node.ask(redis::cmd("CLUSTER").arg("INFO")).await;
                let role = about(node).await;
                let follows = role.contains("role:master") || role.contains("master_link_status:up");
                if state.contains("cluster_state:ok") && follows && self.is_as_others_see_it(place).await {
                    break;
                }
                assert!(start.elapsed() < FORMING, "node {place} does not come back: {state} {role}");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }

    /// Returns true if all nodes agree on whether this one is a master.
    async fn is_as_others_see_it(&self, place: usize) -> bool {
        let node = &self.nodes[place];
        let is_master = about(node).await.contains("role:master");
        let address = format!(":{}@", node.port);
        for other in &self.nodes {
            let nodes: String = other.ask(redis::cmd("CLUSTER").arg("NODES")).await;
            let line = nodes.lines().find(|line| line.contains(&address)).unwrap_or_default();
            if line.contains("fail") || line.contains("master") != is_master {
                return false;
            }
        }
        true
    }

    /// The addresses of all nodes.
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(Server::url).collect()
    }
}
