//! Reservations of idempotency keys.

use std::sync::Arc;

use sarsen::store::{ReplayKey, Reservation};

use crate::harness::{Harness, player_id};

fn key(text: &str) -> ReplayKey {
    ReplayKey { player: player_id(), key: text.to_owned() }
}

fn reservation(id: &str) -> Reservation {
    Reservation { id: id.to_owned(), fingerprint: format!("print of {id}") }
}

pub async fn what_is_reserved_first_stands(harness: &impl Harness) {
    let (store, key) = (harness.open().await, key("k"));
    assert_eq!(store.reservation(&key).await.unwrap(), None);
    assert_eq!(store.reserve(&key, reservation("m_1"), 60).await.unwrap(), reservation("m_1"));
    assert_eq!(store.reserve(&key, reservation("m_2"), 60).await.unwrap(), reservation("m_1"));
    assert_eq!(store.reservation(&key).await.unwrap(), Some(reservation("m_1")));
}

pub async fn a_key_belongs_to_one_player(harness: &impl Harness) {
    let (store, mine) = (harness.open().await, key("same"));
    let theirs = key("same");
    store.reserve(&mine, reservation("m_1"), 60).await.unwrap();
    assert_eq!(store.reservation(&theirs).await.unwrap(), None);
    assert_eq!(store.reserve(&theirs, reservation("m_2"), 60).await.unwrap(), reservation("m_2"));
    assert_eq!(store.reservation(&mine).await.unwrap(), Some(reservation("m_1")));
}

pub async fn any_visible_ascii_is_a_key(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let visible: String = (' '..='~').collect();
    for (at, text) in [visible, "x".repeat(255), "{a}:b".to_owned(), "*".to_owned(), ":".to_owned()].iter().enumerate()
    {
        let key = ReplayKey { player: player.clone(), key: text.clone() };
        assert_eq!(store.reservation(&key).await.unwrap(), None);
        let reservation = reservation(&format!("m_{at}"));
        assert_eq!(store.reserve(&key, reservation.clone(), 60).await.unwrap(), reservation);
        assert_eq!(store.reservation(&key).await.unwrap(), Some(reservation));
    }
}

pub async fn of_32_rivals_all_get_the_same(harness: &impl Harness) {
    let (store, key) = (harness.open().await, key("k"));
    let rivals = (0..32).map(|rival| {
        let (store, key) = (Arc::clone(&store), key.clone());
        tokio::spawn(async move { store.reserve(&key, reservation(&format!("m_{rival}")), 60).await.unwrap() })
    });
    let stands = store.reserve(&key, reservation("m_last"), 60).await.unwrap();
    for rival in rivals.collect::<Vec<_>>() {
        assert_eq!(rival.await.unwrap(), stands);
    }
    assert_eq!(store.reservation(&key).await.unwrap(), Some(stands));
}

pub async fn a_reservation_ends_by_itself(harness: &impl Harness) {
    let (store, short, long) = (harness.open().await, key("short"), key("long"));
    store.reserve(&short, reservation("m_1"), 1).await.unwrap();
    store.reserve(&long, reservation("m_2"), 60).await.unwrap();
    harness.pass(1).await;
    assert_eq!(store.reservation(&short).await.unwrap(), None);
    assert_eq!(store.reserve(&short, reservation("m_3"), 60).await.unwrap(), reservation("m_3"));
    assert_eq!(store.reservation(&long).await.unwrap(), Some(reservation("m_2")));
}

pub async fn a_reservation_survives_reopening(harness: &impl Harness) {
    let (store, key) = (harness.open().await, key("k"));
    store.reserve(&key, reservation("m_1"), 60).await.unwrap();
    store.close().await;
    drop(store);
    let store = harness.open().await;
    assert_eq!(store.reserve(&key, reservation("m_2"), 60).await.unwrap(), reservation("m_1"));
}
