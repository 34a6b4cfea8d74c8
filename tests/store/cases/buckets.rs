//! Token buckets. Rates are such that nothing comes back while a case runs, or everything does while it waits.

use std::sync::Arc;

use sarsen::store::{Allowance, Taken};

use crate::harness::Harness;

const SLOW: Allowance = Allowance { burst: 3, per_minute: 1 };
const FAST: Allowance = Allowance { burst: 3, per_minute: 60 };

pub async fn a_burst_is_allowed_and_then_refused(harness: &impl Harness) {
    let store = harness.open().await;
    for remaining in [2, 1] {
        let taken = store.take("b", SLOW).await.unwrap();
        assert_eq!(taken, Taken { allowed: true, remaining, retry_after_millis: 0 });
    }
    let last = store.take("b", SLOW).await.unwrap();
    assert_eq!((last.allowed, last.remaining), (true, 0));
    for taken in [last, store.take("b", SLOW).await.unwrap(), store.take("b", SLOW).await.unwrap()] {
        assert_eq!(taken.remaining, 0);
        assert!((30_000..=60_000).contains(&taken.retry_after_millis), "{taken:?}");
    }
    assert!(!store.take("b", SLOW).await.unwrap().allowed);
}

pub async fn a_bucket_refills(harness: &impl Harness) {
    let store = harness.open().await;
    // Burst at once, refused, and one a second again.
    let allowance = Allowance { burst: 1, per_minute: 30 };
    assert!(store.take("b", allowance).await.unwrap().allowed);
    let refused = store.take("b", allowance).await.unwrap();
    assert!(!refused.allowed && (1..=2000).contains(&refused.retry_after_millis), "{refused:?}");
    harness.pass(2).await;
    assert!(store.take("b", allowance).await.unwrap().allowed);
}

pub async fn a_bucket_holds_no_more_than_its_burst(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(store.take("b", FAST).await.unwrap().remaining, 2);
    harness.pass(2).await;
    assert_eq!(store.take("b", FAST).await.unwrap().remaining, 2, "full again, and no fuller");
}

pub async fn buckets_are_apart(harness: &impl Harness) {
    let store = harness.open().await;
    for bucket in ["a", "b", "guests:127.0.0.1", "writes:p_0"] {
        for remaining in [2, 1, 0] {
            assert_eq!(store.take(bucket, SLOW).await.unwrap().remaining, remaining, "{bucket}");
        }
        assert!(!store.take(bucket, SLOW).await.unwrap().allowed, "{bucket}");
    }
}

pub async fn concurrent_takers_get_no_more_than_the_burst(harness: &impl Harness) {
    let store = harness.open().await;
    let allowance = Allowance { burst: 10, per_minute: 1 };
    let takers = (0..50).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.take("b", allowance).await.unwrap().allowed })
    });
    let mut allowed = 0;
    for taker in takers.collect::<Vec<_>>() {
        allowed += u32::from(taker.await.unwrap());
    }
    assert_eq!(allowed, 10);
}
