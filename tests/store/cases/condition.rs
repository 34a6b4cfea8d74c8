//! The condition of the store.

use crate::harness::{Harness, eventually, listing, match_id, player_id, step};

/// Nothing waits where lists follow a commit at once, and elsewhere nothing does in the end.
pub async fn what_commits_left_to_do_is_done_in_the_end(harness: &impl Harness) {
    let store = harness.open().await;
    let player = player_id();
    for _ in 0..20 {
        let mut commit = step(&match_id(), 0);
        (commit.listing, commit.notify) = (Some(listing(&[&player])), vec![player.clone()]);
        store.commit(commit).await.unwrap();
    }
    let outbox = store.backlog().await.unwrap().outbox;
    assert!(outbox.length <= 20, "{outbox:?}");
    assert!(outbox.oldest.is_none_or(|oldest| oldest <= store.now().plus_seconds(1)), "{outbox:?}");
    eventually(0, async || store.backlog().await.unwrap().outbox.length).await;
    assert_eq!(store.backlog().await.unwrap().outbox.oldest, None);
}

pub async fn what_is_used_is_a_share_of_what_there_is(harness: &impl Harness) {
    let store = harness.open().await;
    let used = store.used().await.unwrap();
    assert!(used.is_none_or(|used| used > 0.0 && used <= 1.0), "{used:?}");
}
