//! Replicas that are waited for: what too few of them have is not acknowledged, and what was acknowledged outlives its
//! master.

use std::sync::Arc;
use std::time::Duration;

use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::keys::{Keys, Shard};
use sarsen::store::redis::{RedisConfig, RedisStore, Replication};
use sarsen::store::{
    Commit, Committed, ExpiringStore, ListScope, Listing, MatchStore, PlayerStore, ReplayKey, Reservation, Stage,
    Store, StoreError,
};
use test_kit::redis_cluster::Cluster;
use test_kit::redis_sentinel::Watched;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::server::Server;
use super::{cluster, connect, sentinel};
use crate::harness::{eventually, listing, match_id, player_id, session_id, step};

/// Waits for so many replicas, and long.
pub fn waiting_for(replicas: u32, config: RedisConfig) -> RedisConfig {
    RedisConfig { replication: Some(Replication { replicas, patience: Duration::from_secs(5) }), ..config }
}

/// Waits for one replica, and not long.
fn impatient(master: &Server) -> RedisConfig {
    let replication = Replication { replicas: 1, patience: Duration::from_millis(500) };
    RedisConfig { replication: Some(replication), ..RedisConfig::single(master.url()) }
}

/// A master and a replica that follows it.
pub async fn pair() -> [Server; 2] {
    let master = Server::start(&[]);
    let port = master.port.to_string();
    let replica = Server::start(&["--replicaof", "127.0.0.1", &port, "--repl-diskless-sync-delay", "0"]);
    let about = || async { master.ask::<String>(::redis::cmd("INFO").arg("replication")).await };
    eventually(true, || async { about().await.contains("state=online") }).await;
    [master, replica]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_too_few_replicas_have_is_not_acknowledged_and_may_have_happened() {
    let [master, replica] = pair().await;
    let (id, player, session) = (match_id(), player_id(), session_id());
    let store = connect(&impatient(&master)).await;
    // What is to be acknowledged is asked of one that waits longer than a busy machine can stand still.
    let patient = connect(&waiting_for(1, RedisConfig::single(master.url()))).await;
    assert_eq!(patient.commit(step(&id, 0)).await.unwrap(), Committed::Yes);

    replica.signal("-STOP");
    let unsure = |outcome: Result<(), StoreError>| assert!(matches!(outcome, Err(StoreError::Unavailable(_))));
    let end = sarsen::ambient::Ambient::system().now().plus_seconds(60);
    unsure(store.commit(step(&id, 1)).await.map(drop));
    unsure(store.put_player(&player, 0, vec![1]).await.map(drop));
    unsure(store.put_session(&session, &player, 0, vec![1], end).await.map(drop));
    unsure(store.revoke_session(&session_id(), &player, end).await);
    // Who asks what came of it finds it, and is not told that it is safe.
    assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, 2);
    unsure(store.settle(&id).await);
    unsure(store.ready().await);

    replica.signal("-CONT");
    eventually(true, || async { store.ready().await.is_ok() }).await;
    patient.settle(&id).await.unwrap();
    assert_eq!(patient.commit(step(&id, 2)).await.unwrap(), Committed::Yes);
}

