//! Connections of their own for those who ask from other runtimes, as the workers of the service do.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::Duration;

use sarsen::ids::MatchId;
use sarsen::store::redis::{RedisConfig, RedisStore};
use sarsen::store::{Committed, MatchStore, Store, StoreError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::replication::{pair, waiting_for};
use super::sentinel::{name_instead, naming, patient};
use super::server::Server;
use super::{connect, outage};
use crate::harness::{DEADLINE, eventually, match_id, step};

/// A runtime with a thread of its own.
struct Elsewhere(Option<Runtime>);

impl Elsewhere {
    fn start() -> Elsewhere {
        Elsewhere(Some(Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()))
    }

    /// Returns the result of this work, done there.
    async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        self.0.as_ref().unwrap().spawn(work).await.unwrap()
    }

    /// The version of a match, as it is read there.
    async fn version(&self, store: &Arc<RedisStore>, id: &MatchId) -> Result<u64, StoreError> {
        let (store, id) = (Arc::clone(store), id.clone());
        self.run(async move { Ok(store.load_match(&id, None).await?.map_or(0, |found| found.version)) }).await
    }

    async fn commit(&self, store: &Arc<RedisStore>, id: &MatchId, expected: u64) -> Result<Committed, StoreError> {
        let (store, step) = (Arc::clone(store), step(id, expected));
        self.run(async move { store.commit(step).await }).await
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// The connections to a server by their numbers, but for those that listen, the one that asks and those of Sentinels.
async fn connections(server: &Server) -> BTreeSet<u64> {
    let list: String = server.ask(::redis::cmd("CLIENT").arg("LIST").arg("TYPE").arg("NORMAL")).await;
    let ours = |line: &&str| !line.contains("cmd=client") && !line.contains("name=sentinel-");
    numbers(&list.lines().filter(ours).collect::<Vec<_>>())
}

fn numbers(list: &[&str]) -> BTreeSet<u64> {
    list.iter().filter_map(|line| line.strip_prefix("id=")?.split(' ').next()?.parse().ok()).collect()
}

/// The connection that a runtime opens for itself once it asks. Until its role is known the shared one serves.
async fn own(elsewhere: &Elsewhere, store: &Arc<RedisStore>, server: &Server) -> u64 {
    // What is to listen counts among the others until it does.
    let listens = || async {
        let list: String = server.ask(::redis::cmd("CLIENT").arg("LIST").arg("TYPE").arg("PUBSUB")).await;
        list.lines().any(|line| !line.contains("name=sentinel-"))
    };
    eventually(true, listens).await;
    let before = connections(server).await;
    elsewhere.version(store, &match_id()).await.unwrap();
    // One of those before may be on its way out, so that their number says nothing.
    let opened = || async { connections(server).await.difference(&before).count() };
    eventually(1, opened).await;
    let own = *connections(server).await.difference(&before).next().unwrap();
    let serves = || async {
        elsewhere.version(store, &match_id()).await.unwrap();
        let list: String = server.ask(::redis::cmd("CLIENT").arg("LIST").arg("ID").arg(own)).await;
        list.contains("cmd=hmget")
    };
    eventually(true, serves).await;
    own
}

/// The connection that all share.
async fn shared(server: &Server) -> u64 {
    eventually(1, || async { connections(server).await.len() }).await;
    *connections(server).await.first().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_runtime_has_a_connection_of_its_own_for_as_long_as_it_lives() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let shared = shared(&server).await;
    let (one, other) = (Elsewhere::start(), Elsewhere::start());
    let owned = own(&one, &store, &server).await;
    let others = own(&other, &store, &server).await;
    let id = match_id();
    for round in 0..20 {
        let by = if round % 2 == 0 { &one } else { &other };
        assert_eq!(by.commit(&store, &id, round).await.unwrap(), Committed::Yes);
        assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, round + 1);
    }
    assert_eq!(connections(&server).await, BTreeSet::from([shared, owned, others]), "and no more of them");
    drop(one);
    eventually(BTreeSet::from([shared, others]), || connections(&server)).await;
    assert_eq!(other.version(&store, &id).await.unwrap(), 20);
    store.close().await;
    drop(store);
    eventually(BTreeSet::new(), || connections(&server)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_is_killed_is_replaced_and_the_others_notice_nothing() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let shared = shared(&server).await;
    let (one, other) = (Elsewhere::start(), Elsewhere::start());
    let (mut owned, others) = (own(&one, &store, &server).await, own(&other, &store, &server).await);
    let id = match_id();
    let stop = Arc::new(AtomicBool::new(false));
    let [beside, here] =
        [other.0.as_ref().unwrap().handle().clone(), tokio::runtime::Handle::current()].map(|runtime| {
            let (store, id, stop) = (Arc::clone(&store), id.clone(), Arc::clone(&stop));
            runtime.spawn(async move {
                while !stop.load(Ordering::Relaxed) {
                    store.load_match(&id, None).await?;
                }
                Ok::<_, StoreError>(())
            })
        });
    for round in 0..5 {
        let killed: u64 = server.ask(::redis::cmd("CLIENT").arg("KILL").arg("ID").arg(owned)).await;
        assert_eq!(killed, 1);
        eventually(false, || async { connections(&server).await.contains(&owned) }).await;
        // Its end is on its way to us.
        sleep(Duration::from_millis(20)).await;
        assert_eq!(one.commit(&store, &id, round).await.unwrap(), Committed::Yes);
        eventually(3, || async { connections(&server).await.len() }).await;
        owned = *connections(&server).await.difference(&BTreeSet::from([shared, others])).next().unwrap();
    }
    assert_eq!(one.version(&store, &id).await.unwrap(), 5);
    stop.store(true, Ordering::Relaxed);
    beside.await.unwrap().unwrap();
    here.await.unwrap().unwrap();
    assert!(connections(&server).await.is_superset(&BTreeSet::from([shared, others])), "theirs are as they were");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn with_the_server_all_connections_are_given_up_at_once() {
    let (old, new) = (Server::start(&[]), Server::start(&[]));
    let sentinel = naming(&old);
    let store = patient(&sentinel).await;
    let runtimes = [Elsewhere::start(), Elsewhere::start()];
    let owned = BTreeSet::from([own(&runtimes[0], &store, &old).await, own(&runtimes[1], &store, &old).await]);
    let pause: Duration = 3 * DEADLINE;
    let _: () = old.ask(::redis::cmd("CLIENT").arg("PAUSE").arg(pause.as_millis() as u64).arg("WRITE")).await;
    let commits = runtimes.each_ref().map(|runtime| {
        let store = Arc::clone(&store);
        runtime.0.as_ref().unwrap().spawn(async move { store.commit(step(&match_id(), 0)).await })
    });
    let under_way = || async {
        let list: String = old.ask(::redis::cmd("CLIENT").arg("LIST")).await;
        let commits: Vec<&str> = list.lines().filter(|line| line.contains("cmd=evalsha")).collect();
        numbers(&commits).is_superset(&owned)
    };
    eventually(true, under_way).await;
    name_instead(&sentinel, &new).await;
    for commit in commits {
        let outcome = timeout(DEADLINE, commit).await.expect("long before the answer or the limit").unwrap();
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
    eventually(true, || async { store.ready().await.is_ok() }).await;
    for (place, runtime) in runtimes.iter().enumerate() {
        let id = match_id();
        assert_eq!(runtime.commit(&store, &id, 0).await.unwrap(), Committed::Yes);
        // With the shared one.
        eventually(place + 2, || async { connections(&new).await.len() }).await;
        assert_eq!(runtime.commit(&store, &id, 1).await.unwrap(), Committed::Yes);
    }
    // The pause holds what it is too late for, and nothing else is there.
    let _: () = old.ask(::redis::cmd("CLIENT").arg("UNPAUSE")).await;
    eventually(BTreeSet::new(), || connections(&old)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_and_comes_back_is_found_by_all_runtimes() {
    let mut server = Server::start(&["--appendfsync", "always"]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let (runtimes, id) = ([Elsewhere::start(), Elsewhere::start()], match_id());
    for runtime in &runtimes {
        own(runtime, &store, &server).await;
    }
    for round in 0..4 {
        let by = &runtimes[usize::from(round % 2 == 0)];
        assert_eq!(by.commit(&store, &id, round).await.unwrap(), Committed::Yes);
        server.kill();
        outage::fails_soon(runtimes[0].version(&store, &id)).await;
        outage::fails_soon(runtimes[1].version(&store, &id)).await;
        server.restart();
        eventually(true, || async { store.ready().await.is_ok() }).await;
        for runtime in &runtimes {
            assert_eq!(runtime.version(&store, &id).await.unwrap(), round + 1);
        }
    }
}

/// Replicas are waited for on connections of the runtime that waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_waits_for_replicas_waits_on_its_own_runtime() {
    let [master, _replica] = pair().await;
    let store = connect(&waiting_for(1, RedisConfig::single(master.url()))).await;
    let (one, other, id) = (Elsewhere::start(), Elsewhere::start(), match_id());
    own(&one, &store, &master).await;
    own(&other, &store, &master).await;
    let before = connections(&master).await.len();
    for round in 0..20 {
        let by = if round % 2 == 0 { &one } else { &other };
        assert_eq!(by.commit(&store, &id, round).await.unwrap(), Committed::Yes);
    }
    let lanes = connections(&master).await.len() - before;
    assert!((2..=4).contains(&lanes), "{lanes} for two runtimes and the work behind them");
    drop(one);
    // Those of a runtime that is gone are of no use to others.
    for round in 20..30 {
        assert_eq!(other.commit(&store, &id, round).await.unwrap(), Committed::Yes);
    }
}

/// A way to a server, which can be led to another, and whose younger connections can fall silent.
struct Way {
    port: u16,
    target: Arc<AtomicU16>,
    /// Connections from this number on carry nothing.
    silent_from: Arc<AtomicU16>,
    opened: Arc<AtomicU16>,
}

impl Way {
    async fn to(server: &Server) -> Way {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let target = Arc::new(AtomicU16::new(server.port));
        let (silent_from, opened) = (Arc::new(AtomicU16::new(u16::MAX)), Arc::new(AtomicU16::new(0)));
        let way = Way { port, target: target.clone(), silent_from: silent_from.clone(), opened: opened.clone() };
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let number = opened.fetch_add(1, Ordering::SeqCst);
                let server = TcpStream::connect(("127.0.0.1", target.load(Ordering::SeqCst))).await.unwrap();
                let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
                tokio::spawn(carry(from_client, to_server, number, silent_from.clone()));
                tokio::spawn(carry(from_server, to_client, number, silent_from.clone()));
            }
        });
        way
    }

    fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

async fn carry(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    number: u16,
    silent_from: Arc<AtomicU16>,
) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        while number >= silent_from.load(Ordering::SeqCst) {
            sleep(Duration::from_millis(5)).await;
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_falls_silent_is_left_by_its_runtime_alone() {
    let server = Server::start(&[]);
    let way = Way::to(&server).await;
    let store =
        connect(&RedisConfig { response_timeout: Duration::from_millis(300), ..RedisConfig::single(way.url()) }).await;
    let (one, other, id) = (Elsewhere::start(), Elsewhere::start(), match_id());
    own(&one, &store, &server).await;
    let number = way.opened.load(Ordering::SeqCst);
    own(&other, &store, &server).await;
    way.silent_from.store(number, Ordering::SeqCst);
    // Its own connection and whichever follows carry nothing: it fails in time, and then goes on with the shared one.
    outage::fails_soon(other.commit(&store, &id, 0)).await;
    assert_eq!(one.version(&store, &id).await.unwrap(), 0);
    eventually(true, || async {
        assert_eq!(one.version(&store, &id).await.unwrap(), 0, "the others go on");
        other.version(&store, &id).await.is_ok()
    })
    .await;
    for round in 0..5 {
        assert_eq!(other.commit(&store, &id, round).await.unwrap(), Committed::Yes);
        assert_eq!(one.version(&store, &id).await.unwrap(), round + 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_runtime_goes_by_itself_where_the_address_has_come_to_lead() {
    let (used, another) = (Server::start(&[]), Server::start(&[]));
    let way = Way::to(&used).await;
    let store = connect(&RedisConfig::single(way.url())).await;
    way.target.store(another.port, Ordering::SeqCst);
    let (elsewhere, id) = (Elsewhere::start(), match_id());
    let before = way.opened.load(Ordering::SeqCst);
    for round in 0..20 {
        assert_eq!(elsewhere.commit(&store, &id, round).await.unwrap(), Committed::Yes);
        assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, round + 1);
        sleep(Duration::from_millis(10)).await;
    }
    assert!(way.opened.load(Ordering::SeqCst) > before, "it has tried");
    let keys: u64 = another.ask(&::redis::cmd("DBSIZE")).await;
    assert_eq!(keys, 0);
}
