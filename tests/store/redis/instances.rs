//! Several instances on one server: they do each other's unfinished work, and correct what is wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use sarsen::ambient::{Ambient, Clock, FixedEntropy, Timestamp};
use sarsen::ids::{InstanceId, MatchId, PlayerId};
use sarsen::matches::model::clock::CLOCK_GRACE_MILLIS;
use sarsen::store::keys::{Keys, Shard};
use sarsen::store::redis::{ConnectError, RedisConfig, RedisStore};
use sarsen::store::{
    Beat, Commit, Committed, INBOX_KEPT, Instances, Inventory, ListQuery, ListScope, Listing, MatchStore, Outage,
    Presence, Stage, Store,
};

use super::server::Server;
use super::{connect, games, prefix};
use crate::harness::{eventually, listing, match_id, player_id, step};

/// A server of its own, and the keys on it.
fn server() -> (Server, RedisConfig, Keys) {
    let (server, prefix) = (Server::start(&[]), prefix());
    let config = RedisConfig { prefix: prefix.clone(), games: games(), ..RedisConfig::single(server.url()) };
    (server, config, Keys::new(&prefix))
}

fn all_of(scope: ListScope) -> ListQuery {
    ListQuery { scope, stage: None, game: None, before: None, limit: 200, seen_by: None }
}

async fn listed(store: &RedisStore, query: &ListQuery) -> Vec<MatchId> {
    store.list_matches(query).await.unwrap().into_iter().map(|listed| listed.id).collect()
}

async fn versions(store: &RedisStore, player: &PlayerId) -> Vec<u64> {
    store.inbox(player, 0, 1000).await.unwrap().notices.iter().map(|notice| notice.version).collect()
}

fn command(parts: &[&str]) -> ::redis::Cmd {
    let mut command = ::redis::Cmd::new();
    command.arg(parts);
    command
}

/// Leaves a task in the outbox of this match, as a commit in a cluster does.
async fn left_waiting(server: &Server, keys: &Keys, id: &MatchId, task: &str) {
    let _: u64 = server.ask(&command(&["RPUSH", &keys.outbox(Shard::of(id)), task])).await;
}

