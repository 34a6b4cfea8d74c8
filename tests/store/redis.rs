//! The Redis backend: every case on one server and on a cluster; with replicas that a commit waits for, the cases that
//! wait; and what is its own.

mod cluster;
mod inboxes;
mod instances;
mod one_of_three;
mod outage;
mod replication;
mod runtimes;
mod sentinel;
mod subscriptions;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use async_trait::async_trait;
use sarsen::ambient::{Ambient, Timestamp};
use sarsen::store::Store;
use sarsen::store::redis::{RedisConfig, RedisStore};
use test_kit::redis_cluster::Cluster;
use test_kit::redis_server as server;

use self::server::Server;
use crate::harness::Harness;

mod single {
    crate::harness::every_case!(crate::redis::OneServer);
}

mod clustered {
    crate::harness::every_case!(crate::redis::ThreeNodes);
}

mod waiting {
    crate::harness::waiting_cases!(crate::redis::OnePair);
}

mod clustered_waiting {
    crate::harness::waiting_cases!(crate::redis::ThreePairs);
}

/// Opens the store.
async fn connect(config: &RedisConfig) -> Arc<RedisStore> {
    let config = RedisConfig { games: games(), ..config.clone() };
    Arc::new(RedisStore::connect(config, Ambient::system()).await.unwrap())
}

/// The games of these tests.
fn games() -> Arc<[String]> {
    ["contiguity", "henge", "hengex", "rare", "common"].map(str::to_owned).into()
}

/// A prefix like no other, so that cases can share a server.
fn prefix() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("test{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A prefix on one server, which all cases share.
pub struct OneServer(RedisConfig);

/// A prefix on a cluster of three nodes, which all cases share.
pub struct ThreeNodes(RedisConfig);

/// A prefix on a server with a replica that is waited for, which all cases share.
pub struct OnePair(RedisConfig);

/// A prefix on a cluster of three masters with a replica each that is waited for, which all cases share.
pub struct ThreePairs(RedisConfig);

macro_rules! harness {
    ($name:ident, $fresh:expr) => {
        #[async_trait]
        impl Harness for $name {
            async fn fresh() -> $name {
                $fresh
            }

            async fn open(&self) -> Arc<dyn Store> {
                connect(&self.0).await
            }

            async fn second(&self) -> Option<Arc<dyn Store>> {
                Some(connect(&self.0).await)
            }

            fn now(&self) -> Timestamp {
                Ambient::system().now()
            }

            async fn pass(&self, seconds: u32) {
                // An instance knows the server's time to half of the longest trip.
                tokio::time::sleep(Duration::from_secs(seconds.into()) + Duration::from_millis(520)).await;
            }
        }
    };
}

harness!(OneServer, {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(|| Server::start(&[]));
    OneServer(RedisConfig { prefix: prefix(), ..RedisConfig::single(server.url()) })
});

harness!(ThreeNodes, {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    let cluster = CLUSTER.get_or_init(|| Cluster::start(0, &[]));
    ThreeNodes(RedisConfig { prefix: prefix(), ..cluster::config(cluster) })
});

harness!(OnePair, {
    static PAIR: tokio::sync::OnceCell<[Server; 2]> = tokio::sync::OnceCell::const_new();
    let [master, _] = PAIR.get_or_init(replication::pair).await;
    let config = replication::waiting_for(1, RedisConfig::single(master.url()));
    OnePair(RedisConfig { prefix: prefix(), ..config })
});

harness!(ThreePairs, {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    let cluster = CLUSTER.get_or_init(|| Cluster::start(1, &[]));
    ThreePairs(RedisConfig { prefix: prefix(), ..replication::waiting_for(1, cluster::config(cluster)) })
});
