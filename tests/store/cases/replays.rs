//! Idempotency keys.

use sarsen::ids::MatchId;
use sarsen::store::{Commit, Replay, ReplayKey, Store};

use crate::harness::{Harness, match_id, player_id, step};

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
