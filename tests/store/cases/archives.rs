//! Logs of matches that are over, packed into one value each.

use sarsen::ambient::Timestamp;
use sarsen::store::{Archived, Committed, Due, Restored, Stamp};

use super::inventory::full;
use crate::harness::{Harness, eventually, match_id, player_id, step};

const SEVEN: Stamp = Stamp::from_number(7);

fn entries() -> Vec<Vec<u8>> {
    vec![b"first".to_vec(), (0..=255).collect()]
}

pub async fn an_archived_match_is_read_as_before(harness: &impl Harness) {
    let (store, id, other, player) = (harness.open().await, match_id(), match_id(), player_id());
    let key = full(&store, &id, &player).await;
    full(&store, &other, &player).await;
    let before = store.whole_match(&id).await.unwrap().unwrap();
    assert!(!store.is_archived(&id).await.unwrap());
    let next = Timestamp(1_950_000_000_000);
    let archived = store.archive_match(&id, 2, SEVEN, &entries(), Due::At(next)).await.unwrap();
    assert_eq!(archived, Archived::Yes);
    assert!(store.is_archived(&id).await.unwrap() && !store.is_archived(&other).await.unwrap());
    for (after, limit, from, to) in [(0, 10, 0, 2), (0, 1, 0, 1), (1, 10, 1, 2), (2, 10, 2, 2), (9, 1, 2, 2)] {
        assert_eq!(store.log(&id, after, limit).await.unwrap(), entries()[from..to], "{after}, {limit}");
    }
    let loaded = store.load_match(&id, Some(&key)).await.unwrap().unwrap();
    assert_eq!((loaded.version, loaded.stamp, loaded.replay), (2, SEVEN, None));
    let whole = store.whole_match(&id).await.unwrap().unwrap();
    assert_eq!((&whole.entries, whole.due, whole.replays.len()), (&entries(), Some(next), 0));
    assert_eq!((&whole.stored, &whole.listing), (&before.stored, &before.listing));
    let due = store.backlog().await.unwrap().due;
    assert_eq!((due.length, due.oldest), (2, before.due), "the other's entry stays");
    assert_eq!(store.log(&other, 0, 10).await.unwrap(), before.entries);
}

pub async fn only_the_version_that_was_seen_is_archived_and_once(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    full(&store, &id, &player_id()).await;
    let before = store.whole_match(&id).await.unwrap();
    for (version, stamp) in [(1, SEVEN), (3, SEVEN), (0, SEVEN), (2, Stamp::from_number(8))] {
        let archived = store.archive_match(&id, version, stamp, &entries(), Due::Remove).await.unwrap();
        assert_eq!(archived, Archived::Conflict, "{version}");
    }
    assert_eq!(store.archive_match(&match_id(), 1, SEVEN, &entries(), Due::Remove).await.unwrap(), Archived::Conflict);
    assert_eq!(store.whole_match(&id).await.unwrap(), before);
    assert_eq!(store.archive_match(&id, 2, SEVEN, &entries(), Due::Remove).await.unwrap(), Archived::Yes);
    let again = store.archive_match(&id, 2, SEVEN, &[], Due::Leave).await.unwrap();
    assert_eq!((again, store.log(&id, 0, 9).await.unwrap()), (Archived::Already, entries()));
    assert_eq!(store.backlog().await.unwrap().due.length, 0);
}

pub async fn an_archive_goes_with_its_match_and_is_restored_as_a_log<H: Harness>(harness: &H) {
    let (store, id) = (harness.open().await, match_id());
    full(&store, &id, &player_id()).await;
    store.archive_match(&id, 2, SEVEN, &entries(), Due::Leave).await.unwrap();
    let whole = store.whole_match(&id).await.unwrap().unwrap();
    store.close().await;
    let store = harness.open().await;
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    assert_eq!(store.whole_match(&id).await.unwrap().as_ref(), Some(&whole), "it survives reopening");
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Same);

    let (place, next) = (H::fresh().await, harness.now().plus_seconds(1000));
    let elsewhere = place.open().await;
    assert_eq!(elsewhere.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert!(!elsewhere.is_archived(&id).await.unwrap());
    assert_eq!(elsewhere.whole_match(&id).await.unwrap().as_ref(), Some(&whole));
    // A later version of it, that another place has.
    let archived = elsewhere.archive_match(&id, 2, SEVEN, &entries(), Due::At(next)).await.unwrap();
    assert_eq!(archived, Archived::Yes);
    let mut later = whole;
    later.version = 3;
    later.entries.push(b"third".to_vec());
    assert_eq!(elsewhere.restore_match(later.clone()).await.unwrap(), Restored::Written);
    assert_eq!(elsewhere.log(&id, 0, 9).await.unwrap(), later.entries);
    elsewhere.close().await;

    assert_eq!(store.delete_match(&id, 2, SEVEN).await.unwrap(), Committed::Yes);
    assert!(!store.is_archived(&id).await.unwrap());
    assert_eq!(store.log(&id, 0, 9).await.unwrap(), Vec::<Vec<u8>>::new());
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Conflict);
}
