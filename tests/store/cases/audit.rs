//! The audit.

use std::sync::Arc;

use sarsen::store::{AuditPlace, Restored, Store};

use crate::harness::Harness;

const DAY: u32 = 24 * 60 * 60;

async fn entries(store: &dyn Store, before: Option<AuditPlace>, limit: usize) -> Vec<Vec<u8>> {
    store.audit(before, limit).await.unwrap().into_iter().map(|(_, entry)| entry).collect()
}

pub async fn entries_are_read_newest_first_in_pages(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(store.audit(None, 10).await.unwrap(), []);
    let mut places = Vec::new();
    for number in 0..7_u8 {
        places.push(store.append_audit(vec![number, 0xff, 0], DAY).await.unwrap());
    }
    assert!(places.is_sorted() && places.windows(2).all(|pair| pair[0] != pair[1]), "{places:?}");
    assert_eq!(entries(&*store, None, 3).await, [6, 5, 4].map(|number| vec![number, 0xff, 0]));
    assert_eq!(entries(&*store, Some(places[4]), 3).await, [3, 2, 1].map(|number| vec![number, 0xff, 0]));
    assert_eq!(entries(&*store, Some(places[1]), 3).await, [vec![0, 0xff, 0]]);
    assert_eq!(entries(&*store, Some(places[0]), 3).await, Vec::<Vec<u8>>::new());
    let read = store.audit(None, 100).await.unwrap();
    assert_eq!(read.iter().rev().map(|(place, _)| *place).collect::<Vec<_>>(), places);
}

pub async fn a_place_tells_when(harness: &impl Harness) {
    let store = harness.open().await;
    let before = harness.now();
    let place = store.append_audit(b"e".to_vec(), DAY).await.unwrap();
    // The clock of the store may be another than that of the case, by as much as one look takes.
    assert!((before.0 - 1000..=harness.now().0 + 1000).contains(&place.at().0), "{place} {before:?}");
}

pub async fn of_32_at_once_none_is_lost(harness: &impl Harness) {
    let store = harness.open().await;
    let writers = (0..32_u8).map(|number| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { store.append_audit(vec![number], DAY).await.unwrap() })
    });
    let mut places = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        places.push(writer.await.unwrap());
    }
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 32);
    let mut read = entries(&*store, None, 100).await;
    read.sort();
    assert_eq!(read, (0..32).map(|number| vec![number]).collect::<Vec<_>>());
}

pub async fn entries_of_another_store_keep_their_places(harness: &impl Harness) {
    let store = harness.open().await;
    let place = |millis: u64, number: u64| AuditPlace { millis, number };
    let restore = async |at: AuditPlace, entry: &[u8]| store.restore_audit(at, entry.to_vec()).await.unwrap();
    for (at, entry) in [(place(5, 0), b"1"), (place(5, 1), b"2"), (place(9, 0), b"3")] {
        assert_eq!(restore(at, entry).await, Restored::Written);
    }
    assert_eq!(restore(place(5, 1), b"2").await, Restored::Same);
    assert_eq!(restore(place(5, 1), b"x").await, Restored::Kept);
    assert_eq!(restore(place(9, 0), b"3").await, Restored::Same);
    let read = store.audit(None, 10).await.unwrap();
    let wanted = [(place(9, 0), b"3"), (place(5, 1), b"2"), (place(5, 0), b"1")];
    assert_eq!(read, wanted.map(|(at, entry)| (at, entry.to_vec())));
    let appended = store.append_audit(b"4".to_vec(), u32::MAX).await.unwrap();
    assert!(appended > place(9, 0));
    assert_eq!(entries(&*store, None, 1).await, [b"4"]);
}

pub async fn an_entry_goes_when_its_time_is_over(harness: &impl Harness) {
    let store = harness.open().await;
    store.append_audit(b"old".to_vec(), DAY).await.unwrap();
    harness.pass(2).await;
    store.append_audit(b"new".to_vec(), DAY).await.unwrap();
    assert_eq!(entries(&*store, None, 10).await, [b"new", b"old"]);
    store.append_audit(b"last".to_vec(), 1).await.unwrap();
    assert_eq!(entries(&*store, None, 10).await, [&b"last"[..], b"new"]);
}

pub async fn the_audit_survives_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    let first = store.append_audit(b"1".to_vec(), DAY).await.unwrap();
    store.close().await;
    drop(store);
    let store = harness.open().await;
    let second = store.append_audit(b"2".to_vec(), DAY).await.unwrap();
    assert!(second > first);
    assert_eq!(entries(&*store, None, 10).await, [b"2", b"1"]);
}
