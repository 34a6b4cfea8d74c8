//! A master, a replica and three Sentinels: the store finds the master, and the next one.

use std::sync::Arc;
use std::time::Duration;

use sarsen::store::redis::{RedisConfig, RedisMode, RedisStore};
use sarsen::store::{Committed, Live, MatchStore, Store, StoreError};
use tokio::time::{Instant, timeout};

use super::connect;
use super::server::{Server, free_port};
use crate::harness::{DEADLINE, eventually, hear, match_id, step};

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

/// A store at whichever server these Sentinels name. It waits long for answers.
async fn watched(urls: Vec<String>) -> Arc<RedisStore> {
    let mode = RedisMode::Sentinel { master: "stones".to_owned(), username: None, password: None };
    connect(&RedisConfig { urls, mode, response_timeout: 3 * DEADLINE, ..RedisConfig::single("") }).await
}

/// A Sentinel that names this server the master.
fn naming(server: &Server) -> Server {
    Server::sentinel(&format!("sentinel monitor stones 127.0.0.1 {} 1\n", server.port))
}

/// Has a Sentinel name another server, of which the one before does not hear.
async fn name_instead(sentinel: &Server, server: &Server) {
    let mut monitor = ::redis::cmd("SENTINEL");
    monitor.arg("MONITOR").arg("stones").arg("127.0.0.1").arg(server.port).arg(1);
    sentinel.ask::<()>(::redis::cmd("SENTINEL").arg("REMOVE").arg("stones")).await;
    sentinel.ask::<()>(&monitor).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_master_that_is_replaced_is_left_although_it_takes_all_that_is_sent() {
    let (old, new) = (Server::start(&[]), Server::start(&[]));
    let sentinel = naming(&old);
    let store = watched(vec![sentinel.url()]).await;
    let (mut live, id) = (store.live(), match_id());
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    name_instead(&sentinel, &new).await;
    eventually(None, || async { store.load_match(&id, None).await.unwrap() }).await;
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    // The subscription follows too.
    hear(&mut live, &Live::Resync).await;
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
    hear(&mut live, &Live::Match(id.clone(), 2)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_replaced_master_would_have_answered_does_not_count() {
    let (old, new) = (Server::start(&[]), Server::start(&[]));
    let sentinel = naming(&old);
    let store = watched(vec![sentinel.url()]).await;
    let pause: Duration = 3 * DEADLINE;
    let _: () = old.ask(::redis::cmd("CLIENT").arg("PAUSE").arg(pause.as_millis() as u64).arg("WRITE")).await;
    let commit = tokio::spawn(async move { store.commit(step(&match_id(), 0)).await });
    let under_way = || async {
        let clients: String = old.ask(::redis::cmd("CLIENT").arg("LIST")).await;
        clients.contains("cmd=evalsha")
    };
    eventually(true, under_way).await;
    name_instead(&sentinel, &new).await;
    let outcome = timeout(DEADLINE, commit).await.expect("long before the answer or the limit").unwrap();
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
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
    let store = watched(urls).await;
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
