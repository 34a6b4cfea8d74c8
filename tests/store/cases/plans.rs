//! Plans beside matches, and that whoever plays them is led there.

use sarsen::ids::MatchId;
use sarsen::store::{Commit, Committed, Due, DueMatch, KeptPlan, Store};

use crate::harness::{Harness, match_id, stamp, step};

fn plan(seat: u8, stored: &[u8]) -> KeptPlan {
    KeptPlan { seat, stored: stored.to_vec() }
}

/// The plans that are kept, by seat.
async fn kept(store: &dyn Store, id: &MatchId) -> Vec<(u8, Vec<u8>)> {
    store.plans(id).await.unwrap().into_iter().map(|kept| (kept.seat, kept.stored)).collect()
}

pub async fn each_seat_has_one(harness: &impl Harness) {
    let (store, id, other) = (harness.open().await, match_id(), match_id());
    for id in [&id, &other] {
        store.commit(step(id, 0)).await.unwrap();
    }
    assert_eq!(kept(&*store, &id).await, []);
    let bytes: Vec<u8> = (0..=255).collect();
    for (seat, stored) in [(4, &b"four"[..]), (0, b"before"), (0, &bytes)] {
        assert!(store.keep_plan(&id, 1, stamp(1), plan(seat, stored)).await.unwrap());
    }
    assert_eq!(kept(&*store, &id).await, [(0, bytes), (4, b"four".to_vec())]);
    assert_eq!(kept(&*store, &other).await, []);
}

pub async fn it_is_kept_for_the_version_that_was_seen(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    assert!(!store.keep_plan(&id, 0, stamp(0), plan(0, b"early")).await.unwrap(), "there is no such match");
    assert!(!store.keep_plan(&id, 1, stamp(1), plan(0, b"early")).await.unwrap());
    store.commit(step(&id, 0)).await.unwrap();
    store.commit(step(&id, 1)).await.unwrap();
    for (expected, expected_stamp) in [(1, stamp(1)), (3, stamp(2)), (2, stamp(99))] {
        assert!(!store.keep_plan(&id, expected, expected_stamp, plan(0, b"late")).await.unwrap());
    }
    assert_eq!(kept(&*store, &id).await, []);
    assert!(store.keep_plan(&id, 2, stamp(2), plan(0, b"in time")).await.unwrap());
}

pub async fn only_what_was_found_is_replaced(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    store.keep_plan(&id, 1, stamp(1), plan(1, b"first")).await.unwrap();
    store.keep_plan(&id, 1, stamp(1), plan(1, b"second")).await.unwrap();
    for found in [plan(1, b"first"), plan(0, b"second")] {
        for by in [None, Some(b"third".to_vec())] {
            assert!(!store.replace_plan(&id, &found, by).await.unwrap());
        }
    }
    assert!(store.replace_plan(&id, &plan(1, b"second"), Some(b"third".to_vec())).await.unwrap());
    assert_eq!(kept(&*store, &id).await, [(1, b"third".to_vec())]);
    assert!(store.replace_plan(&id, &plan(1, b"third"), None).await.unwrap());
    assert!(!store.replace_plan(&id, &plan(1, b"third"), None).await.unwrap());
    assert_eq!(kept(&*store, &id).await, []);
}

pub async fn as_long_as_one_is_kept_a_commit_has_the_match_looked_at(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let later = harness.now().plus_seconds(3600);
    let at = |expected, due| Commit { due, ..step(&id, expected) };
    let stands_at = async || store.backlog().await.unwrap().due.oldest;
    store.commit(at(0, Due::At(later))).await.unwrap();
    for seat in [0, 1] {
        store.keep_plan(&id, 1, stamp(1), plan(seat, b"plan")).await.unwrap();
    }
    assert_eq!(stands_at().await, Some(later), "a plan alone leads nowhere");
    let mut before = None;
    for (expected, asked) in [(1, Due::At(later)), (2, Due::Remove), (3, Due::Leave)] {
        assert_eq!(store.commit(at(expected, asked)).await.unwrap(), Committed::Yes);
        let now = stands_at().await.unwrap();
        assert!(now < harness.now().plus_seconds(2) && Some(now) != before, "{now:?} {before:?}");
        before = Some(now);
    }
    assert_eq!(store.commit(at(2, Due::At(later))).await.unwrap(), Committed::Conflict);
    assert_eq!(stands_at().await, before);

    // Whoever looks moves it on; one plan that is left leads there again.
    let found = DueMatch { id: id.clone(), at: before.unwrap() };
    assert!(store.move_due(&found, None).await.unwrap());
    assert!(store.replace_plan(&id, &plan(0, b"plan"), None).await.unwrap());
    store.commit(at(4, Due::Leave)).await.unwrap();
    assert!(stands_at().await.is_some_and(|now| now < harness.now().plus_seconds(2)));
    assert!(store.replace_plan(&id, &plan(1, b"plan"), None).await.unwrap());
    store.commit(at(5, Due::At(later))).await.unwrap();
    assert_eq!(stands_at().await, Some(later), "without any, what the commit says holds");
}

pub async fn they_survive_reopening_and_go_with_their_match(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    store.keep_plan(&id, 1, stamp(1), plan(0, b"plan")).await.unwrap();
    store.close().await;
    let store = harness.open().await;
    assert_eq!(kept(&*store, &id).await, [(0, b"plan".to_vec())]);
    assert_eq!(store.delete_match(&id, 1, stamp(1)).await.unwrap(), Committed::Yes);
    assert_eq!(kept(&*store, &id).await, []);
    assert!(!store.keep_plan(&id, 1, stamp(1), plan(0, b"plan")).await.unwrap());
}

pub async fn a_match_told_whole_says_nothing_of_them(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let before = store.whole_match(&id).await.unwrap();
    let (loaded, log) = (store.load_match(&id, None).await.unwrap(), store.log(&id, 0, 10).await.unwrap());
    store.keep_plan(&id, 1, stamp(1), plan(0, b"plan")).await.unwrap();
    assert_eq!(store.whole_match(&id).await.unwrap(), before);
    assert_eq!((store.load_match(&id, None).await.unwrap(), store.log(&id, 0, 10).await.unwrap()), (loaded, log));
}
