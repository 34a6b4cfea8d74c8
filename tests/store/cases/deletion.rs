//! Matches that are deleted.

use sarsen::store::{Commit, Committed, Due, Live, QueueSize, Replay, ReplayKey};

use super::lists::{own, public, shows};
use crate::harness::{Harness, listing, match_id, player_id, stamp, step, subscribe};

pub async fn a_deleted_match_is_gone(harness: &impl Harness) {
    let (store, id, other, player) = (harness.open().await, match_id(), match_id(), player_id());
    let key = ReplayKey { player: player.clone(), key: "k".to_owned() };
    let replay = Some((key.clone(), Replay { version: 2, fingerprint: "f".to_owned() }));
    for id in [&id, &other] {
        store.commit(Commit { due: Due::At(harness.now().plus_seconds(60)), ..step(id, 0) }).await.unwrap();
        store.commit(Commit { replay: replay.clone(), ..step(id, 1) }).await.unwrap();
    }
    assert_eq!(store.delete_match(&id, 2, stamp(2)).await.unwrap(), Committed::Yes);
    assert_eq!(store.load_match(&id, Some(&key)).await.unwrap(), None);
    assert_eq!(store.standing(&id).await.unwrap(), None);
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), Vec::<Vec<u8>>::new());
    assert_eq!(store.backlog().await.unwrap().due.length, 1);
    assert_eq!(store.delete_match(&id, 2, stamp(2)).await.unwrap(), Committed::Conflict, "once");
    // Neither does a step bring it back, nor is its key remembered.
    for replay in [None, replay.clone()] {
        assert_eq!(store.commit(Commit { replay, ..step(&id, 2) }).await.unwrap(), Committed::Conflict);
    }
    assert_eq!(store.load_match(&id, Some(&key)).await.unwrap(), None);
    // Others keep theirs.
    assert_eq!(store.load_match(&other, Some(&key)).await.unwrap().unwrap().replay, replay.map(|(_, replay)| replay));
    assert_eq!(store.log(&other, 0, 10).await.unwrap().len(), 2);
}

pub async fn only_the_version_that_was_seen_is_deleted(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    store.commit(step(&id, 1)).await.unwrap();
    for wrong in [0, 1, 3] {
        assert_eq!(store.delete_match(&id, wrong, stamp(2)).await.unwrap(), Committed::Conflict, "{wrong}");
    }
    assert_eq!(store.log(&id, 0, 10).await.unwrap().len(), 2);
    assert_eq!(store.delete_match(&match_id(), 1, stamp(1)).await.unwrap(), Committed::Conflict, "there is none");
    assert_eq!(store.delete_match(&match_id(), 0, stamp(0)).await.unwrap(), Committed::Conflict);
}

pub async fn a_deleted_match_goes_off_its_lists(harness: &impl Harness) {
    let (store, id, stays, player) = (harness.open().await, match_id(), match_id(), player_id());
    for id in [&id, &stays] {
        store.commit(Commit { listing: Some(listing(&[&player])), ..step(id, 0) }).await.unwrap();
    }
    let (older, newer) = if id < stays { (&id, &stays) } else { (&stays, &id) };
    shows(&*store, own(&player), &[newer, older]).await;
    shows(&*store, public(), &[newer, older]).await;
    store.delete_match(&id, 1, stamp(1)).await.unwrap();
    shows(&*store, own(&player), &[&stays]).await;
    shows(&*store, public(), &[&stays]).await;
}

pub async fn a_deleted_match_is_not_made_again(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    store.delete_match(&id, 1, stamp(1)).await.unwrap();
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Conflict);
    store.close().await;
    let store = harness.open().await;
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.load_match(&id, None).await.unwrap(), None);
    assert_eq!(store.backlog().await.unwrap().due, QueueSize::default());
}

pub async fn who_waits_for_a_deleted_match_is_woken(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let mut live = store.live();
    store.delete_match(&id, 1, stamp(1)).await.unwrap();
    subscribe(&mut live, &Live::Match(id.clone(), 1)).await;
    assert_eq!(store.load_match(&id, None).await.unwrap(), None);
}
