//! Idempotency keys.

use std::sync::Arc;

use sarsen::ids::MatchId;
use sarsen::store::{Commit, Committed, LoadedMatch, Replay, ReplayKey, Store};

use crate::harness::{Harness, listing, match_id, player_id, stamp, step};

async fn known(store: &dyn Store, id: &MatchId, key: &ReplayKey) -> Option<Replay> {
    store.load_match(id, Some(key)).await.unwrap().unwrap().replay
}

fn keyed(id: &MatchId, expected: u64, key: &ReplayKey, fingerprint: &str) -> (Commit, Replay) {
    let replay = Replay { version: expected + 1, fingerprint: fingerprint.to_owned() };
    (Commit { replay: Some((key.clone(), replay.clone())), ..step(id, expected) }, replay)
}

pub async fn a_key_is_found_again(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let key = ReplayKey { player: player_id(), key: "k1".to_owned() };
    let other = ReplayKey { key: "k2".to_owned(), ..key.clone() };
    assert_eq!(store.load_match(&id, Some(&key)).await.unwrap(), None);
    let (commit, replay) = keyed(&id, 0, &key, "sha256:ab/cd+ef=");
    store.commit(commit).await.unwrap();
    assert_eq!(known(&*store, &id, &key).await, Some(replay));
    assert_eq!(known(&*store, &id, &other).await, None);
    assert_eq!(store.load_match(&id, None).await.unwrap().unwrap().replay, None, "without asking");
}

pub async fn a_key_belongs_to_one_player_and_one_match(harness: &impl Harness) {
    let (store, first, second) = (harness.open().await, match_id(), match_id());
    let key = ReplayKey { player: player_id(), key: "same".to_owned() };
    let theirs = ReplayKey { player: player_id(), ..key.clone() };
    let (commit, replay) = keyed(&first, 0, &key, "mine");
    store.commit(commit).await.unwrap();
    store.commit(step(&second, 0)).await.unwrap();
    assert_eq!(known(&*store, &first, &theirs).await, None);
    assert_eq!(known(&*store, &second, &key).await, None);
    let (commit, their_replay) = keyed(&first, 1, &theirs, "theirs");
    store.commit(commit).await.unwrap();
    assert_eq!(known(&*store, &first, &key).await, Some(replay));
    assert_eq!(known(&*store, &first, &theirs).await, Some(their_replay));
}

pub async fn a_key_of_an_earlier_step_is_still_known(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, match_id(), player_id());
    let mut replays = Vec::new();
    for version in 0..30 {
        let key = ReplayKey { player: player.clone(), key: format!("key-{version}") };
        let (commit, replay) = keyed(&id, version, &key, &format!("print-{version}"));
        store.commit(commit).await.unwrap();
        replays.push((key, replay));
    }
    for (key, replay) in replays {
        assert_eq!(known(&*store, &id, &key).await, Some(replay));
    }
}

pub async fn any_visible_ascii_is_a_key(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, match_id(), player_id());
    let visible: String = ('!'..='~').collect();
    let keys = [visible, "x".repeat(255), "{a}:b".to_owned(), "*".to_owned(), ":".to_owned()];
    for (version, key) in (0..).zip(&keys) {
        let key = ReplayKey { player: player.clone(), key: key.clone() };
        assert_eq!(store.load_match(&id, Some(&key)).await.unwrap().and_then(|found| found.replay), None);
        let (commit, replay) = keyed(&id, version, &key, "f");
        store.commit(commit).await.unwrap();
        assert_eq!(known(&*store, &id, &key).await, Some(replay));
    }
}

pub async fn a_key_commits_once(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let key = ReplayKey { player: player_id(), key: "k".to_owned() };
    store.commit(step(&id, 0)).await.unwrap();
    let (commit, first) = keyed(&id, 1, &key, "first");
    assert_eq!(store.commit(commit.clone()).await.unwrap(), Committed::Yes);
    // From the version that stands, from the one that the first was computed from, and from one that there never was.
    for expected in [2, 1, 7] {
        let (again, _) = keyed(&id, expected, &key, "other");
        let again = Commit { notify: vec![key.player.clone()], listing: Some(listing(&[&key.player])), ..again };
        assert_eq!(store.commit(again).await.unwrap(), Committed::Repeated, "{expected}");
    }
    assert_eq!(store.commit(commit).await.unwrap(), Committed::Repeated);
    let found = store.load_match(&id, Some(&key)).await.unwrap().unwrap();
    let stands = LoadedMatch { stored: b"match 2".to_vec(), version: 2, stamp: stamp(2), replay: Some(first) };
    assert_eq!(found, stands);
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), [b"entry 1", b"entry 2"]);
    // Nothing of what did not happen is listed: the next notice is of the step that did.
    let next = Commit { notify: vec![key.player.clone()], ..step(&id, 2) };
    assert_eq!(store.commit(next).await.unwrap(), Committed::Yes);
    super::inboxes::holds(&*store, &key.player, &[(&id, 3)]).await;
    super::lists::shows(&*store, super::lists::own(&key.player), &[]).await;
}

pub async fn of_32_commits_under_one_key_one_happens(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let key = ReplayKey { player: player_id(), key: "k".to_owned() };
    store.commit(step(&id, 0)).await.unwrap();
    let commits = (0..32).map(|_| {
        let (store, (commit, _)) = (Arc::clone(&store), keyed(&id, 1, &key, "f"));
        tokio::spawn(async move { store.commit(commit).await.unwrap() })
    });
    let mut answers = Vec::new();
    for commit in commits.collect::<Vec<_>>() {
        answers.push(commit.await.unwrap());
    }
    let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
    assert_eq!((count(Committed::Yes), count(Committed::Repeated)), (1, 31));
}
