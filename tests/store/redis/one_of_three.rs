//! A cluster of which one master hangs: what lives with the others goes on.

use std::collections::BTreeSet;

use sarsen::ambient::Ambient;
use sarsen::store::keys::Keys;
use sarsen::store::redis::RedisStore;
use sarsen::store::{
    Commit, Committed, Due, DueMatches, Inboxes, Job, JobId, JobKind, JobOrder, LEASE, MatchStore, WorkQueues,
};
use test_kit::redis_cluster::Cluster;
use tokio::time::Instant;

use super::{cluster, connect};
use crate::harness::{DEADLINE, eventually, match_id, player_id, step};

const KIND: JobKind = JobKind::new("test");
/// The place of the master that hangs.
const HUNG: usize = 0;

/// Whether a key lives with the master that hangs.
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
    let now = Ambient::system().now();
    let match_of = |hung| made(&cluster, hung, match_id, |id| keys.the_match(id));
    let job = || {
        let id = JobId::of(&KIND, &match_id(), 1, None, "");
        Job { kind: KIND, id, ready: now, body: "{}".to_owned() }
    };
    let job_of = |hung| made(&cluster, hung, job, |job| keys.job(&KIND, &job.id));

    let due = [match_of(true).await, match_of(false).await];
    for id in &due {
        store.commit(Commit { due: Due::At(now), ..step(id, 0) }).await.unwrap();
    }
    let jobs = [job_of(true).await, job_of(false).await, job_of(false).await];
    store.enqueue(&jobs).await.unwrap();
    cluster.nodes[HUNG].signal("-STOP");

    // The matches of the others are looked at.
    let first = store.due_matches(100).await.unwrap();
    assert_eq!(first.into_iter().map(|due| due.id).collect::<Vec<_>>(), [due[1].clone()]);

    // What commits at the others leave is done, except at the one that hangs.
    let (hung, other) = (match_of(false).await, match_of(false).await);
    let player_of = |hung| made(&cluster, hung, player_id, |player| keys.inbox(player));
    let (away, here) = (player_of(true).await, player_of(false).await);
    let order_of = |id, hung| {
        let make = || {
            let body = serde_json::value::RawValue::from_string("{}".to_owned()).unwrap();
            JobOrder { kind: KIND, seat: None, target: match_id().to_string(), ready: now, body }
        };
        let keys = &keys;
        made(&cluster, hung, make, move |order: &JobOrder| keys.job(&KIND, &order.job(id, 1).id))
    };
    let orders = [order_of(&hung, true).await, order_of(&other, false).await];
    let wanted = orders[1].job(&other, 1).id;
    let [stays, goes] = orders;
    committed(&store, Commit { notify: vec![away], jobs: vec![stays], ..step(&hung, 0) }).await;
    committed(&store, Commit { notify: vec![here.clone()], jobs: vec![goes], ..step(&other, 0) }).await;
    eventually(Ok(1), || async { store.inbox(&here, 0, 10).await.map(|inbox| inbox.newest).map_err(drop) }).await;

    // And the jobs of the others are claimed; a claim whose answer comes too late stands until its lease ends.
    let wanted = BTreeSet::from([jobs[1].id.clone(), jobs[2].id.clone(), wanted]);
    let (start, mut claimed) = (Instant::now(), BTreeSet::new());
    while claimed != wanted {
        assert!(start.elapsed() < LEASE + DEADLINE, "{claimed:?} of {wanted:?}");
        claimed.extend(store.claim(&KIND, 100).await.into_iter().flatten().map(|claimed| claimed.job.id));
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    cluster.nodes[HUNG].signal("-CONT");
}
