//! The due index.

use sarsen::ambient::Timestamp;
use sarsen::ids::MatchId;
use sarsen::store::{Commit, Committed, Due, DueMatch, QueueSize, Store};

use crate::harness::{Harness, match_id, step};

async fn due(store: &dyn Store) -> Vec<MatchId> {
    let mut due = store.due_matches(100).await.unwrap();
    due.sort_by_key(|due| due.at);
    due.into_iter().map(|due| due.id).collect()
}

/// A moment so many milliseconds before now.
fn ago(harness: &impl Harness, millis: i64) -> Timestamp {
    Timestamp(harness.now().0 - millis)
}

fn at(id: &MatchId, expected: u64, moment: Timestamp) -> Commit {
    Commit { due: Due::At(moment), ..step(id, expected) }
}

pub async fn a_commit_moves_the_entry(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let moment = ago(harness, 5_000);
    store.commit(at(&id, 0, moment)).await.unwrap();
    let wanted = [DueMatch { id: id.clone(), at: moment }];
    assert_eq!(store.due_matches(10).await.unwrap(), wanted);
    assert_eq!(store.backlog().await.unwrap().due, QueueSize { length: 1, oldest: Some(moment) });
    store.commit(step(&id, 1)).await.unwrap();
    assert_eq!(store.due_matches(10).await.unwrap(), wanted, "it is left as it is");
    let later = harness.now().plus_seconds(60);
    store.commit(at(&id, 2, later)).await.unwrap();
    assert_eq!(due(&*store).await, []);
    assert_eq!(store.backlog().await.unwrap().due, QueueSize { length: 1, oldest: Some(later) });
    store.commit(Commit { due: Due::Remove, ..step(&id, 3) }).await.unwrap();
    assert_eq!(store.backlog().await.unwrap().due, QueueSize::default());
    store.commit(Commit { due: Due::Remove, ..step(&id, 4) }).await.unwrap();
    assert_eq!(due(&*store).await, []);
}

pub async fn a_conflict_moves_no_entry(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(at(&id, 0, ago(harness, 5_000))).await.unwrap();
    for refused in [Commit { due: Due::Remove, ..step(&id, 0) }, at(&id, 2, ago(harness, 9_000))] {
        assert_eq!(store.commit(refused).await.unwrap(), Committed::Conflict);
    }
    assert_eq!(store.backlog().await.unwrap().due.length, 1);
    assert_eq!(due(&*store).await, [id]);
}

pub async fn a_match_waits_for_its_moment(harness: &impl Harness) {
    let (store, ids) = (harness.open().await, [match_id(), match_id(), match_id()]);
    let moments = [ago(harness, 5_000), harness.now().plus_seconds(3600), ago(harness, 9_000)];
    for (id, moment) in ids.iter().zip(moments) {
        store.commit(at(id, 0, moment)).await.unwrap();
    }
    assert_eq!(due(&*store).await, [ids[2].clone(), ids[0].clone()]);
    store.commit(at(&ids[1], 1, harness.now().plus_seconds(2))).await.unwrap();
    harness.pass(2).await;
    assert_eq!(due(&*store).await, [ids[2].clone(), ids[0].clone(), ids[1].clone()]);
}

pub async fn an_entry_is_moved_from_where_it_was_found(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(at(&id, 0, ago(harness, 9_000))).await.unwrap();
    let found = store.due_matches(10).await.unwrap().remove(0);
    let elsewhere = ago(harness, 5_000);
    assert!(store.move_due(&found, Some(elsewhere)).await.unwrap());
    assert!(!store.move_due(&found, None).await.unwrap(), "it stands elsewhere");
    let found = DueMatch { id: id.clone(), at: elsewhere };
    assert_eq!(store.due_matches(10).await.unwrap(), std::slice::from_ref(&found));
    assert!(store.move_due(&found, None).await.unwrap());
    assert!(!store.move_due(&found, Some(elsewhere)).await.unwrap(), "it is gone");
    assert_eq!(due(&*store).await, []);
}

pub async fn an_entry_is_noted_where_there_is_none(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let moment = ago(harness, 5_000);
    let (other, later) = (match_id(), ago(harness, 1_000));
    let entry = |id: &MatchId, at| DueMatch { id: id.clone(), at };
    assert_eq!(store.note_due(&[entry(&id, moment)]).await.unwrap(), 1);
    assert_eq!(store.note_due(&[entry(&id, ago(harness, 9_000)), entry(&other, later)]).await.unwrap(), 1);
    assert_eq!(store.note_due(&[entry(&id, later)]).await.unwrap(), 0);
    assert_eq!(store.note_due(&[]).await.unwrap(), 0);
    let mut found = store.due_matches(10).await.unwrap();
    found.sort_by_key(|found| found.at);
    assert_eq!(found, [entry(&id, moment), entry(&other, later)]);
}

pub async fn entries_survive_reopening(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(at(&id, 0, ago(harness, 5_000))).await.unwrap();
    store.close().await;
    assert_eq!(due(&*harness.open().await).await, [id]);
}
