//! Inboxes. Like lists they may follow the commits a little later.

use std::sync::Arc;

use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{Commit, INBOX_KEPT, Inbox, Notice, Store};

use crate::harness::{Harness, eventually, match_id, player_id, step};

/// Waits until a player's inbox holds exactly these notices, numbered from 1.
pub async fn holds(store: &dyn Store, player: &PlayerId, wanted: &[(&MatchId, u64)]) {
    let notices: Vec<Notice> =
        (1..).zip(wanted).map(|(number, &(id, version))| Notice { number, match_id: id.clone(), version }).collect();
    let wanted = Inbox { newest: notices.len() as u64, notices };
    eventually(wanted, || async { store.inbox(player, 0, 1000).await.unwrap() }).await;
}

async fn notify(store: &dyn Store, id: &MatchId, expected: u64, players: &[&PlayerId]) {
    let notify = players.iter().map(|&player| player.clone()).collect();
    store.commit(Commit { notify, ..step(id, expected) }).await.unwrap();
}

pub async fn notices_are_numbered_from_one(harness: &impl Harness) {
    let (store, a, b) = (harness.open().await, player_id(), player_id());
    let (first, second) = (match_id(), match_id());
    assert_eq!(store.inbox(&a, 0, 10).await.unwrap(), Inbox::default());
    notify(&*store, &first, 0, &[&a]).await;
    holds(&*store, &a, &[(&first, 1)]).await;
    notify(&*store, &second, 0, &[&b]).await;
    notify(&*store, &second, 1, &[&a, &b]).await;
    holds(&*store, &a, &[(&first, 1), (&second, 2)]).await;
    holds(&*store, &b, &[(&second, 1), (&second, 2)]).await;
}

pub async fn one_step_gives_one_notice(harness: &impl Harness) {
    let (store, player, id) = (harness.open().await, player_id(), match_id());
    notify(&*store, &id, 0, &[&player, &player]).await;
    notify(&*store, &id, 1, &[]).await;
    notify(&*store, &id, 2, &[&player]).await;
    holds(&*store, &player, &[(&id, 1), (&id, 3)]).await;
}

pub async fn an_inbox_is_read_in_stretches(harness: &impl Harness) {
    let (store, player, id) = (harness.open().await, player_id(), match_id());
    for version in 0..10 {
        notify(&*store, &id, version, &[&player]).await;
    }
    holds(&*store, &player, &(1..=10).map(|version| (&id, version)).collect::<Vec<_>>()).await;
    for (after, limit, numbers) in [(0, 4, 1..=4), (4, 4, 5..=8), (8, 4, 9..=10), (9, 1, 10..=10)] {
        let inbox = store.inbox(&player, after, limit).await.unwrap();
        assert_eq!(inbox.notices.iter().map(|notice| notice.number).collect::<Vec<_>>(), numbers.collect::<Vec<_>>());
        assert_eq!(inbox.newest, 10);
    }
    for after in [10, 11, 1 << 40] {
        let inbox = store.inbox(&player, after, 10).await.unwrap();
        assert_eq!(inbox, Inbox { notices: vec![], newest: 10 });
    }
}

pub async fn notices_of_a_match_come_in_order(harness: &impl Harness) {
    let (store, player, id) = (harness.open().await, player_id(), match_id());
    for version in 0..100 {
        notify(&*store, &id, version, &[&player]).await;
    }
    holds(&*store, &player, &(1..=100).map(|version| (&id, version)).collect::<Vec<_>>()).await;
}

/// Commits `steps` steps in each of `matches` matches at once, all of which notify the player.
async fn crowd(store: &Arc<dyn Store>, player: &PlayerId, matches: usize, steps: u64) -> Vec<MatchId> {
    let playing = (0..matches).map(|_| {
        let (store, player, id) = (Arc::clone(store), player.clone(), match_id());
        tokio::spawn(async move {
            for version in 0..steps {
                notify(&*store, &id, version, &[&player]).await;
            }
            id
        })
    });
    let mut ids = Vec::new();
    for task in playing.collect::<Vec<_>>() {
        ids.push(task.await.unwrap());
    }
    let total = matches as u64 * steps;
    eventually(total, || async { store.inbox(player, 0, 1).await.unwrap().newest }).await;
    ids
}

pub async fn numbers_have_no_gaps_under_concurrency(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let ids = crowd(&store, &player, 16, 20).await;
    let inbox = store.inbox(&player, 0, 1000).await.unwrap();
    assert!(inbox.notices.iter().map(|notice| notice.number).eq(1..=320));
    for id in ids {
        let versions = inbox.notices.iter().filter(|notice| notice.match_id == id).map(|notice| notice.version);
        assert!(versions.eq(1..=20), "each step of {id} once and in order");
    }
}

pub async fn the_newest_thousand_are_kept(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let total = INBOX_KEPT + 200;
    crowd(&store, &player, 40, total / 40).await;
    let mut numbers = Vec::new();
    while numbers.last() != Some(&total) {
        let page = store.inbox(&player, numbers.last().copied().unwrap_or(0), 500).await.unwrap();
        assert!(!page.notices.is_empty() && page.newest == total, "{numbers:?}");
        numbers.extend(page.notices.iter().map(|notice| notice.number));
    }
    let oldest = numbers[0];
    assert!(oldest <= total - INBOX_KEPT + 1, "the newest {INBOX_KEPT} are kept, and not only from {oldest} on");
    assert!(numbers.iter().copied().eq(oldest..=total));
}
