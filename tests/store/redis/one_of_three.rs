//! A cluster of which one master hangs: what lives with the others goes on.

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::store::keys::Keys;
use sarsen::store::redis::RedisStore;
use sarsen::store::{Commit, Committed, Due, MatchStore, Schedule};
use test_kit::redis_cluster::Cluster;

use super::{cluster, connect};
use crate::harness::{eventually, match_id, player_id, step};

/// The place of the master that hangs.
const HUNG: usize = 0;

/// Returns true if a key lives with the master that hangs.
async fn hangs(cluster: &Cluster, key: &str) -> bool {
    let slot: u16 = cluster.nodes[1].ask(::redis::cmd("CLUSTER").arg("KEYSLOT").arg(key)).await;
    Cluster::place_of(slot) == HUNG
}

/// Makes what lives with the master that hangs, or what does not.
async fn made<T>(cluster: &Cluster, hung: bool, make: impl Fn() -> T, key: impl Fn(&T) -> String) -> T {
    loop {
        let one = make();
        if hangs(cluster, &key(&one)).await == hung {
            return one;
        }
    }
}

/// Commits first steps until one is taken; the client may be about to be replaced.
async fn committed(store: &RedisStore, commit: Commit) {
    let taken = || async { matches!(store.commit(commit.clone()).await, Ok(Committed::Yes | Committed::Conflict)) };
    eventually(true, taken).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_master_that_hangs_keeps_only_its_own_from_being_done() {
    // The others do not notice for as long as this takes.
    let starting = || Cluster::start(0, &["--cluster-node-timeout", "120000"]);
    let cluster = tokio::task::spawn_blocking(starting).await.unwrap();
    let (config, keys) = (cluster::config(&cluster), Keys::new("sarsen"));
    let store = connect(&config).await;
    let before = Timestamp(Ambient::system().now().0 - 5_000);
    let match_of = |hung| made(&cluster, hung, match_id, |id| keys.the_match(id));

    let due = [match_of(true).await, match_of(false).await];
    for id in &due {
        store.commit(Commit { due: Due::At(before), ..step(id, 0) }).await.unwrap();
    }
    cluster.nodes[HUNG].signal("-STOP");

    // The matches of the others are looked at.
    let first = store.due_matches(100).await.unwrap();
    assert_eq!(first.into_iter().map(|due| due.id).collect::<Vec<_>>(), [due[1].clone()]);

    // What commits at the others leave is done, except at the one that hangs.
    let (hung, other) = (match_of(false).await, match_of(false).await);
    let player_of = |hung| made(&cluster, hung, player_id, |player| keys.inbox(player));
    let (away, here) = (player_of(true).await, player_of(false).await);
    committed(&store, Commit { notify: vec![away], ..step(&hung, 0) }).await;
    committed(&store, Commit { notify: vec![here.clone()], ..step(&other, 0) }).await;
    eventually(Ok(1), || async { store.inbox(&here, 0, 10).await.map(|inbox| inbox.newest).map_err(drop) }).await;

    cluster.nodes[HUNG].signal("-CONT");
}
