//! Readiness and closing.

use sarsen::store::{Store, StoreError};

use crate::harness::{Harness, match_id, player_id, step};

pub async fn a_fresh_store_is_ready(harness: &impl Harness) {
    harness.open().await.ready().await.unwrap();
}

pub async fn a_closed_store_is_unavailable(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    store.close().await;
    let unavailable = |result: Result<(), StoreError>| assert!(matches!(result, Err(StoreError::Unavailable(_))));
    let store: &dyn Store = &*store;
    unavailable(store.ready().await);
    unavailable(store.commit(step(&id, 1)).await.map(drop));
    unavailable(store.load_match(&id, None).await.map(drop));
    unavailable(store.log(&id, 0, 1).await.map(drop));
    unavailable(store.put_player(&player_id(), 0, vec![]).await.map(drop));
    unavailable(store.take_ticket("k").await.map(drop));
}
