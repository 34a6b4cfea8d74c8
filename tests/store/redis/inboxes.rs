//! Inboxes as Redis keeps them: lists, which the outbox feeds beside the commits.

use std::sync::Arc;

use sarsen::ambient::Ambient;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::keys::{Keys, Shard};
use sarsen::store::redis::{RedisConfig, RedisStore};
use sarsen::store::{Commit, Committed, INBOX_KEPT, Inbox, Inventory, MatchStore, Notice, Restored};

use super::server::Server;
use super::{connect, prefix};
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
    async fn idle(&self) -> RedisStore {
        RedisStore::connect_idle(self.config.clone(), Ambient::system()).await.unwrap()
    }

    async fn ask<T: ::redis::FromRedisValue>(&self, parts: &[&str]) -> T {
        let mut command = ::redis::Cmd::new();
        self.server.ask(command.arg(parts)).await
    }

    /// A store that does what is left in the outbox, once it has done so.
    async fn heir(&self, id: &MatchId) -> Arc<RedisStore> {
        let (heir, outbox) = (connect(&self.config).await, self.keys.outbox(Shard::of(id)));
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
async fn what_the_outbox_brings_twice_is_noted_once() {
    let place = Place::new();
    let [told, new] = [player_id(), player_id()];
    let id = match_id();
    tell(&place.idle().await, &id, 0..2, &told).await;
    for player in [&told, &new] {
        for version in [1, 2, 3, 2, 3] {
            place.leave(&id, version, player).await;
        }
    }
    let heir = place.heir(&id).await;
    for player in [&told, &new] {
        assert_eq!(numbers(&heir, player).await, [(1, 1), (2, 2), (3, 3)]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_inbox_is_trimmed_now_and_then_and_keeps_its_numbers() {
    let place = Place::new();
    let (store, id, player) = (place.idle().await, match_id(), player_id());
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
    let heir = place.heir(&id).await;
    let held = numbers(&heir, &player).await;
    assert!((INBOX_KEPT as usize..INBOX_KEPT as usize + 64).contains(&held.len()), "{}", held.len());
    assert!(held.iter().all(|(number, version)| number == version));
    assert_eq!(held.last(), Some(&(last + 100, last + 100)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_inbox_ends_at_its_newest_number() {
    let place = Place::new();
    let (store, id, player) = (place.idle().await, match_id(), player_id());
    let notice = |number, version| Notice { number, match_id: id.clone(), version };
    let inbox = Inbox { notices: vec![notice(6, 3), notice(7, 4)], newest: 7 };
    assert_eq!(store.restore_inbox(&player, inbox.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.inbox(&player, 0, 10).await.unwrap(), inbox);
    assert_eq!(store.restore_inbox(&player, inbox.clone()).await.unwrap(), Restored::Same);
    let older = Inbox { notices: vec![notice(5, 2)], newest: 5 };
    assert_eq!(store.restore_inbox(&player, older).await.unwrap(), Restored::Kept);
    assert_eq!(store.inbox(&player, 0, 10).await.unwrap(), inbox);
}
