//! Claims of matches: who thinks about a match for its bots.

use std::sync::Arc;

use crate::harness::{Harness, match_id};

pub async fn a_match_is_claimed_by_one_and_renewed_by_them_alone(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    assert_eq!(store.claim_match(&id, "ann", 60_000).await.unwrap(), None);
    let left = store.claim_match(&id, "ben", 60_000).await.unwrap().expect("it is Ann's");
    assert!((1..=60_000).contains(&left), "{left}");
    assert_eq!(store.claim_match(&id, "ann", 120_000).await.unwrap(), None);
    let left = store.claim_match(&id, "ben", 60_000).await.unwrap().expect("it still is");
    assert!((60_001..=120_000).contains(&left), "{left}");
    assert_eq!(store.claim_match(&match_id(), "ben", 60_000).await.unwrap(), None, "another match");
}

pub async fn a_claim_is_given_back_by_whoever_has_it(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.release_match(&id, "ann").await.unwrap();
    store.claim_match(&id, "ann", 60_000).await.unwrap();
    store.release_match(&id, "ben").await.unwrap();
    assert!(store.claim_match(&id, "ben", 60_000).await.unwrap().is_some());
    store.release_match(&id, "ann").await.unwrap();
    assert_eq!(store.claim_match(&id, "ben", 60_000).await.unwrap(), None);
    assert!(store.claim_match(&id, "ann", 60_000).await.unwrap().is_some());
}

pub async fn a_claim_ends_by_itself(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.claim_match(&id, "ann", 900).await.unwrap();
    assert!(store.claim_match(&id, "ben", 60_000).await.unwrap().is_some());
    harness.pass(1).await;
    assert_eq!(store.claim_match(&id, "ben", 60_000).await.unwrap(), None);
}

pub async fn of_32_claimants_one_gets_it(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let beside = harness.second().await.unwrap_or_else(|| Arc::clone(&store));
    let claimants = (0..32).map(|number| {
        let (store, id) = (if number % 2 == 0 { Arc::clone(&store) } else { Arc::clone(&beside) }, id.clone());
        tokio::spawn(async move { store.claim_match(&id, &number.to_string(), 60_000).await.unwrap() })
    });
    let mut got = 0;
    for claimant in claimants.collect::<Vec<_>>() {
        got += usize::from(claimant.await.unwrap().is_none());
    }
    assert_eq!(got, 1);
}
