//! A master, a replica and three Sentinels: the store finds the master, and the next one.

use std::sync::Arc;
use std::time::Duration;

use sarsen::store::redis::{RedisConfig, RedisMode, RedisStore};
use sarsen::store::{Committed, Live, MatchStore, Store, StoreError};
use test_kit::redis_sentinel::{NAME, Watched};
use tokio::time::{Instant, timeout};

use super::connect;
use super::server::{Server, free_port};
use crate::harness::{DEADLINE, eventually, hear, match_id, step};

/// How long a failover may take.
const FAILOVER: Duration = Duration::from_secs(60);

/// Settings that lead to whichever server these Sentinels name.
pub fn config(urls: Vec<String>) -> RedisConfig {
    let mode = RedisMode::Sentinel { master: NAME.to_owned(), username: None, password: None };
    RedisConfig { urls, mode, ..RedisConfig::single("") }
}

/// A store that waits long for answers.
async fn patient(sentinel: &Server) -> Arc<RedisStore> {
    connect(&RedisConfig { response_timeout: 3 * DEADLINE, ..config(vec![sentinel.url()]) }).await
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
    let store = patient(&sentinel).await;
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
    let store = patient(&sentinel).await;
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
    let mut watched = Watched::start(1, &[]).await;
    // The first Sentinel asked is not there.
    let mut urls = vec![format!("redis://127.0.0.1:{}", free_port())];
    urls.extend(watched.urls());
    let store = connect(&config(urls)).await;
    let (mut live, id) = (store.live(), match_id());
    for version in 0..10 {
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes);
    }
    let reached: u64 = watched.servers[0].ask(::redis::cmd("WAIT").arg(1).arg(5000)).await;
    assert_eq!(reached, 1, "the replica has everything");

    watched.servers[0].kill();
    let start = Instant::now();
    while store.ready().await.is_err() {
        assert!(start.elapsed() < FAILOVER, "no master");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, 10);
    hear(&mut live, &Live::Resync).await;
    assert_eq!(store.commit(step(&id, 10)).await.unwrap(), Committed::Yes);
    hear(&mut live, &Live::Match(id.clone(), 11)).await;
    let about: String = watched.servers[1].ask(::redis::cmd("INFO").arg("replication")).await;
    assert!(about.contains("role:master"), "{about}");
}
