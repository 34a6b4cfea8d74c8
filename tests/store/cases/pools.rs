//! Records of players in matchmaking, their queues, and the matches to make.

use std::sync::Arc;

use sarsen::ambient::Timestamp;
use sarsen::ids::PlayerId;
use sarsen::store::{PairedMatch, PoolChange, QueuePlace, Store};

use crate::harness::{Harness, match_id};

const LATEST: Timestamp = Timestamp(i64::MAX >> 12);

fn player(number: u128) -> PlayerId {
    PlayerId::from_number(number)
}

fn place(queue: &str, at: i64) -> QueuePlace {
    QueuePlace { queue: queue.to_owned(), at: Timestamp(at) }
}

fn change(number: u128, found: Option<&str>, by: Option<&str>) -> PoolChange {
    let bytes = |record: Option<&str>| record.map(|record| record.as_bytes().to_vec());
    PoolChange { player: player(number), found: bytes(found), by: bytes(by), leaves: Vec::new(), enters: Vec::new() }
}

async fn waiting(store: &dyn Store, queue: &str) -> Vec<(PlayerId, String)> {
    let found = store.queue(queue, LATEST, 100).await.unwrap();
    found.into_iter().map(|(player, record)| (player, String::from_utf8(record).unwrap())).collect()
}

pub async fn records_change_together_or_not_at_all(harness: &impl Harness) {
    let store = harness.open().await;
    let enter = |number, record, at| PoolChange {
        enters: vec![place("a", at), place("b", at)],
        ..change(number, None, Some(record))
    };
    for (number, record, at) in [(7, "seven", 30), (8, "eight", 10), (9, "nine", 20)] {
        assert!(store.change_pool_records(&[enter(number, record, at)], None).await.unwrap());
        assert!(!store.change_pool_records(&[enter(number, "twice", at)], None).await.unwrap());
    }
    let in_order = [(player(8), "eight".to_owned()), (player(9), "nine".to_owned()), (player(7), "seven".to_owned())];
    assert_eq!(waiting(&*store, "a").await, in_order);
    assert_eq!(waiting(&*store, "b").await, in_order);
    assert_eq!(store.queue("a", Timestamp(20), 100).await.unwrap().len(), 2, "up to a moment");
    assert_eq!(store.queue("a", LATEST, 1).await.unwrap(), [(player(8), b"eight".to_vec())]);
    let made = PairedMatch { id: match_id(), stored: b"made".to_vec() };
    let pair = |nine: &str| {
        let leaves = |at| vec![place("a", at), place("b", at)];
        let eight =
            PoolChange { leaves: leaves(10), enters: vec![place("~a", 50)], ..change(8, Some("eight"), Some("8")) };
        let nine = PoolChange { leaves: leaves(20), ..change(9, Some(nine), None) };
        [eight, nine]
    };
    assert!(!store.change_pool_records(&pair("other"), Some(&made)).await.unwrap());
    assert_eq!((waiting(&*store, "a").await, store.paired_matches(10).await.unwrap()), (in_order.to_vec(), vec![]));
    assert!(store.change_pool_records(&pair("nine"), Some(&made)).await.unwrap());
    assert!(!store.change_pool_records(&pair("nine"), Some(&made)).await.unwrap(), "nobody is paired twice");
    assert_eq!(waiting(&*store, "a").await, in_order[2..]);
    assert_eq!(waiting(&*store, "b").await, in_order[2..]);
    assert_eq!(waiting(&*store, "~a").await, [(player(8), "8".to_owned())]);
    assert_eq!(store.pool_record(&player(8)).await.unwrap().as_deref(), Some(&b"8"[..]));
    assert_eq!(store.pool_record(&player(9)).await.unwrap(), None);
    assert_eq!(store.paired_match(&made.id).await.unwrap(), Some(made.clone()));
    store.close().await;
    drop(store);
    let store = harness.open().await;
    assert_eq!(store.paired_matches(10).await.unwrap(), std::slice::from_ref(&made), "it survives reopening");
    assert_eq!(waiting(&*store, "a").await, in_order[2..]);
    store.forget_paired_match(&made.id).await.unwrap();
    assert_eq!(store.paired_match(&made.id).await.unwrap(), None);
}

pub async fn of_32_who_pair_the_same_player_one_does(harness: &impl Harness) {
    let store = harness.open().await;
    assert!(store.change_pool_records(&[change(7, None, Some("seven"))], None).await.unwrap());
    let beside = harness.second().await.unwrap_or_else(|| Arc::clone(&store));
    let tasks = (0..32_u128).map(|number| {
        let store = if number % 2 == 0 { Arc::clone(&store) } else { Arc::clone(&beside) };
        tokio::spawn(async move {
            let made = PairedMatch { id: match_id(), stored: b"made".to_vec() };
            store.change_pool_records(&[change(7, Some("seven"), Some("paired"))], Some(&made)).await.unwrap()
        })
    });
    let mut paired = 0;
    for task in tasks.collect::<Vec<_>>() {
        paired += usize::from(task.await.unwrap());
    }
    assert_eq!((paired, store.paired_matches(100).await.unwrap().len()), (1, 1));
}
