//! The two kinds of inboxes, and which of them a store makes.

use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::keys::{Keys, Shard};
use sarsen::store::redis::{ListsKept, RedisConfig, RedisStore};
use sarsen::store::{Commit, Committed, INBOX_KEPT, Inbox, Inboxes, MatchStore, Notice, Restored, Restoring, Store};

use super::server::Server;
use super::{connect, narrow, prefix};
use crate::harness::{eventually, match_id, player_id, step};

/// A server of its own, and the ways to it.
struct Place {
    server: Server,
    config: RedisConfig,
    keys: Keys,
}

impl Place {
    fn new() -> Place {
        let (server, prefix) = (Server::start(&[]), prefix());
        let config = RedisConfig { prefix: prefix.clone(), ..RedisConfig::single(server.url()) };
        Place { server, config, keys: Keys::new(&prefix) }
    }

    /// A store that leaves its outbox to others.
    async fn idle(&self, lists: Option<ListsKept>) -> RedisStore {
        RedisStore::connect_idle(RedisConfig { lists, ..self.config.clone() }, Ambient::system()).await.unwrap()
    }

    async fn ask<T: ::redis::FromRedisValue>(&self, parts: &[&str]) -> T {
        let mut command = ::redis::Cmd::new();
        self.server.ask(command.arg(parts)).await
    }

    /// What Redis calls the kind of the player's inbox.
    async fn kind(&self, player: &PlayerId) -> String {
        self.ask(&["TYPE", &self.keys.inbox(player)]).await
    }

    /// A store that does what is left in the outbox, once it has done so.
    async fn heir(&self, config: &RedisConfig, id: &MatchId) -> Arc<RedisStore> {
        let (heir, outbox) = (connect(config).await, self.keys.outbox(Shard::of(id)));
        eventually(0, async || self.ask::<u64>(&["LLEN", &outbox]).await).await;
        heir
    }

    /// Leaves a notice to the outbox.
    async fn leave(&self, id: &MatchId, version: u64, player: &PlayerId) {
        let task = format!("{id} {version} {player}");
        let _: u64 = self.ask(&["RPUSH", &self.keys.outbox(Shard::of(id)), &task]).await;
    }
}

async fn tell(store: &RedisStore, id: &MatchId, versions: std::ops::Range<u64>, player: &PlayerId) {
    for version in versions {
        let commit = Commit { notify: vec![player.clone()], ..step(id, version) };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
    }
}

