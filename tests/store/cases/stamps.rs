//! Stamps: a step is committed only on the very version that it was computed from.

use sarsen::ids::MatchId;
use sarsen::store::{Commit, Committed, Stamp, StampedVersion, Store};

use crate::harness::{Harness, match_id, stamp, step};

/// The same step, computed from a version that was made by another step than the one that stands.
fn from_another(id: &MatchId, expected: u64) -> Commit {
    Commit { expected_stamp: Some(Stamp::from_number(999)), stored: b"other".to_vec(), ..step(id, expected) }
}

/// The same step by a release that knows no stamps.
fn by_an_older_release(id: &MatchId, expected: u64) -> Commit {
    Commit { expected_stamp: None, stamp: None, ..step(id, expected) }
}

async fn stands(store: &dyn Store, id: &MatchId, version: u64, stamp: Option<Stamp>) {
    let found = store.load_match(id, None).await.unwrap().unwrap();
    assert_eq!((found.version, found.stamp), (version, stamp));
    assert_eq!(store.standing(id).await.unwrap(), Some(StampedVersion { version, stamp }), "without loading it");
    assert_eq!(store.log(id, 0, 100).await.unwrap().len() as u64, version);
}

pub async fn each_version_has_the_stamp_of_its_step(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    for version in 1..=3 {
        assert_eq!(store.commit(step(&id, version - 1)).await.unwrap(), Committed::Yes);
        stands(&*store, &id, version, stamp(version)).await;
    }
    let greatest = Commit { stamp: Some(Stamp::from_number(u64::MAX)), ..step(&id, 3) };
    assert_eq!(store.commit(greatest).await.unwrap(), Committed::Yes);
    stands(&*store, &id, 4, Some(Stamp::from_number(u64::MAX))).await;
}

pub async fn a_step_from_another_version_of_the_same_number_is_a_conflict(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    assert_eq!(store.commit(from_another(&id, 1)).await.unwrap(), Committed::Conflict);
    stands(&*store, &id, 1, stamp(1)).await;
    for version in 1..12 {
        assert_eq!(store.commit(from_another(&id, version)).await.unwrap(), Committed::Conflict, "{version}");
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes, "{version}");
    }
    stands(&*store, &id, 12, stamp(12)).await;
}

pub async fn where_a_stamp_is_not_known_the_number_decides(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(by_an_older_release(&id, 0)).await.unwrap();
    stands(&*store, &id, 1, None).await;
    // The version has no stamp: a step from one that had some is from another version.
    assert_eq!(store.commit(from_another(&id, 1)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.commit(Commit { expected_stamp: None, ..step(&id, 1) }).await.unwrap(), Committed::Yes);
    stands(&*store, &id, 2, stamp(2)).await;
    // It has one, and the step knows none.
    assert_eq!(store.commit(Commit { expected_stamp: None, ..step(&id, 2) }).await.unwrap(), Committed::Yes);
    stands(&*store, &id, 3, stamp(3)).await;
}

pub async fn a_stamp_that_an_older_release_has_left_behind_does_not_count(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    for version in 0..10 {
        store.commit(step(&id, version)).await.unwrap();
    }
    // From version 10 to 11 and 12 by a release that leaves the stamp of version 10 where it is.
    for version in 10..12 {
        assert_eq!(store.commit(by_an_older_release(&id, version)).await.unwrap(), Committed::Yes);
        stands(&*store, &id, version + 1, None).await;
    }
    assert_eq!(store.commit(step(&id, 12)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.delete_match(&id, 12, stamp(10)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.commit(Commit { expected_stamp: None, ..step(&id, 12) }).await.unwrap(), Committed::Yes);
    stands(&*store, &id, 13, stamp(13)).await;
    assert_eq!(store.commit(from_another(&id, 13)).await.unwrap(), Committed::Conflict);
}

pub async fn stamps_survive_reopening(harness: &impl Harness) {
    let id = match_id();
    let store = harness.open().await;
    store.commit(step(&id, 0)).await.unwrap();
    store.close().await;
    let store = harness.open().await;
    stands(&*store, &id, 1, stamp(1)).await;
    assert_eq!(store.commit(from_another(&id, 1)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
}