/// The number of tasks that wait beside this match.
async fn waiting(server: &Server, keys: &Keys, id: &MatchId) -> u64 {
    server.ask(&command(&["LLEN", &keys.outbox(Shard::of(id))])).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_one_server_lists_and_inboxes_follow_at_once() {
    let (server, config, keys) = server();
    let store = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    let (id, creator, joins) = (match_id(), player_id(), player_id());
    let open = listing(&[&creator]);
    let made = Commit { listing: Some(open.clone()), notify: vec![creator.clone()], ..step(&id, 0) };
    store.commit(made).await.unwrap();
    assert_eq!(listed(&store, &all_of(ListScope::Public)).await, std::slice::from_ref(&id));
    let started = Listing { stage: Stage::Playing, public: false, ..listing(&[&joins]) };
    let notify = vec![creator.clone(), joins.clone()];
    let (listing, listed_before) = (Some(started.clone()), Some(open));
    store.commit(Commit { listing, listed: listed_before, notify, ..step(&id, 1) }).await.unwrap();
    assert_eq!(waiting(&server, &keys, &id).await, 0);
    assert_eq!(versions(&store, &creator).await, [1, 2]);
    assert_eq!(versions(&store, &joins).await, [2]);
    assert_eq!(store.missing_from(&id, &started).await.unwrap(), Vec::<String>::new());
    let strays = server.ask::<Vec<String>>(&command(&["KEYS", &format!("*{{{creator}}}:list:*")])).await;
    assert_eq!(strays, Vec::<String>::new());
    assert_eq!(listed(&store, &all_of(ListScope::Public)).await, []);
}

/// A node of a cluster that holds all slots, used as a single server: no script of it may mix slots.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_one_server_with_slots_lists_and_inboxes_follow_through_the_outbox() {
    let (server, prefix) = (Server::start(&["--cluster-enabled", "yes"]), prefix());
    let slots: Vec<String> = (0..16_384).map(|slot| slot.to_string()).collect();
    let mut add = command(&["CLUSTER", "ADDSLOTS"]);
    let () = server.ask(add.arg(slots)).await;
    let config = RedisConfig { prefix, ..RedisConfig::single(server.url()) };
    eventually(true, async || {
        let state: String = server.ask(&command(&["CLUSTER", "INFO"])).await;
        state.contains("cluster_state:ok")
    })
    .await;
    let (store, id, player) = (connect(&config).await, match_id(), player_id());
    let made = Commit { listing: Some(listing(&[&player])), notify: vec![player.clone()], ..step(&id, 0) };
    assert_eq!(store.commit(made).await.unwrap(), Committed::Yes);
    eventually(vec![1], async || versions(&store, &player).await).await;
    eventually(vec![id], async || listed(&store, &all_of(ListScope::Public)).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_that_is_listed_otherwise_than_known_goes_off_its_lists() {
    let (server, config, keys) = server();
    let store = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    let (id, stays, leaves, never) = (match_id(), player_id(), player_id(), player_id());
    store.commit(Commit { listing: Some(listing(&[&stays, &leaves])), ..step(&id, 0) }).await.unwrap();
    let (now, wrong) = (Some(listing(&[&stays])), Some(listing(&[&stays, &never])));
    store.commit(Commit { listing: now, listed: wrong, ..step(&id, 1) }).await.unwrap();
    assert_eq!(waiting(&server, &keys, &id).await, 1);
    let _heir = connect(&config).await;
    let key = keys.list(&ListScope::Player(leaves), Stage::Open, "contiguity");
    eventually(0, || async { server.ask::<u64>(&command(&["ZCARD", &key])).await }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notices_come_after_those_that_wait() {
    let (server, config, keys) = server();
    let store = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    let (id, player) = (match_id(), player_id());
    store.commit(step(&id, 0)).await.unwrap();
    left_waiting(&server, &keys, &id, &format!("{id} 1 {player}")).await;
    store.commit(Commit { notify: vec![player.clone()], ..step(&id, 1) }).await.unwrap();
    assert_eq!(versions(&store, &player).await, Vec::<u64>::new());
    assert_eq!(waiting(&server, &keys, &id).await, 2);
    let heir = connect(&config).await;
    eventually(vec![1, 2], || versions(&heir, &player)).await;
    eventually(0, || waiting(&server, &keys, &id)).await;
    heir.commit(Commit { notify: vec![player.clone()], ..step(&id, 2) }).await.unwrap();
    assert_eq!(versions(&heir, &player).await, [1, 2, 3]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_stands_although_an_inbox_and_a_list_cannot_be_written() {
    let (server, config, keys) = server();
    let store = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    let (id, damaged, whole) = (match_id(), player_id(), player_id());
    let list = keys.list(&ListScope::Public, Stage::Open, "contiguity");
    for key in [&keys.inbox(&damaged), &list] {
        let _: () = server.ask(&command(&["SET", key, "damaged"])).await;
    }
    let notify = vec![damaged.clone(), whole.clone()];
    let made = Commit { listing: Some(listing(&[&whole])), notify, ..step(&id, 0) };
    assert_eq!(store.commit(made).await.unwrap(), Committed::Yes);
    assert_eq!(versions(&store, &whole).await, [1]);
    assert_eq!(listed(&store, &all_of(ListScope::Player(whole))).await, std::slice::from_ref(&id));
    assert_eq!(store.log(&id, 0, 10).await.unwrap().len(), 1);
    assert_eq!(waiting(&server, &keys, &id).await, 1);
    let _: u64 = server.ask(&command(&["DEL", &keys.inbox(&damaged), &list])).await;
    let heir = connect(&config).await;
    eventually(vec![1], || versions(&heir, &damaged)).await;
    eventually(vec![id], || async { listed(&heir, &all_of(ListScope::Public)).await }).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_is_trimmed_now_and_then() {
    let (server, config, keys) = server();
    let (store, id, player) = (connect(&config).await, match_id(), player_id());
    for version in 0..1_200 {
        store.commit(Commit { notify: vec![player.clone()], ..step(&id, version) }).await.unwrap();
    }
    let kept: u64 = server.ask(&command(&["LLEN", &keys.inbox(&player)])).await;
    // In front stands how many were dropped.
    let kept = kept - 1;
    assert!((INBOX_KEPT..INBOX_KEPT + 64).contains(&kept), "{kept}");
    assert!(versions(&store, &player).await.into_iter().eq(1_201 - kept..=1_200 - (kept - 1_000)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_dead_instance_left_is_done_by_others() {
    let (server, config, keys) = server();
    let dying = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    let (id, stays, leaves) = (match_id(), player_id(), player_id());
    // Everything else waits behind it.
    left_waiting(&server, &keys, &id, &format!("{id} 0 ")).await;
    let notify = vec![stays.clone()];
    let made = Commit { listing: Some(listing(&[&stays, &leaves])), notify: notify.clone(), ..step(&id, 0) };
    dying.commit(made).await.unwrap();
    let left = Commit { listing: Some(listing(&[&stays])), notify: notify.clone(), ..step(&id, 1) };
    dying.commit(left).await.unwrap();
    for version in 2..50 {
        dying.commit(Commit { notify: notify.clone(), ..step(&id, version) }).await.unwrap();
    }
    drop(dying);
    let outbox = keys.outbox(Shard::of(&id));
    assert_eq!(server.ask::<u64>(&command(&["LLEN", &outbox])).await, 51);

    // Two at once: what both do is done once.
    let (heir, other) = (connect(&config).await, connect(&config).await);
    eventually((1..=50).collect(), || versions(&heir, &stays)).await;
    let (public, theirs) = (all_of(ListScope::Public), all_of(ListScope::Player(stays.clone())));
    eventually(vec![id.clone()], || listed(&heir, &public)).await;
    eventually(vec![id.clone()], || listed(&other, &theirs)).await;
    eventually(0, || async { server.ask::<u64>(&command(&["LLEN", &outbox])).await }).await;
    assert_eq!(listed(&heir, &all_of(ListScope::Player(leaves))).await, []);
    assert_eq!(versions(&other, &stays).await, (1..=50).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_left_is_taken_off_even_if_nobody_saw_the_listing_between() {
    let (server, config, keys) = server();
    let (store, id, stays, leaves) = (connect(&config).await, match_id(), player_id(), player_id());
    store.commit(Commit { listing: Some(listing(&[&stays, &leaves])), ..step(&id, 0) }).await.unwrap();
    let theirs = all_of(ListScope::Player(leaves.clone()));
    eventually(vec![id.clone()], || listed(&store, &theirs)).await;
    store.close().await;

    let dying = RedisStore::connect_idle(config.clone(), Ambient::system()).await.unwrap();
    dying.commit(Commit { listing: Some(listing(&[&stays])), ..step(&id, 1) }).await.unwrap();
    let finished = Listing { stage: Stage::Finished, ..listing(&[&stays]) };
    dying.commit(Commit { listing: Some(finished), ..step(&id, 2) }).await.unwrap();
    drop(dying);

    let heir = connect(&config).await;
    let key = keys.list(&ListScope::Player(leaves), Stage::Open, "contiguity");
    eventually(0, || async { server.ask::<u64>(&command(&["ZCARD", &key])).await }).await;
    let done = ListQuery { stage: Some(Stage::Finished), ..all_of(ListScope::Player(stays)) };
    eventually(vec![id], || listed(&heir, &done)).await;
}

/// The number of times that the server was told to do this, in scripts too.
async fn times(server: &Server, command_name: &str) -> u64 {
    let stats: String = server.ask(&command(&["INFO", "commandstats"])).await;
    let line = stats.lines().find_map(|line| line.strip_prefix(&format!("cmdstat_{command_name}:calls=")));
    line.map_or(0, |line| line.split(',').next().unwrap().parse().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_taken_only_off_lists_that_it_was_on() {
    let (server, config, _) = server();
    let (store, id, creator, joins) = (connect(&config).await, match_id(), player_id(), player_id());
    let made = Commit { listing: Some(listing(&[&creator])), ..step(&id, 0) };
    assert_eq!(store.commit(made).await.unwrap(), Committed::Yes);
    let theirs = all_of(ListScope::Player(creator.clone()));
    eventually(vec![id.clone()], || listed(&store, &theirs)).await;
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    assert_eq!(times(&server, "zrem").await, 0, "it was on none");

    let started = Listing { stage: Stage::Playing, ..listing(&[&creator, &joins]) };
    assert_eq!(store.commit(Commit { listing: Some(started), ..step(&id, 1) }).await.unwrap(), Committed::Yes);
    let joined = all_of(ListScope::Player(joins.clone()));
    eventually(vec![id.clone()], || listed(&store, &joined)).await;
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    assert_eq!(times(&server, "zrem").await, 2, "those of open matches, of the public and of the creator");
    let open = ListQuery { stage: Some(Stage::Open), ..theirs };
    assert_eq!(listed(&store, &open).await, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_entries_are_left_out_and_corrected() {
    let (server, config, keys) = server();
    let (store, player) = (connect(&config).await, player_id());
    let (open, private, finished, missing) = (match_id(), match_id(), match_id(), match_id());
    let usual = listing(&[&player]);
    let listings = [
        (&open, usual.clone()),
        (&private, Listing { public: false, ..usual.clone() }),
        (&finished, Listing { stage: Stage::Finished, ..usual }),
    ];
    for (id, listing) in listings {
        assert_eq!(store.commit(Commit { listing: Some(listing), ..step(id, 0) }).await.unwrap(), Committed::Yes);
    }
    let theirs = all_of(ListScope::Player(player.clone()));
    eventually(3, || async { listed(&store, &theirs).await.len() }).await;
    let public = all_of(ListScope::Public);
    eventually(2, || async { listed(&store, &public).await.len() }).await;

    let key = keys.list(&ListScope::Public, Stage::Open, "contiguity");
    let right = keys.list(&ListScope::Public, Stage::Finished, "contiguity");
    for wrong in [private.as_str(), finished.as_str(), missing.as_str(), "nonsense"] {
        assert_eq!(server.ask::<u64>(&command(&["ZADD", &key, "0", wrong])).await, 1);
    }
    assert_eq!(server.ask::<u64>(&command(&["ZREM", &right, finished.as_str()])).await, 1);
    // A page of one is full although four wrong entries stand in its way.
    let query = ListQuery { stage: Some(Stage::Open), limit: 1, ..all_of(ListScope::Public) };
    let right_ones = vec![open.clone()];
    assert_eq!(listed(&store, &query).await, right_ones);
    assert_eq!(listed(&store, &ListQuery { limit: 200, ..query }).await, right_ones);
    assert_eq!(server.ask::<Vec<String>>(&command(&["ZRANGE", &key, "0", "-1"])).await, [open.to_string()]);
    assert_eq!(server.ask::<Vec<String>>(&command(&["ZRANGE", &right, "0", "-1"])).await, [finished.to_string()]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_forgot_the_scripts_learns_them_again() {
    let (server, config, _) = server();
    let (store, id, player) = (connect(&config).await, match_id(), player_id());
    for version in 0..3 {
        let _: () = server.ask(&command(&["SCRIPT", "FLUSH"])).await;
        let commit = Commit { notify: vec![player.clone()], ..step(&id, version) };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
    }
    assert_eq!(store.log(&id, 0, 10).await.unwrap().len(), 3);
    eventually(vec![1, 2, 3], || versions(&store, &player)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prefixes_are_apart() {
    let (_server, config, _) = server();
    let (store, id) = (connect(&config).await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let other: Arc<RedisStore> = connect(&RedisConfig { prefix: "another".to_owned(), ..config }).await;
    assert_eq!(other.load_match(&id, None).await.unwrap(), None);
}

#[tokio::test]
async fn settings_that_cannot_be_right_are_refused() {
    let refusal = async |config: RedisConfig| match RedisStore::connect(config, Ambient::system()).await {
        Err(ConnectError::Settings(why)) => why,
        other => panic!("{other:?}"),
    };
    refusal(RedisConfig { urls: vec![], ..RedisConfig::single("") }).await;
    refusal(RedisConfig { prefix: "a{b}".to_owned(), ..RedisConfig::single("redis://127.0.0.1") }).await;
    let why = refusal(RedisConfig::single("http://user:hidden@127.0.0.1")).await;
    assert!(!why.contains("hidden"), "{why}");
}

/// The clock of this machine, which a test moves on.
#[derive(Default)]
struct Moved(AtomicI64);

impl Clock for Moved {
    fn now(&self) -> Timestamp {
        Timestamp(Ambient::system().now().0 + self.moved())
    }

    fn moved(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Issue 31.1: whether the only instance is killed and another starts while it still counts as living, or two instances lose
/// their store, what it costs is within the grace of a clock, and is credited once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_outage_of_one_instance_or_two_costs_more_than_the_grace() {
    let (_server, config, _) = server();
    let clock = Arc::new(Moved::default());
    let ambient = Ambient::with(clock.clone(), Arc::new(FixedEntropy::new(1)));
    let store = RedisStore::connect_idle(config, ambient.clone()).await.unwrap();
    let pass = |millis: i64| {
        clock.0.fetch_add(millis, Ordering::SeqCst);
    };
    let beat = async |id: &InstanceId, presence: Presence| {
        store.confirm().await.unwrap();
        store.beat(Beat { id: id.clone(), works: true, presence, known: None }).await.unwrap()
    };
    let (mut gone, mut outages) = (Vec::new(), Vec::new());
    for away in (5..=26).map(|tenths| tenths * 100) {
        for after in [1, 250, 499] {
            let [killed, one, other] = std::array::from_fn(|_| InstanceId::generate(&ambient));
            let last = beat(&killed, Presence::Started).await;
            pass(after + away);
            let first = beat(&one, Presence::Started).await;
            gone.push((last.at.0 + after, first.at.0));
            // The heartbeat of one is due 500 ms before that of the other.
            pass(500);
            let second = beat(&other, Presence::Started).await;
            pass(after + away);
            let silence = Duration::from_millis((ambient.now().0 - first.at.0).unsigned_abs() + 100);
            let back = beat(&one, Presence::Resumed(silence)).await;
            gone.push((second.at.0 + after, back.at.0));
            outages = back.outages.unwrap_or_default();
        }
    }
    assert!(outages.is_sorted_by(|one, next| one.to <= next.from), "no moment is credited twice");
    for (from, to) in gone {
        let within = |outage: &Outage| outage.to.0.min(to) - outage.from.0.max(from);
        let credited: i64 = outages.iter().map(within).filter(|common| *common > 0).sum();
        let cost = to - from - credited;
        assert!((0..=CLOCK_GRACE_MILLIS).contains(&cost), "{} ms away cost {cost} ms", to - from);
    }
}