async fn numbers(store: &RedisStore, player: &PlayerId) -> Vec<(u64, u64)> {
    let inbox = store.inbox(player, 0, 10_000).await.unwrap();
    assert_eq!(inbox.newest, inbox.notices.last().map_or(0, |notice| notice.number));
    inbox.notices.iter().map(|notice| (notice.number, notice.version)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inboxes_of_either_kind_are_read_and_added_to_by_whoever_makes_the_other() {
    let place = Place::new();
    let (wide, narrow) = (place.idle(Some(ListsKept::Wide)).await, place.idle(Some(ListsKept::Narrow)).await);
    for (maker, other, kind) in [(&wide, &narrow, "zset"), (&narrow, &wide, "list")] {
        let (id, player) = (match_id(), player_id());
        tell(maker, &id, 0..2, &player).await;
        tell(other, &id, 2..4, &player).await;
        tell(maker, &id, 4..5, &player).await;
        assert_eq!(place.kind(&player).await, kind);
        for store in [&wide, &narrow] {
            assert_eq!(numbers(store, &player).await, [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
            let stretch = store.inbox(&player, 2, 2).await.unwrap();
            assert_eq!(stretch.notices.iter().map(|notice| notice.number).collect::<Vec<_>>(), [3, 4]);
            assert_eq!(stretch.newest, 5);
            assert_eq!(store.inbox(&player, 5, 10).await.unwrap(), Inbox { notices: vec![], newest: 5 });
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_outbox_brings_twice_is_noted_once_in_inboxes_of_either_kind() {
    let place = Place::new();
    let [set, list, new, newest] = [player_id(), player_id(), player_id(), player_id()];
    let id = match_id();
    tell(&place.idle(Some(ListsKept::Wide)).await, &id, 0..1, &set).await;
    tell(&place.idle(Some(ListsKept::Narrow)).await, &id, 1..2, &list).await;
    for player in [&set, &list, &new] {
        for version in [1, 2, 3, 2, 3] {
            place.leave(&id, version, player).await;
        }
    }
    // It keeps no inbox anew.
    let heir = place.heir(&place.config, &id).await;
    for (player, kind, held) in [
        (&set, "zset", [(1, 1), (2, 2), (3, 3)]),
        (&list, "list", [(1, 2), (2, 1), (3, 3)]),
        (&new, "zset", [(1, 1), (2, 2), (3, 3)]),
    ] {
        assert_eq!(place.kind(player).await, kind);
        assert_eq!(numbers(&heir, player).await, held);
    }
    heir.close().await;
    place.leave(&id, 1, &newest).await;
    place.leave(&id, 1, &newest).await;
    let heir = place.heir(&narrow(place.config.clone()), &id).await;
    assert_eq!(place.kind(&newest).await, "list");
    assert_eq!(numbers(&heir, &newest).await, [(1, 1)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_is_trimmed_now_and_then_and_keeps_its_numbers() {
    let place = Place::new();
    let (store, id, player) = (place.idle(Some(ListsKept::Narrow)).await, match_id(), player_id());
    let last = INBOX_KEPT + 200;
    tell(&store, &id, 0..last, &player).await;
    let held = numbers(&store, &player).await;
    assert!((INBOX_KEPT as usize..INBOX_KEPT as usize + 64).contains(&held.len()), "{}", held.len());
    assert!(
        held.into_iter().eq((last + 1 - place.ask::<u64>(&["LLEN", &place.keys.inbox(&player)]).await + 1..=last)
            .map(|number| (number, number)))
    );
    // The same by the outbox, several at once.
    for version in last + 1..=last + 100 {
        place.leave(&id, version, &player).await;
    }
    let heir = place.heir(&narrow(place.config.clone()), &id).await;
    let held = numbers(&heir, &player).await;
    assert!((INBOX_KEPT as usize..INBOX_KEPT as usize + 64).contains(&held.len()), "{}", held.len());
    assert!(held.iter().all(|(number, version)| number == version));
    assert_eq!(held.last(), Some(&(last + 100, last + 100)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn inboxes_are_kept_anew_at_a_narrow_start_and_as_before_when_they_are_put_right() {
    let place = Place::new();
    let (wide, id, player) = (place.idle(Some(ListsKept::Wide)).await, match_id(), player_id());
    let last = INBOX_KEPT + 100;
    tell(&wide, &id, 0..last, &player).await;
    let held = numbers(&wide, &player).await;
    assert_eq!(place.kind(&player).await, "zset");
    let narrow = connect(&narrow(place.config.clone())).await;
    eventually("list".to_owned(), || place.kind(&player)).await;
    assert_eq!(numbers(&narrow, &player).await, held);
    assert!(!narrow.keep_inbox(&player).await.unwrap());
    assert!(wide.keep_inbox(&player).await.unwrap());
    assert_eq!(place.kind(&player).await, "zset");
    assert_eq!(numbers(&narrow, &player).await, held);
    assert!(!wide.keep_inbox(&player_id()).await.unwrap(), "there is none");
    tell(&narrow, &id, last..last + 1, &player).await;
    assert_eq!(numbers(&wide, &player).await.last(), Some(&(last + 1, last + 1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_with_gaps_stays_as_it_is() {
    let place = Place::new();
    let (narrow, id, player) = (place.idle(Some(ListsKept::Narrow)).await, match_id(), player_id());
    let notice = |number, version| Notice { number, match_id: id.clone(), version };
    let inbox = Inbox { notices: vec![notice(3, 1), notice(5, 2)], newest: 5 };
    assert_eq!(narrow.restore_inbox(&player, inbox.clone()).await.unwrap(), Restored::Written);
    assert_eq!(place.kind(&player).await, "zset");
    assert_eq!(narrow.inbox(&player, 0, 10).await.unwrap(), inbox);
    let whole = Inbox { notices: vec![notice(6, 3), notice(7, 4)], newest: 7 };
    assert_eq!(narrow.restore_inbox(&player, whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(place.kind(&player).await, "list");
    assert_eq!(narrow.inbox(&player, 0, 10).await.unwrap(), whole);
    assert_eq!(narrow.restore_inbox(&player, whole).await.unwrap(), Restored::Same);
    assert_eq!(narrow.restore_inbox(&player, inbox).await.unwrap(), Restored::Kept);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_is_narrow_of_itself_where_it_was_empty_or_set_so_last() {
    let makes = async |place: &Place, lists: Option<ListsKept>| {
        let (store, player) = (place.idle(lists).await, player_id());
        tell(&store, &match_id(), 0..1, &player).await;
        place.kind(&player).await
    };
    let place = Place::new();
    // What readiness writes is no sign of an earlier release.
    RedisStore::connect_idle(place.config.clone(), Ambient::system()).await.unwrap().ready().await.unwrap();
    let _: u64 = place.ask(&["DEL", &place.keys.lists()]).await;
    assert_eq!(makes(&place, None).await, "list");
    assert_eq!(makes(&place, None).await, "list", "it says so itself");
    assert_eq!(makes(&place, Some(ListsKept::Wide)).await, "zset");
    assert_eq!(makes(&place, None).await, "zset", "as it was set last");
    assert_eq!(makes(&place, Some(ListsKept::Narrow)).await, "list");
    assert_eq!(makes(&place, None).await, "list");
    for earlier in [Keys::moments, |keys: &Keys| keys.player(&PlayerId::from_number(1))] {
        let place = Place::new();
        let _: () = place.ask(&["SET", &earlier(&place.keys), "left by an earlier release"]).await;
        assert_eq!(makes(&place, None).await, "zset");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_that_begin_a_store_at_once_keep_it_alike() {
    let place = Place::new();
    let begin = || async {
        let (store, player) = (place.idle(None).await, player_id());
        tell(&store, &match_id(), 0..1, &player).await;
        place.kind(&player).await
    };
    let kinds = futures_util::future::join_all((0..8).map(|_| begin())).await;
    assert_eq!(kinds, ["list"; 8]);
}