/// Issue 31.24: a replica reports its disk once a second, which no commit has the patience to wait for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_that_waits_for_the_disks_of_all_is_acknowledged_at_once() {
    let always = ["--appendfsync", "always"];
    let master = Server::today(&always);
    let port = master.port.to_string();
    let follows = ["--replicaof", "127.0.0.1", &port, "--repl-diskless-sync-delay", "0"];
    let _replica = Server::today(&[&always[..], &follows[..]].concat());
    let about = async |section: &str| master.ask::<String>(::redis::cmd("INFO").arg(section)).await;
    eventually(true, || async { about("replication").await.contains("state=online") }).await;
    // Less than the second after which a replica reports by itself.
    let replication = Replication { replicas: 1, patience: Duration::from_millis(900) };
    let config = RedisConfig { replication: Some(replication), ..RedisConfig::single(master.url()) };
    let store = connect(&config).await;
    let (id, mut version) = (match_id(), 0);
    // The store looks by itself how the servers write, and waits for their disks from then on.
    while !about("commandstats").await.contains("cmdstat_waitaof") {
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes);
        version += 1;
    }
    for version in version..version + 20 {
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_replicas_does_not_hold_up_the_others() {
    let [master, replica] = pair().await;
    let store = connect(&waiting_for(1, RedisConfig::single(master.url()))).await;
    let id = match_id();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    replica.signal("-STOP");
    let waiting = tokio::spawn({
        let (store, id) = (Arc::clone(&store), id.clone());
        async move { store.commit(step(&id, 1)).await }
    });
    eventually(2, || async { store.load_match(&id, None).await.unwrap().unwrap().version }).await;
    assert!(!waiting.is_finished(), "others read while it waits");
    replica.signal("-CONT");
    waiting.await.unwrap().ok();
}

/// A match, and the entries of its versions that were acknowledged, in order.
type Acknowledged = (MatchId, Vec<(u64, Vec<u8>)>);

/// Commits to a match of its own until told to stop: each step says what nothing else says. Answers what was
/// acknowledged, in order.
fn committer(store: Arc<RedisStore>, stop: watch::Receiver<bool>) -> JoinHandle<Acknowledged> {
    tokio::spawn(async move {
        let (id, mut version, mut acknowledged) = (match_id(), 0, Vec::new());
        while !*stop.borrow() {
            let entry = format!("{}", match_id()).into_bytes();
            match store.commit(Commit { entry: entry.clone(), ..step(&id, version) }).await {
                Ok(Committed::Yes) => {
                    version += 1;
                    acknowledged.push((version, entry));
                }
                // It may have happened, or something before it may.
                Ok(Committed::Conflict | Committed::Repeated) | Err(_) => {
                    if let Ok(loaded) = store.load_match(&id, None).await {
                        version = loaded.map_or(0, |loaded| loaded.version);
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            }
        }
        (id, acknowledged)
    })
}

/// Commits while `fault` happens and for a while after; then all that was acknowledged must be in the logs.
async fn loses_nothing(store: &Arc<RedisStore>, fault: impl Future<Output = ()>) {
    let (stop, stopped) = watch::channel(false);
    let committers: Vec<_> = (0..8).map(|_| committer(Arc::clone(store), stopped.clone())).collect();
    tokio::time::sleep(Duration::from_millis(300)).await;
    fault.await;
    eventually(true, || async { store.ready().await.is_ok() }).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    stop.send_replace(true);
    let mut all = 0;
    for committer in committers {
        let (id, acknowledged) = committer.await.unwrap();
        // Its slot may still be asked for at the node that had it.
        eventually(true, || async { store.log(&id, 0, 1).await.is_ok() }).await;
        let log = store.log(&id, 0, 1_000_000).await.unwrap();
        for (version, entry) in &acknowledged {
            assert_eq!(log.get(*version as usize - 1), Some(entry), "version {version} of {}", log.len());
        }
        all += acknowledged.len();
    }
    assert!(all > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_planned_failover_loses_nothing() {
    let watched = Watched::start(2, &["--min-replicas-to-write", "1"]).await;
    let store = connect(&waiting_for(2, sentinel::config(watched.urls()))).await;
    loses_nothing(&store, async {
        watched.fail_over().await;
        watched.ready().await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_of_a_cluster_loses_nothing() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(1, &[])).await.unwrap();
    let store = connect(&waiting_for(1, cluster::config(&cluster))).await;
    loses_nothing(&store, async {
        for replica in &cluster.nodes[3..] {
            cluster.fail_over_to(replica).await;
        }
    })
    .await;
}

/// A match lives elsewhere in a cluster than what is reserved for it, so that its own replicas say nothing of that.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_reserved_in_a_cluster_is_waited_for_by_itself() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(1, &[])).await.unwrap();
    let replication = Replication { replicas: 1, patience: Duration::from_millis(500) };
    let store = connect(&RedisConfig { replication: Some(replication), ..cluster::config(&cluster) }).await;
    let key = ReplayKey { player: player_id(), key: "k".to_owned() };
    let wanted = Reservation { id: "m_1".to_owned(), fingerprint: "print".to_owned() };
    let reserve = || store.reserve(&key, wanted.clone(), 60);
    for replica in &cluster.nodes[3..] {
        replica.signal("-STOP");
    }
    for again in [false, true] {
        let unsure = reserve().await;
        assert!(matches!(unsure, Err(StoreError::Unavailable(_))), "again: {again}: {unsure:?}");
    }
    for replica in &cluster.nodes[3..] {
        replica.signal("-CONT");
    }
    eventually(true, || async { reserve().await.is_ok() }).await;
}

/// Asks the cluster something beside the store.
async fn ask<T: ::redis::FromRedisValue>(config: &RedisConfig, command: &::redis::Cmd) -> T {
    let cluster = ::redis::cluster::ClusterClient::new(config.urls.clone()).unwrap();
    command.query_async(&mut cluster.get_async_connection().await.unwrap()).await.unwrap()
}

/// A player's lists and inbox live elsewhere in a cluster than the task that asks for an entry there. Nothing else would ever
/// make the entry again if their master died without having handed it on. Another instance that finds the task and the entry
/// has written nothing itself, and yet it has to wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_task_stays_until_replicas_have_the_entries_that_it_asks_for() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(1, &[])).await.unwrap();
    let config = waiting_for(1, cluster::config(&cluster));
    let (store, _other, keys) = (connect(&config).await, connect(&config).await, Keys::new(&config.prefix));
    let place =
        async |key: String| Cluster::place_of(ask(&config, ::redis::cmd("CLUSTER").arg("KEYSLOT").arg(key)).await);
    let player = player_id();
    let master = place(keys.inbox(&player)).await;
    let elsewhere = async || loop {
        let id = match_id();
        if place(keys.the_match(&id)).await != master {
            break id;
        }
    };
    let (listed, told) = (elsewhere().await, elsewhere().await);
    let count = |command: &str, key: String| {
        let mut count = ::redis::cmd(command);
        count.arg(key);
        count
    };
    let entries = count("ZCARD", keys.list(&ListScope::Player(player.clone()), Stage::Open, "contiguity"));
    let notices = count("LLEN", keys.inbox(&player));
    let tasks = [&listed, &told].map(|id| count("LLEN", keys.outbox(Shard::of(id))));
    // A connection that was made while all nodes were there.
    let client = ::redis::cluster::ClusterClient::new(config.urls.clone()).unwrap();
    let asked = client.get_async_connection().await.unwrap();
    let counted = async |count: &::redis::Cmd| count.query_async::<u64>(&mut asked.clone()).await.unwrap();
    let pairs = cluster.pairs().await;
    let (_, replica) = *pairs.iter().find(|(of, _)| *of == master).unwrap();
    cluster.nodes[replica].signal("-STOP");
    let private = |players: &[&PlayerId]| Some(Listing { public: false, ..listing(players) });
    let commit = Commit { listing: private(&[&player]), ..step(&listed, 0) };
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
    let commit = Commit { listing: private(&[]), notify: vec![player.clone()], ..step(&told, 0) };
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);

    // One task may wait for replicas behind the other, longer than what is eventual takes otherwise.
    let made = async {
        while counted(&entries).await != 1 || counted(&notices).await != 2 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), made).await.unwrap();
    // Long enough for the other instance, which takes over tasks that stay where they are.
    for _ in 0..16 {
        tokio::time::sleep(Duration::from_millis(500)).await;
        for tasks in &tasks {
            assert!(counted(tasks).await > 0, "the master may die yet");
        }
    }
    cluster.nodes[replica].signal("-CONT");
    let done = async {
        while counted(&tasks[0]).await + counted(&tasks[1]).await > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), done).await.unwrap();
}
