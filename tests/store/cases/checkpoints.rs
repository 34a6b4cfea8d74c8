//! States that are left beside the log.

use sarsen::store::{Checkpoint, Committed, Stamp};

use crate::harness::{Harness, match_id, stamp, step};

fn at(version: u64, state: &[u8]) -> Checkpoint {
    Checkpoint { version, stamp: Stamp::from_number(version << 8), state: state.to_vec() }
}

pub async fn the_newest_at_or_before_a_version_is_found(harness: &impl Harness) {
    let (store, id, other) = (harness.open().await, match_id(), match_id());
    for id in [&id, &other] {
        store.commit(step(id, 0)).await.unwrap();
    }
    let bytes: Vec<u8> = (0..=255).collect();
    let (first, second) = (at(64, &bytes), at(128, b""));
    for left in [&second, &first] {
        store.leave_checkpoint(&id, left).await.unwrap();
    }
    store.leave_checkpoint(&other, &at(100, b"other")).await.unwrap();
    for (at_most, found) in [(0, None), (63, None), (64, Some(&first)), (127, Some(&first)), (128, Some(&second))] {
        assert_eq!(store.checkpoint(&id, at_most).await.unwrap().as_ref(), found, "{at_most}");
    }
    assert_eq!(store.checkpoint(&id, u64::from(u32::MAX)).await.unwrap(), Some(second));
}

pub async fn a_later_one_takes_the_place_of_one_at_the_same_version(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let (before, after) = (at(64, b"before"), Checkpoint { stamp: Stamp::from_number(7), ..at(64, b"after") });
    for left in [&before, &after, &after] {
        store.leave_checkpoint(&id, left).await.unwrap();
    }
    assert_eq!(store.checkpoint(&id, 100).await.unwrap(), Some(after));
}

pub async fn they_go_with_their_match_and_none_comes_without(harness: &impl Harness) {
    let (store, id, gone) = (harness.open().await, match_id(), match_id());
    store.leave_checkpoint(&gone, &at(64, b"early")).await.unwrap();
    assert_eq!(store.checkpoint(&gone, 100).await.unwrap(), None);
    for id in [&id, &gone] {
        store.commit(step(id, 0)).await.unwrap();
        store.leave_checkpoint(id, &at(64, b"state")).await.unwrap();
    }
    assert_eq!(store.delete_match(&gone, 1, stamp(1)).await.unwrap(), Committed::Yes);
    store.leave_checkpoint(&gone, &at(64, b"late")).await.unwrap();
    assert_eq!(store.checkpoint(&gone, 100).await.unwrap(), None);
    assert_eq!(store.checkpoint(&id, 100).await.unwrap(), Some(at(64, b"state")));
}
