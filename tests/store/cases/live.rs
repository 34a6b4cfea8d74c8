//! Live messages: persist, then publish.

use sarsen::store::{Commit, Committed, Live, Topic};

use crate::harness::{Harness, hear_all, match_id, player_id, session_id, step, subscribe};

pub async fn a_commit_is_announced_once_it_is_true(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let mut live = store.live();
    store.subscribe(&[Topic::Match(id.clone())]).await.unwrap();
    for version in 1..=20 {
        let commit = tokio::spawn({
            let (store, commit) = (store.clone(), step(&id, version - 1));
            async move { store.commit(commit).await.unwrap() }
        });
        subscribe(&mut live, &Live::Match(id.clone(), version)).await;
        // Read at the message, whether or not the commit has been answered yet.
        assert!(store.load_match(&id, None).await.unwrap().is_some_and(|found| found.version >= version));
        assert_eq!(store.log(&id, version - 1, 10).await.unwrap().len(), 1);
        assert_eq!(commit.await.unwrap(), Committed::Yes);
    }
}

pub async fn a_notice_is_announced(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, match_id(), player_id());
    let mut live = store.live();
    store.subscribe(&[Topic::Inbox(player.clone())]).await.unwrap();
    store.commit(Commit { notify: vec![player.clone()], ..step(&id, 0) }).await.unwrap();
    subscribe(&mut live, &Live::Inbox(player.clone())).await;
    assert_eq!(store.inbox(&player, 0, 10).await.unwrap().newest, 1);
}

pub async fn a_conflict_is_not_announced(harness: &impl Harness) {
    let (store, id, other) = (harness.open().await, match_id(), match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let mut live = store.live();
    store.subscribe(&[Topic::Match(id.clone()), Topic::Match(other.clone())]).await.unwrap();
    assert_eq!(store.commit(step(&id, 5)).await.unwrap(), Committed::Conflict);
    store.commit(step(&other, 0)).await.unwrap();
    // What comes before the message of a later step is all there is to come.
    loop {
        match live.recv().await.unwrap() {
            Live::Match(heard, version) if heard == id => assert_eq!(version, 1, "a step that never happened"),
            Live::Match(heard, _) if heard == other => break,
            _ => {}
        }
    }
}

pub async fn a_revocation_is_announced(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, session_id(), player_id());
    let until = harness.now().plus_seconds(600);
    let mut live = store.live();
    store.revoke_session(&id, &player, until).await.unwrap();
    subscribe(&mut live, &Live::Revoked(id.clone(), until)).await;
    assert_eq!(store.revocations().await.unwrap(), [(id, until)]);
}

pub async fn a_further_session_is_announced(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let mut live = store.live();
    store.tell_of_session(&player).await.unwrap();
    subscribe(&mut live, &Live::Joined(player)).await;
}

/// Checks what several instances tell each other where they share the data. A backend that is one process's own has
/// nothing to show here, and says so by giving no second instance.
pub async fn another_instance_hears_and_sees_it(harness: &impl Harness) {
    let first = harness.open().await;
    let Some(second) = harness.second().await else { return };
    let (id, player, session) = (match_id(), player_id(), session_id());
    let mut live = second.live();
    second.subscribe(&[Topic::Match(id.clone()), Topic::Inbox(player.clone())]).await.unwrap();
    first.commit(Commit { notify: vec![player.clone()], ..step(&id, 0) }).await.unwrap();
    hear_all(&mut live, &[&Live::Match(id.clone(), 1), &Live::Inbox(player.clone())]).await;
    assert_eq!(second.load_match(&id, None).await.unwrap().unwrap().version, 1);
    assert_eq!(second.commit(step(&id, 0)).await.unwrap(), Committed::Conflict);
    assert_eq!(second.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
    assert_eq!(first.load_match(&id, None).await.unwrap().unwrap().version, 2);
    super::inboxes::holds(&*second, &player, &[(&id, 1)]).await;
    let until = harness.now().plus_seconds(600);
    first.revoke_session(&session, &player, until).await.unwrap();
    subscribe(&mut live, &Live::Revoked(session.clone(), until)).await;
    assert_eq!(second.revocations().await.unwrap(), [(session, until)]);
    first.tell_of_session(&player).await.unwrap();
    subscribe(&mut live, &Live::Joined(player)).await;
    second.close().await;
    first.ready().await.unwrap();
}
