//! Stamps: a step is committed only on the very version that it was computed from.

use sarsen::ids::MatchId;
use sarsen::store::{Commit, Committed, Stamp, StampedVersion, Store};

use crate::harness::{Harness, match_id, stamp, step};

/// The same step, computed from a version that was made by another step than the one that stands.
fn from_another(id: &MatchId, expected: u64) -> Commit {
    Commit { expected_stamp: Some(Stamp::from_number(999)), stored: b"other".to_vec(), ..step(id, expected) }
}

async fn stands(store: &dyn Store, id: &MatchId, version: u64, stamp: Stamp) {
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
    let greatest = Commit { stamp: Stamp::from_number(u64::MAX), ..step(&id, 3) };
    assert_eq!(store.commit(greatest).await.unwrap(), Committed::Yes);
    stands(&*store, &id, 4, Stamp::from_number(u64::MAX)).await;
}

pub async fn a_step_from_another_version_of_the_same_number_is_a_conflict(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    assert_eq!(store.commit(from_another(&id, 1)).await.unwrap(), Committed::Conflict);
    stands(&*store, &id, 1, stamp(1)).await;
    for version in 1..12 {
        assert_eq!(store.commit(from_another(&id, version)).await.unwrap(), Committed::Conflict, "{version}");
        let unstamped = Commit { expected_stamp: None, ..step(&id, version) };
        assert_eq!(store.commit(unstamped).await.unwrap(), Committed::Conflict, "{version}");
        let deleted = store.delete_match(&id, version, stamp(999)).await.unwrap();
        assert_eq!(deleted, Committed::Conflict, "{version}");
        assert_eq!(store.commit(step(&id, version)).await.unwrap(), Committed::Yes, "{version}");
    }
    stands(&*store, &id, 12, stamp(12)).await;
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
