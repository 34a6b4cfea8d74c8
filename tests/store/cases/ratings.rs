//! Ratings: the log of a category, the ratings that follow from it, and the board.

use std::sync::Arc;

use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{BoardPlace, PutRating, Store};

use crate::harness::Harness;

const CATEGORY: &str = "contiguity.2.live";

fn player(number: u128) -> PlayerId {
    PlayerId::from_number(number)
}

fn put(number: u128, stored: &str, key: Option<i64>) -> PutRating {
    let stored = Some(stored.as_bytes().to_vec()).filter(|stored| !stored.is_empty());
    PutRating { player: player(number), stored, key }
}

async fn change(store: &dyn Store, length: u64, entry: &str, of: Option<u128>, ratings: &[PutRating]) -> bool {
    let entries = vec![(entry.as_bytes().to_vec(), of.map(MatchId::from_number))];
    store.change_ratings(CATEGORY, length, entries, ratings.to_vec()).await.unwrap()
}

/// The players of the board with their keys, read in pages of `limit`.
async fn paged(store: &dyn Store, backwards: bool, limit: usize) -> Vec<(i64, u128)> {
    let (mut all, mut from): (Vec<BoardPlace>, Option<BoardPlace>) = (Vec::new(), None);
    loop {
        let page = store.board(CATEGORY, from.as_ref(), backwards, limit).await.unwrap();
        let Some(last) = page.last() else { break };
        from = Some(last.clone());
        all.extend(page);
    }
    all.into_iter().map(|(key, player)| (key, player.number())).collect()
}

pub async fn a_change_is_made_at_the_length_that_it_names(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(store.rating_categories().await.unwrap(), [""; 0]);
    let none = store.ratings(CATEGORY, &[player(1)], Some(&MatchId::from_number(7))).await.unwrap();
    assert_eq!((none.length, none.entry, none.stored), (0, None, vec![None]));
    assert!(!change(&*store, 1, "early", Some(7), &[put(1, "x", Some(1))]).await);
    assert!(change(&*store, 0, "first", Some(7), &[put(1, "one", Some(-5)), put(2, "two", None)]).await);
    assert!(!change(&*store, 0, "late", Some(8), &[put(1, "x", Some(1))]).await);
    assert!(change(&*store, 1, "second", Some(8), &[put(1, "other", None), put(2, "", None)]).await);
    let found =
        store.ratings(CATEGORY, &[player(2), player(1), player(3)], Some(&MatchId::from_number(8))).await.unwrap();
    assert_eq!((found.length, found.entry, found.stored), (2, Some(1), vec![None, Some(b"other".to_vec()), None]));
    assert_eq!(store.rating_log(CATEGORY, 0, 10).await.unwrap(), [b"first".to_vec(), b"second".to_vec()]);
    assert_eq!(store.rating_log(CATEGORY, 1, 1).await.unwrap(), [b"second".to_vec()]);
    assert_eq!(paged(&*store, false, 10).await, []);
    // Other categories are others.
    assert!(store.change_ratings("henge.3-5.live", 0, Vec::new(), vec![put(1, "h", Some(1))]).await.unwrap());
    assert!(store.change_ratings("a", 0, vec![(b"a".to_vec(), None)], vec![put(1, "a", Some(1))]).await.unwrap());
    assert_eq!(store.rating_categories().await.unwrap().first().map(String::as_str), Some("a"));
    assert_eq!(store.ratings(CATEGORY, &[player(1)], None).await.unwrap().stored, [Some(b"other".to_vec())]);
}

pub async fn of_32_changes_at_one_length_one_happens(harness: &impl Harness) {
    let store = harness.open().await;
    let tasks = (0..32).map(|number| {
        let store: Arc<dyn Store> = Arc::clone(&store);
        tokio::spawn(async move { change(&*store, 0, "entry", Some(number), &[put(number, "x", Some(1))]).await })
    });
    let mut done = 0;
    for task in tasks.collect::<Vec<_>>() {
        done += usize::from(task.await.unwrap());
    }
    assert_eq!((done, paged(&*store, false, 10).await.len()), (1, 1));
}

