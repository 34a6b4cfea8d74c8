//! The store's time.

use crate::harness::Harness;

/// The largest error of an instance's clock: half of the longest trip.
const MOST_WRONG_MILLIS: i64 = 500;

pub async fn the_time_is_that_of_the_store(harness: &impl Harness) {
    let store = harness.open().await;
    for _ in 0..3 {
        let before = harness.now().0;
        let now = store.now().0;
        let after = harness.now().0;
        let close = before - MOST_WRONG_MILLIS..=after + MOST_WRONG_MILLIS;
        assert!(close.contains(&now), "{now} is not in {close:?}");
        harness.pass(1).await;
    }
}

pub async fn time_goes_on_between_two_looks(harness: &impl Harness) {
    let store = harness.open().await;
    let before = store.now();
    harness.pass(2).await;
    assert!(store.now() >= before.plus_seconds(2));
}
