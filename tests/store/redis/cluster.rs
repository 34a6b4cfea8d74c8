//! A cluster: three masters that share the slots, and what happens when a slot moves from one to another.

use sarsen::ids::MatchId;
use sarsen::store::keys::Keys;
use sarsen::store::redis::{RedisConfig, RedisMode};
use sarsen::store::{Commit, Committed, Inventory, InventoryPage, Live, MatchStore, PlayerStore, Store, StoreError};
use test_kit::redis_cluster::Cluster;

use super::connect;
use super::outage::fails_soon;
use super::server::Server;
use crate::harness::{eventually, match_id, player_id, step, subscribe};

/// Settings that lead to a cluster.
pub fn config(cluster: &Cluster) -> RedisConfig {
    RedisConfig { urls: cluster.urls(), mode: RedisMode::Cluster, ..RedisConfig::single("") }
}

/// A slot on its way from one node to another.
struct Move<'a> {
    slot: u16,
    from: &'a Server,
    to: &'a Server,
    /// The names of the two in the cluster.
    names: [String; 2],
}

fn setslot(slot: u16, what: &str, node: &str) -> ::redis::Cmd {
    let mut command = ::redis::cmd("CLUSTER");
    command.arg("SETSLOT").arg(slot).arg(what).arg(node);
    command
}

impl<'a> Move<'a> {
    /// Begins to move the slot of this key.
    async fn begin(cluster: &'a Cluster, key: &str) -> Move<'a> {
        let slot: u16 = cluster.nodes[0].ask(::redis::cmd("CLUSTER").arg("KEYSLOT").arg(key)).await;
        let at = Cluster::place_of(slot);
        let (from, to) = (&cluster.nodes[at], &cluster.nodes[(at + 1) % 3]);
        let mut whoami = ::redis::cmd("CLUSTER");
        whoami.arg("MYID");
        let names: [String; 2] = [from.ask(&whoami).await, to.ask(&whoami).await];
        to.ask::<()>(&setslot(slot, "IMPORTING", &names[0])).await;
        from.ask::<()>(&setslot(slot, "MIGRATING", &names[1])).await;
        Move { slot, from, to, names }
    }

    /// Completes the move. No key is left behind: the cases make theirs while it is under way.
    async fn complete(self) {
        for node in [self.to, self.from] {
            node.ask::<()>(&setslot(self.slot, "NODE", &self.names[1])).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moving_slot_is_followed() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(0, &[])).await.unwrap();
    let (config, player) = (config(&cluster), player_id());
    let store = connect(&config).await;
    let moving = Move::begin(&cluster, &Keys::new(&config.prefix).player(&player)).await;
    // The old node does not hold it and names the new one, for this once.
    assert!(store.put_player(&player, 0, b"on the way".to_vec()).await.unwrap());
    assert_eq!(store.player(&player).await.unwrap().unwrap().stored, b"on the way");
    moving.complete().await;
    // The old node names the new one, for good.
    assert_eq!(store.player(&player).await.unwrap().unwrap().stored, b"on the way");
    assert!(store.put_player(&player, 1, b"arrived".to_vec()).await.unwrap());
    assert_eq!(store.player(&player).await.unwrap().unwrap().stored, b"arrived");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_waits_for_its_slot_and_happens_once() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(0, &[])).await.unwrap();
    let (config, id, player) = (config(&cluster), match_id(), player_id());
    let store = connect(&config).await;
    let moving = Move::begin(&cluster, &Keys::new(&config.prefix).the_match(&id)).await;
    // A cluster takes no step that needs several keys while neither node has them all.
    let commit = Commit { notify: vec![player.clone()], ..step(&id, 0) };
    let refused = store.commit(commit.clone()).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(store.load_match(&id, None).await.unwrap(), None);
    moving.complete().await;
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
    assert_eq!(store.log(&id, 0, 10).await.unwrap().len(), 2);
    eventually(1, || async { store.inbox(&player, 0, 10).await.unwrap().newest }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_dies_and_comes_back_keeps_its_matches() {
    let mut cluster = tokio::task::spawn_blocking(|| Cluster::start(0, &[])).await.unwrap();
    let (config, keys) = (config(&cluster), Keys::new("sarsen"));
    let store = connect(&config).await;
    let mut live = store.live();
    let ids: Vec<MatchId> = (0..12).map(|_| match_id()).collect();
    for id in &ids {
        assert_eq!(store.commit(step(id, 0)).await.unwrap(), Committed::Yes);
    }
    // The node that holds the first match; it may be the one that the store listens at, too.
    let slot: u16 = cluster.nodes[0].ask(::redis::cmd("CLUSTER").arg("KEYSLOT").arg(keys.the_match(&ids[0]))).await;
    let at = Cluster::place_of(slot);
    cluster.nodes[at].kill();
    fails_soon(store.load_match(&ids[0], None)).await;
    fails_soon(store.commit(step(&ids[0], 1))).await;
    cluster.nodes[at].restart();
    for id in &ids {
        eventually(true, || async { store.load_match(id, None).await.is_ok() }).await;
        assert_eq!(store.load_match(id, None).await.unwrap().unwrap().version, 1);
        assert_eq!(store.commit(step(id, 1)).await.unwrap(), Committed::Yes);
        subscribe(&mut live, &Live::Match(id.clone(), 2)).await;
    }
}

/// A match that moves from a node that is still to be scanned to one that was scanned would be passed over in silence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scan_during_which_a_slot_moves_fails() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start(0, &[])).await.unwrap();
    let config = config(&cluster);
    let store = connect(&config).await;
    let id = match_id();
    store.commit(step(&id, 0)).await.unwrap();
    let rest = async |mut page: Result<InventoryPage<MatchId>, StoreError>| loop {
        match page {
            Ok(InventoryPage { next: Some(next), .. }) => page = store.match_ids(Some(&next)).await,
            end => return end,
        }
    };
    assert!(rest(store.match_ids(None).await).await.is_ok());
    let (first, beginning) = (store.match_ids(None).await, store.match_ids(None).await);
    let moving = Move::begin(&cluster, "a key that nobody has").await;
    let refused = rest(first).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "it is on its way: {refused:?}");
    moving.complete().await;
    let refused = rest(beginning).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "it has moved: {refused:?}");
    assert!(rest(store.match_ids(None).await).await.is_ok());
}
