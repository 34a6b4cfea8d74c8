//! Player statuses, and the deletions under way.

use std::sync::Arc;

use sarsen::ids::PlayerId;
use sarsen::store::{Deletion, Live, Revised, Store};

use crate::harness::{Harness, player_id, subscribe};

fn revised(bytes: &[u8], revision: u64) -> Revised {
    Revised { stored: bytes.to_vec(), revision }
}

/// Sets the status of a player who has none.
async fn marked(store: &dyn Store, player: &PlayerId, bytes: &[u8]) -> u64 {
    store.put_status(player, 0, bytes.to_vec(), false).await.unwrap().unwrap()
}

pub async fn a_status_is_written_and_rewritten(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    assert_eq!(store.status(&player).await.unwrap(), None);
    let first = marked(&*store, &player, b"1 \xff\0").await;
    assert_eq!(store.status(&player).await.unwrap(), Some(revised(b"1 \xff\0", first)));
    for wrong in [0, first + 1, first + 2] {
        assert_eq!(store.put_status(&player, wrong, b"wrong".to_vec(), true).await.unwrap(), None);
    }
    assert_eq!(deletions(&*store, 10).await, Vec::<PlayerId>::new(), "nothing was written");
    let second = store.put_status(&player, first, b"".to_vec(), false).await.unwrap().unwrap();
    assert!(second > first);
    assert_eq!(store.status(&player).await.unwrap(), Some(revised(b"", second)));
}

pub async fn statuses_are_read_in_the_order_of_their_revisions(harness: &impl Harness) {
    let store = harness.open().await;
    let players: Vec<_> = (0..5).map(|_| player_id()).collect();
    let mut revisions = Vec::new();
    for player in &players {
        revisions.push(marked(&*store, player, player.as_str().as_bytes()).await);
    }
    assert!(revisions.is_sorted(), "{revisions:?}");
    let again = store.put_status(&players[1], revisions[1], b"again".to_vec(), false).await.unwrap().unwrap();
    let read = |after, limit| {
        let store = Arc::clone(&store);
        async move { store.statuses_after(after, limit).await.unwrap() }
    };
    let names =
        |statuses: &[(PlayerId, Revised)]| statuses.iter().map(|(player, _)| player.clone()).collect::<Vec<_>>();
    let all = read(0, 100).await;
    assert_eq!(names(&all), [0, 2, 3, 4, 1].map(|at| players[at].clone()));
    assert_eq!(all[4].1, revised(b"again", again));
    assert_eq!(read(0, 2).await, all[..2]);
    assert_eq!(read(all[1].1.revision, 2).await, all[2..4]);
    assert_eq!(read(again, 2).await, []);
}

pub async fn of_32_markers_one_wins(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let markers = (0..32_u8).map(|rival| {
        let (store, player) = (Arc::clone(&store), player.clone());
        tokio::spawn(async move { store.put_status(&player, 0, vec![rival], false).await.unwrap().map(|_| rival) })
    });
    let mut winners = Vec::new();
    for marker in markers.collect::<Vec<_>>() {
        winners.extend(marker.await.unwrap());
    }
    assert_eq!(store.status(&player).await.unwrap().unwrap().stored, winners, "one of them");
}

async fn deletions(store: &dyn Store, limit: usize) -> Vec<PlayerId> {
    store.deletions(limit).await.unwrap().into_iter().map(|deletion| deletion.player).collect()
}

pub async fn whoever_is_to_be_seen_off_waits_until_that_is_done(harness: &impl Harness) {
    let store = harness.open().await;
    let (first, second) = (player_id(), player_id());
    let revision = store.put_status(&second, 0, b"s".to_vec(), true).await.unwrap().unwrap();
    harness.pass(1).await;
    store.put_status(&first, 0, b"f".to_vec(), true).await.unwrap().unwrap();
    let found = store.deletions(1).await.unwrap().remove(0);
    assert!(found.look_at.0 <= harness.now().0 - 900, "since the first time");
    assert_eq!(found.quiet_since, found.look_at);
    // Another status takes nobody off, and one more request does not begin the wait anew.
    store.put_status(&second, revision, b"S".to_vec(), true).await.unwrap().unwrap();
    assert_eq!(deletions(&*store, 10).await, [second.clone(), first.clone()]);
    assert_eq!(deletions(&*store, 1).await, std::slice::from_ref(&second));
    store.close().await;
    drop(store);
    let store = harness.open().await;
    assert!(store.end_deletion(&found).await.unwrap());
    assert!(!store.end_deletion(&found).await.unwrap());
    assert_eq!(deletions(&*store, 10).await, [first]);
    assert!(store.status(&second).await.unwrap().is_some(), "the status stays");
}

pub async fn a_look_is_put_off_by_one_of_those_who_found_it(harness: &impl Harness) {
    let store = harness.open().await;
    let (first, second) = (player_id(), player_id());
    let revision = store.put_status(&first, 0, b"f".to_vec(), true).await.unwrap().unwrap();
    store.put_status(&second, 0, b"s".to_vec(), true).await.unwrap().unwrap();
    let mut all = store.deletions(10).await.unwrap();
    let place = all.iter().position(|deletion| deletion.player == first).unwrap();
    let (found, other) = (all.swap_remove(place), all.remove(0));
    let (later, quiet) = (other.look_at.plus_seconds(60), found.look_at.plus_seconds(5));
    assert!(store.put_off(&found, later, quiet).await.unwrap());
    assert!(!store.put_off(&found, later.plus_seconds(1), later).await.unwrap(), "another was quicker");
    assert!(!store.end_deletion(&found).await.unwrap(), "who is not seen off is not forgotten");
    let put_off = Deletion { player: first.clone(), look_at: later, quiet_since: quiet };
    assert_eq!(store.deletions(10).await.unwrap(), [other.clone(), put_off.clone()]);
    assert_eq!(store.deletions(1).await.unwrap(), [other]);
    // Nothing of this begins anew when another status asks for it, unless it has ended.
    let revision = store.put_status(&first, revision, b"F".to_vec(), true).await.unwrap().unwrap();
    assert_eq!(store.deletions(10).await.unwrap()[1], put_off);
    assert!(store.end_deletion(&put_off).await.unwrap());
    assert!(!store.put_off(&put_off, later, quiet).await.unwrap());
    assert_eq!(deletions(&*store, 10).await, [second]);
    store.put_status(&first, revision, b"F".to_vec(), true).await.unwrap().unwrap();
    let anew = store.deletions(10).await.unwrap().into_iter().find(|deletion| deletion.player == first).unwrap();
    assert_eq!(anew.quiet_since, anew.look_at);
}

pub async fn a_status_is_announced(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let mut live = store.live();
    let revision = marked(&*store, &player, b"m").await;
    subscribe(&mut live, &Live::Marked(player.clone(), revision)).await;
    if let Some(other) = harness.second().await {
        let mut live = other.live();
        let revision = store.put_status(&player, revision, b"n".to_vec(), false).await.unwrap().unwrap();
        subscribe(&mut live, &Live::Marked(player.clone(), revision)).await;
        assert_eq!(other.status(&player).await.unwrap(), Some(revised(b"n", revision)));
        other.close().await;
    }
}
