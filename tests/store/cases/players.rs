//! Players, which are written at an expected revision.

use std::sync::Arc;

use sarsen::store::Revised;

use crate::harness::{Harness, player_id};

fn revised(bytes: &[u8], revision: u64) -> Option<Revised> {
    Some(Revised { stored: bytes.to_vec(), revision })
}

pub async fn an_unknown_player_is_none(harness: &impl Harness) {
    assert_eq!(harness.open().await.player(&player_id()).await.unwrap(), None);
}

pub async fn a_player_is_written_and_rewritten(harness: &impl Harness) {
    let (store, one, other) = (harness.open().await, player_id(), player_id());
    assert!(store.put_player(&other, 0, b"other".to_vec()).await.unwrap());
    let samples = [b"first".to_vec(), b"\xff\0\x80".to_vec(), vec![], vec![7; 1 << 16], b"{}\n\t \n".to_vec()];
    for (expected, stored) in (0..).zip(samples) {
        assert!(store.put_player(&one, expected, stored.clone()).await.unwrap());
        assert_eq!(store.player(&one).await.unwrap(), revised(&stored, expected + 1));
    }
    assert_eq!(store.player(&other).await.unwrap(), revised(b"other", 1));
}

pub async fn a_player_is_made_once(harness: &impl Harness) {
    let (store, id) = (harness.open().await, player_id());
    assert!(store.put_player(&id, 0, b"one".to_vec()).await.unwrap());
    assert!(!store.put_player(&id, 0, b"again".to_vec()).await.unwrap());
    assert_eq!(store.player(&id).await.unwrap(), revised(b"one", 1));
}

pub async fn another_revision_writes_nothing(harness: &impl Harness) {
    let (store, id) = (harness.open().await, player_id());
    assert!(!store.put_player(&id, 1, b"early".to_vec()).await.unwrap(), "there is nothing to replace");
    assert_eq!(store.player(&id).await.unwrap(), None);
    for expected in 0..5 {
        assert!(store.put_player(&id, expected, vec![expected as u8]).await.unwrap());
    }
    for wrong in [0, 1, 4, 6, 7, 10] {
        assert!(!store.put_player(&id, wrong, b"wrong".to_vec()).await.unwrap(), "{wrong}");
    }
    assert_eq!(store.player(&id).await.unwrap(), revised(&[4], 5));
}

pub async fn of_32_writers_one_wins(harness: &impl Harness) {
    let (store, id) = (harness.open().await, player_id());
    for revision in 0..3 {
        let writers = (0..32_u8).map(|rival| {
            let (store, id) = (Arc::clone(&store), id.clone());
            tokio::spawn(async move { store.put_player(&id, revision, vec![rival]).await.unwrap() })
        });
        let mut winners = Vec::new();
        for (rival, writer) in (0_u8..).zip(writers.collect::<Vec<_>>()) {
            if writer.await.unwrap() {
                winners.push(rival);
            }
        }
        assert_eq!(winners.len(), 1, "{winners:?}");
        assert_eq!(store.player(&id).await.unwrap(), revised(&winners, revision + 1));
    }
}
