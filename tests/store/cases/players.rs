//! Players.

use crate::harness::{Harness, player_id};

pub async fn an_unknown_player_is_none(harness: &impl Harness) {
    assert_eq!(harness.open().await.player(&player_id()).await.unwrap(), None);
}

pub async fn a_player_is_written_and_rewritten(harness: &impl Harness) {
    let (store, one, other) = (harness.open().await, player_id(), player_id());
    store.put_player(&other, b"other".to_vec()).await.unwrap();
    for stored in [b"first".to_vec(), b"\xff\0\x80".to_vec(), vec![], vec![7; 1 << 16]] {
        store.put_player(&one, stored.clone()).await.unwrap();
        assert_eq!(store.player(&one).await.unwrap(), Some(stored));
    }
    assert_eq!(store.player(&other).await.unwrap().unwrap(), b"other");
}
