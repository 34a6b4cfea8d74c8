//! Values that can be taken once.

use std::sync::Arc;

use crate::harness::Harness;

pub async fn a_value_is_taken_once(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(store.take_ticket("k").await.unwrap(), None);
    store.put_ticket("k", b"value".to_vec(), 60).await.unwrap();
    assert_eq!(store.take_ticket("other").await.unwrap(), None);
    assert_eq!(store.take_ticket("k").await.unwrap().unwrap(), b"value");
    assert_eq!(store.take_ticket("k").await.unwrap(), None);
}

pub async fn a_value_that_is_read_stays(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(store.read_ticket("k").await.unwrap(), None);
    store.put_ticket("k", b"value".to_vec(), 1).await.unwrap();
    for _ in 0..2 {
        assert_eq!(store.read_ticket("k").await.unwrap().unwrap(), b"value");
    }
    harness.pass(1).await;
    assert_eq!(store.read_ticket("k").await.unwrap(), None);
}

pub async fn of_32_takers_one_gets_it(harness: &impl Harness) {
    let store = harness.open().await;
    for round in 0..4_u8 {
        store.put_ticket("k", vec![round], 60).await.unwrap();
        let takers = (0..32).map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.take_ticket("k").await.unwrap() })
        });
        let mut taken = Vec::new();
        for taker in takers.collect::<Vec<_>>() {
            taken.extend(taker.await.unwrap());
        }
        assert_eq!(taken, [[round]]);
    }
}

pub async fn a_value_is_forgotten_in_time(harness: &impl Harness) {
    let store = harness.open().await;
    store.put_ticket("short", b"s".to_vec(), 1).await.unwrap();
    store.put_ticket("long", b"l".to_vec(), 60).await.unwrap();
    harness.pass(1).await;
    assert_eq!(store.take_ticket("short").await.unwrap(), None);
    assert_eq!(store.take_ticket("long").await.unwrap().unwrap(), b"l");
}

pub async fn a_later_value_replaces_the_earlier(harness: &impl Harness) {
    let store = harness.open().await;
    store.put_ticket("k", b"old".to_vec(), 1).await.unwrap();
    store.put_ticket("k", b"new".to_vec(), 60).await.unwrap();
    harness.pass(1).await;
    assert_eq!(store.take_ticket("k").await.unwrap().unwrap(), b"new");
    assert_eq!(store.take_ticket("k").await.unwrap(), None);
}

pub async fn values_are_arbitrary_bytes(harness: &impl Harness) {
    let store = harness.open().await;
    for value in [vec![], b"\xff\0\x80\r\n".to_vec(), vec![9; 1 << 16]] {
        store.put_ticket("k", value.clone(), 60).await.unwrap();
        assert_eq!(store.take_ticket("k").await.unwrap(), Some(value));
    }
}
