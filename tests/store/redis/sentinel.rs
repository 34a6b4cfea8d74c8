//! A master, a replica and three Sentinels: the store finds the master, and the next one.

use std::time::Duration;

use sarsen::store::redis::{RedisConfig, RedisMode};
use sarsen::store::{Committed, Live, MatchStore, Store};
use tokio::time::Instant;

use super::connect;
use super::server::{Server, free_port};
use crate::harness::{hear, match_id, step};

const SETTLING: Duration = Duration::from_secs(60);

/// Waits until a server says what is wanted.
async fn until(server: &Server, command: &::redis::Cmd, wanted: impl Fn(&str) -> bool) {
    let start = Instant::now();
    loop {
        let client = ::redis::Client::open(server.url()).unwrap();
        let mut connection = client.get_multiplexed_async_connection().await.unwrap();
        let answer: ::redis::RedisResult<String> = command.query_async(&mut connection).await;
        if answer.as_ref().is_ok_and(|answer| wanted(answer)) {
            return;
        }
        assert!(start.elapsed() < SETTLING, "{answer:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_store_follows_the_master() {
    let mut master = Server::start(&[]);
    let replica =
        Server::start(&["--replicaof", "127.0.0.1", &master.port.to_string(), "--repl-diskless-sync-delay", "0"]);
    let configuration = format!(
        "sentinel monitor stones 127.0.0.1 {} 2\nsentinel down-after-milliseconds stones 700\nsentinel failover-timeout stones 5000\n",
        master.port
    );
    let sentinels: Vec<Server> = (0..3).map(|_| Server::sentinel(&configuration)).collect();
    until(&replica, ::redis::cmd("INFO").arg("replication"), |info| info.contains("master_link_status:up")).await;
    for sentinel in &sentinels {
        let quorum = "OK 3 usable Sentinels";
        until(sentinel, ::redis::cmd("SENTINEL").arg("CKQUORUM").arg("stones"), |answer| answer.starts_with(quorum))
            .await;
        until(sentinel, ::redis::cmd("INFO").arg("sentinel"), |info| info.contains("slaves=1")).await;
    }

    // The first Sentinel asked is not there.
    let mut urls = vec![format!("redis://127.0.0.1:{}", free_port())];
    urls.extend(sentinels.iter().map(Server::url));
    let mode = RedisMode::Sentinel { master: "stones".to_owned(), username: None, password: None };
    let store = connect(&RedisConfig { urls, mode, ..RedisConfig::single("") }).await;
    let (mut live, id) = (store.live(), match_id());
    for version in 0..10 {
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes);
    }
    let reached: u64 = master.ask(::redis::cmd("WAIT").arg(1).arg(5000)).await;
    assert_eq!(reached, 1, "the replica has everything");

    master.kill();
    let start = Instant::now();
    while store.ready().await.is_err() {
        assert!(start.elapsed() < SETTLING, "no master");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, 10);
    hear(&mut live, &Live::Resync).await;
    assert_eq!(store.commit(step(&id, 10)).await.unwrap(), Committed::Yes);
    hear(&mut live, &Live::Match(id.clone(), 11)).await;
    until(&replica, ::redis::cmd("INFO").arg("replication"), |info| info.contains("role:master")).await;
}