pub async fn a_board_is_read_from_both_ends_and_no_page_leaves_anybody_out(harness: &impl Harness) {
    let store = harness.open().await;
    let keys =
        [(1, -500), (2, -400), (3, -400), (4, -400), (5, 0), (6, 9_007_199_254_740_991), (7, -9_007_199_254_740_991)];
    for (at, (number, key)) in (0..).zip(keys) {
        assert!(change(&*store, at, "e", None, &[put(number, "x", Some(key))]).await);
    }
    let mut expected: Vec<(i64, u128)> = keys.iter().map(|(number, key)| (*key, *number)).collect();
    expected.sort_unstable();
    for limit in 1..=8 {
        assert_eq!(paged(&*store, false, limit).await, expected, "{limit}");
    }
    expected.reverse();
    for limit in [1, 2, 3, 8] {
        assert_eq!(paged(&*store, true, limit).await, expected, "{limit}");
    }
    for (below, count) in [(-500, 1), (-400, 2), (-399, 5), (0, 5), (1, 6)] {
        assert_eq!(store.board_count(CATEGORY, below).await.unwrap(), count, "{below}");
    }
    // Whoever moves stands in one place.
    assert!(change(&*store, 7, "e", None, &[put(3, "x", Some(7)), put(4, "", None)]).await);
    assert_eq!(
        paged(&*store, false, 3).await.iter().map(|(_, number)| *number).collect::<Vec<_>>(),
        [7, 1, 2, 5, 3, 6]
    );
}

pub async fn all_ratings_are_replaced_at_the_length_that_is_named(harness: &impl Harness) {
    let store = harness.open().await;
    assert!(change(&*store, 0, "e", Some(7), &[put(1, "one", Some(1)), put(2, "two", Some(2))]).await);
    let new: Vec<PutRating> = (2..1500).map(|number| put(number, "new", (number % 2 == 0).then_some(3))).collect();
    let stage = async |generation, ratings| store.stage_ratings(CATEGORY, generation, ratings).await.unwrap();
    let replace =
        async |length, generation, count| store.replace_ratings(CATEGORY, length, generation, count).await.unwrap();
    // One that does not take the place of the others.
    let other = sarsen::ambient::Ambient::system().now().0;
    stage(other - 1, vec![put(1, "other", Some(9))]).await;
    stage(other, new).await;
    assert!(!replace(0, other, 1498).await && !replace(1, other, 1500).await);
    assert_eq!(paged(&*store, false, 10).await, [(1, 1), (2, 2)]);
    // What has changed since is written over it.
    let gone = PutRating { player: player(4), stored: None, key: None };
    stage(other, vec![put(3, "newer", Some(-3)), put(6, "new", None), gone]).await;
    assert!(replace(1, other, 1497).await);
    assert_eq!(paged(&*store, false, 2).await.first(), Some(&(-3, 3)));
    let changed = store.ratings(CATEGORY, &[player(3), player(4)], None).await.unwrap().stored;
    assert_eq!(changed, [Some(b"newer".to_vec()), None]);
    let found =
        store.ratings(CATEGORY, &[player(1), player(2), player(1499)], Some(&MatchId::from_number(7))).await.unwrap();
    assert_eq!((found.length, found.entry), (1, Some(0)));
    assert_eq!(found.stored, [None, Some(b"new".to_vec()), Some(b"new".to_vec())]);
    assert_eq!(paged(&*store, false, 400).await.len(), 748);
    assert!(!replace(1, other, 1497).await, "it is there no more");
    assert!(replace(1, other, 0).await);
    assert_eq!(paged(&*store, false, 10).await, []);
}

pub async fn a_category_is_removed_whole(harness: &impl Harness) {
    let store = harness.open().await;
    assert!(change(&*store, 0, "e", Some(7), &[put(1, "one", Some(1))]).await);
    assert!(store.change_ratings("other", 0, vec![(b"o".to_vec(), None)], vec![put(1, "o", Some(1))]).await.unwrap());
    for _ in 0..2 {
        store.remove_category(CATEGORY).await.unwrap();
    }
    assert_eq!(store.rating_categories().await.unwrap(), ["other"]);
    let found = store.ratings(CATEGORY, &[player(1)], Some(&MatchId::from_number(7))).await.unwrap();
    assert_eq!((found.length, found.entry, found.stored), (0, None, vec![None]));
    assert_eq!(store.rating_log(CATEGORY, 0, 9).await.unwrap(), [b""; 0]);
    assert_eq!(paged(&*store, false, 10).await, []);
    assert_eq!(store.ratings("other", &[player(1)], None).await.unwrap().stored, [Some(b"o".to_vec())]);
    assert!(change(&*store, 0, "again", None, &[put(1, "one", Some(1))]).await);
}

pub async fn ratings_survive_reopening(harness: &impl Harness) {
    let store = harness.open().await;
    assert!(change(&*store, 0, "entry", Some(7), &[put(1, "one", Some(-5))]).await);
    store.close().await;
    drop(store);
    let store = harness.open().await;
    let found = store.ratings(CATEGORY, &[player(1)], Some(&MatchId::from_number(7))).await.unwrap();
    assert_eq!((found.length, found.entry, found.stored), (1, Some(0), vec![Some(b"one".to_vec())]));
    assert_eq!(paged(&*store, false, 10).await, [(-5, 1)]);
    assert_eq!(store.rating_categories().await.unwrap(), [CATEGORY]);
}
