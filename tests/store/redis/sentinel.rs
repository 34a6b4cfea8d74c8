//! A master, a replica and three Sentinels: the store finds the master, and the next one.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use sarsen::ids::MatchId;
use sarsen::store::keys::Keys;
use sarsen::store::redis::{RedisConfig, RedisMode, RedisStore};
use sarsen::store::{Committed, Live, MatchStore, Store, StoreError, Subscriptions, Topic};
use test_kit::redis_sentinel::{NAME, Watched};
use tokio::time::{Instant, timeout};

use super::connect;
use super::server::{Server, free_port};
use crate::harness::{DEADLINE, eventually, match_id, step, subscribe};

/// The longest time that a failover may take.
const FAILOVER: Duration = Duration::from_secs(60);

/// Settings that lead to whichever server these Sentinels name.
pub fn config(urls: Vec<String>) -> RedisConfig {
    let mode = RedisMode::Sentinel { master: NAME.to_owned(), username: None, password: None };
    RedisConfig { urls, mode, ..RedisConfig::single("") }
}

/// A store that waits long for answers.
pub async fn patient(sentinel: &Server) -> Arc<RedisStore> {
    connect(&RedisConfig { response_timeout: 3 * DEADLINE, ..config(vec![sentinel.url()]) }).await
}

/// A Sentinel that names this server the master.
pub fn naming(server: &Server) -> Server {
    Server::sentinel(&format!("sentinel monitor stones 127.0.0.1 {} 1\n", server.port))
}

/// Has a Sentinel name another server, of which the one before does not subscribe.
pub async fn name_instead(sentinel: &Server, server: &Server) {
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
    subscribe(&mut live, &Live::Resync).await;
    assert!(!store.is_subscribed(&Topic::Match(id.clone())), "the new master may not know");
    store.subscribe(&[Topic::Match(id.clone())]).await.unwrap();
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
    subscribe(&mut live, &Live::Match(id.clone(), 2)).await;
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

fn about_stones(what: &str) -> ::redis::Cmd {
    let mut command = ::redis::cmd("SENTINEL");
    command.arg(what).arg(NAME);
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_while_it_is_connected_to_is_left_with_the_next_name() {
    let [old, hanging, new] = [Server::start(&[]), Server::start(&[]), Server::start(&[])];
    let sentinel = naming(&old);
    let config = config(vec![sentinel.url()]);
    let long = 3 * DEADLINE;
    let store = connect(&RedisConfig { connect_timeout: long, response_timeout: long, ..config }).await;
    let id = match_id();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    hanging.signal("-STOP");
    name_instead(&sentinel, &hanging).await;
    let under_way = tokio::spawn(async move {
        // Answered by the old one, until that is left; then it waits for the hanging one. What is under way in that moment
        // is asked again.
        while store.load_match(&id, None).await.unwrap().is_some() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        store
    });
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!under_way.is_finished());
    name_instead(&sentinel, &new).await;
    let store = timeout(DEADLINE, under_way).await.expect("long before the limit").unwrap();
    assert_eq!(store.commit(step(&match_id(), 0)).await.unwrap(), Committed::Yes);
    let keys: u64 = new.ask(&::redis::cmd("DBSIZE")).await;
    assert!(keys > 0, "it is at the new one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sentinels_that_the_settings_do_not_name_are_followed_too() {
    let mut watched = Watched::start(1, &[]).await;
    let store = connect(&config(vec![watched.sentinels[0].url()])).await;
    let id = match_id();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    for other in &watched.sentinels[1..] {
        let listens = || async {
            let clients: String = other.ask(::redis::cmd("CLIENT").arg("LIST")).await;
            clients.contains("psub=1")
        };
        eventually(true, listens).await;
    }
    let before: (String, u16) = watched.sentinels[1].ask(&about_stones("GET-MASTER-ADDR-BY-NAME")).await;
    watched.sentinels[0].kill();
    watched.sentinels[1].ask::<()>(&about_stones("FAILOVER")).await;
    let start = Instant::now();
    while watched.sentinels[1].ask::<(String, u16)>(&about_stones("GET-MASTER-ADDR-BY-NAME")).await == before {
        assert!(start.elapsed() < FAILOVER, "no failover");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    eventually(true, || async { store.ready().await.is_ok() }).await;
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
    let log: u64 = watched.servers[1].ask(::redis::cmd("LLEN").arg(Keys::new("sarsen").log(&id))).await;
    assert_eq!(log, 2, "it is at the new master");
}

/// The configurations begin anew then, so that the new one is not newer by its number.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sentinels_that_are_told_of_another_master_are_followed() {
    let watched = Watched::start(1, &[]).await;
    watched.fail_over().await;
    watched.ready().await;
    let store = connect(&config(watched.urls())).await;
    let id = match_id();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    let new = Server::start(&[]);
    for sentinel in &watched.sentinels {
        sentinel.ask::<()>(&about_stones("REMOVE")).await;
    }
    for sentinel in &watched.sentinels {
        sentinel.ask::<()>(about_stones("MONITOR").arg("127.0.0.1").arg(new.port).arg(2)).await;
    }
    eventually(None, || async { store.load_match(&id, None).await.unwrap_or_default() }).await;
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    let keys: u64 = new.ask(&::redis::cmd("DBSIZE")).await;
    assert!(keys > 0, "it is at the new one");
}

/// Each Sentinel tells of a switch in its own time, up to seconds after the first one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn later_news_of_a_switch_does_not_disturb_commits_on_the_new_master() {
    let watched = Watched::start(1, &[]).await;
    let store = connect(&config(watched.urls())).await;
    let mut told = Vec::new();
    for sentinel in &watched.sentinels {
        let client = ::redis::Client::open(sentinel.url()).unwrap();
        let mut news = client.get_async_pubsub().await.unwrap();
        news.subscribe("+switch-master").await.unwrap();
        told.push(tokio::spawn(async move {
            news.into_on_message().next().await.expect("a switch");
        }));
    }
    let new = watched.fail_over().await;
    let log = |id: &MatchId| {
        let mut length = ::redis::cmd("LLEN");
        length.arg(Keys::new("sarsen").log(id));
        length
    };
    // Until the first commit on the new master …
    let (start, mut first) = (Instant::now(), match_id());
    while store.commit(step(&first, 0)).await.is_err() || watched.servers[new].ask::<u64>(&log(&first)).await == 0 {
        assert!(start.elapsed() < FAILOVER, "no new master");
        first = match_id();
    }
    let since = Instant::now();
    // … and from then on none fails, whatever is told, for as long as all take and a little longer.
    let mut version = 1;
    let mut commit = async || {
        assert_eq!(store.commit(step(&first, version)).await.unwrap(), Committed::Yes);
        version += 1;
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    while !told.iter().all(tokio::task::JoinHandle::is_finished) || since.elapsed() < Duration::from_secs(1) {
        assert!(since.elapsed() < FAILOVER, "a Sentinel does not tell");
        commit().await;
    }
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
    subscribe(&mut live, &Live::Resync).await;
    assert!(!store.is_subscribed(&Topic::Match(id.clone())), "the new master may not know");
    store.subscribe(&[Topic::Match(id.clone())]).await.unwrap();
    assert_eq!(store.commit(step(&id, 10)).await.unwrap(), Committed::Yes);
    subscribe(&mut live, &Live::Match(id.clone(), 11)).await;
    let about: String = watched.servers[1].ask(::redis::cmd("INFO").arg("replication")).await;
    assert!(about.contains("role:master"), "{about}");
}
