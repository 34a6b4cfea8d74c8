//! A server that goes away and comes back.

use std::time::Duration;

use sarsen::ambient::Ambient;
use sarsen::ids::MatchId;
use sarsen::store::keys::Keys;
use sarsen::store::redis::{ConnectError, RedisConfig, RedisStore};
use sarsen::store::{Commit, Committed, Live, MatchStore, PlayerStore, Store, StoreError, Subscriptions, Topic};
use tokio::time::Instant;

use super::connect;
use super::server::{Server, free_port};
use crate::harness::{eventually, match_id, player_id, step, subscribe};

/// An operation must have failed by then; the store promises about a second.
const SOON: Duration = Duration::from_secs(3);

/// An operation that fails, and soon.
pub async fn fails_soon<T: std::fmt::Debug>(operation: impl Future<Output = Result<T, StoreError>>) {
    let start = Instant::now();
    let outcome = operation.await;
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
}

async fn comes_back(store: &RedisStore) {
    eventually(true, || async { store.ready().await.is_ok() }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_commits_survive_the_servers_sigkill() {
    // With `everysec` the server may hold back what it writes, too, for up to two seconds when the disk is slow.
    let mut server = Server::start(&["--appendfsync", "always"]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let mut live = store.live();
    let ids: Vec<MatchId> = (0..20).map(|_| match_id()).collect();
    for round in 0..3 {
        for id in &ids {
            for version in round * 5..round * 5 + 5 {
                assert_eq!(store.commit(step(id, version)).await.unwrap(), Committed::Yes);
            }
        }
        server.kill();
        subscribe(&mut live, &Live::Interrupted).await;
        fails_soon(store.ready()).await;
        fails_soon(store.load_match(&ids[0], None)).await;
        fails_soon(store.commit(step(&ids[0], round * 5 + 5))).await;
        fails_soon(store.put_player(&player_id(), 0, vec![])).await;
        server.restart();
        comes_back(&store).await;
        for id in &ids {
            assert_eq!(store.load_match(id, None).await.unwrap().unwrap().version, round * 5 + 5);
            assert_eq!(store.log(id, 0, 100).await.unwrap().len() as u64, round * 5 + 5);
        }
        subscribe(&mut live, &Live::Resync).await;
    }
    // The subscription stands again.
    store.subscribe(&[Topic::Match(ids[0].clone())]).await.unwrap();
    store.commit(step(&ids[0], 15)).await.unwrap();
    subscribe(&mut live, &Live::Match(ids[0].clone(), 16)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_without_an_answer_is_not_repeated() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let id = match_id();
    for _ in 0..3 {
        let before = store.load_match(&id, None).await.unwrap().map_or(0, |found| found.version);
        // A server that hangs: it may carry the commit out when it goes on.
        server.signal("-STOP");
        fails_soon(store.commit(step(&id, before))).await;
        server.signal("-CONT");
        comes_back(&store).await;
        let after = store.load_match(&id, None).await.unwrap().map_or(0, |found| found.version);
        assert!(after == before || after == before + 1, "{before} became {after}");
        assert_eq!(store.log(&id, 0, 100).await.unwrap().len() as u64, after);
        // Whoever asks again with the version they find goes on.
        assert_eq!(store.commit(step(&id, after)).await.unwrap(), Committed::Yes);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_cannot_write_is_not_ready() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let id = match_id();
    store.commit(step(&id, 0)).await.unwrap();
    let _: () = server.ask(::redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(1)).await;
    fails_soon(store.ready()).await;
    fails_soon(store.commit(step(&id, 1))).await;
    assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().version, 1);
    assert_eq!(store.log(&id, 0, 10).await.unwrap().len(), 1, "nothing happens by halves");
    let _: () = server.ask(::redis::cmd("CONFIG").arg("SET").arg("maxmemory").arg(0)).await;
    comes_back(&store).await;
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_server_is_said_at_once() {
    let start = Instant::now();
    let config = RedisConfig::single(format!("redis://127.0.0.1:{}", free_port()));
    let refusal = RedisStore::connect(config, Ambient::system()).await;
    assert!(matches!(refusal, Err(ConnectError::Unreachable(_))), "{refusal:?}");
    assert!(start.elapsed() < SOON);
}

/// The inbox then has the notice of that version twice.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_listens_is_told_to_read_where_another_step_takes_the_place_of_a_lost_one() {
    let server = Server::start(&[]);
    let store = connect(&RedisConfig::single(server.url())).await;
    let (id, player, keys) = (match_id(), player_id(), Keys::new("sarsen"));
    let mut live = store.live();
    store.subscribe(&[Topic::Inbox(player.clone())]).await.unwrap();
    for newest in [1, 2] {
        let commit = Commit { notify: vec![player.clone()], ..step(&id, 0) };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
        subscribe(&mut live, &Live::Inbox(player.clone())).await;
        assert_eq!(store.inbox(&player, 0, 10).await.unwrap().newest, newest);
        // The failover.
        let _: () = server.ask(::redis::cmd("DEL").arg(keys.the_match(&id)).arg(keys.log(&id))).await;
    }
}
