//! Sessions and revocations.

use std::collections::BTreeSet;
use std::sync::Arc;

use sarsen::ids::{PlayerId, SessionId};
use sarsen::store::{Revised, Store};

use crate::harness::{Harness, player_id, session_id};

fn revised(bytes: &[u8], revision: u64) -> Option<Revised> {
    Some(Revised { stored: bytes.to_vec(), revision })
}

async fn of(store: &dyn Store, player: &PlayerId) -> BTreeSet<SessionId> {
    let sessions = store.sessions_of(player).await.unwrap();
    let set: BTreeSet<_> = sessions.iter().cloned().collect();
    assert_eq!(set.len(), sessions.len(), "a session is listed twice");
    set
}

pub async fn a_session_is_written_and_read(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, session_id(), player_id());
    let end = harness.now().plus_seconds(600);
    assert_eq!(store.session(&id).await.unwrap(), None);
    assert!(store.put_session(&id, &player, 0, b"\xff\0one".to_vec(), end).await.unwrap());
    assert_eq!(store.session(&id).await.unwrap(), revised(b"\xff\0one", 1));
    assert!(store.put_session(&id, &player, 1, b"two".to_vec(), end).await.unwrap());
    assert_eq!(store.session(&id).await.unwrap(), revised(b"two", 2));
}

pub async fn a_revision_is_written_once(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, session_id(), player_id());
    let end = harness.now().plus_seconds(600);
    assert!(!store.put_session(&id, &player, 1, b"early".to_vec(), end).await.unwrap(), "there is nothing to replace");
    assert_eq!(store.session(&id).await.unwrap(), None);
    assert!(of(&*store, &player).await.is_empty());
    assert!(store.put_session(&id, &player, 0, b"one".to_vec(), end).await.unwrap());
    for wrong in [0, 2, 3] {
        assert!(!store.put_session(&id, &player, wrong, b"wrong".to_vec(), end).await.unwrap(), "{wrong}");
    }
    assert_eq!(store.session(&id).await.unwrap(), revised(b"one", 1));
}

pub async fn of_32_writers_one_wins(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, session_id(), player_id());
    let end = harness.now().plus_seconds(600);
    for revision in 0..2 {
        let writers = (0..32_u8).map(|rival| {
            let (store, id, player) = (Arc::clone(&store), id.clone(), player.clone());
            tokio::spawn(async move { store.put_session(&id, &player, revision, vec![rival], end).await.unwrap() })
        });
        let mut winners = Vec::new();
        for (rival, writer) in (0_u8..).zip(writers.collect::<Vec<_>>()) {
            if writer.await.unwrap() {
                winners.push(rival);
            }
        }
        assert_eq!(winners.len(), 1, "{winners:?}");
        assert_eq!(store.session(&id).await.unwrap(), revised(&winners, revision + 1));
    }
}

pub async fn a_session_ends_by_itself(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let (short, long) = (session_id(), session_id());
    let now = harness.now();
    assert!(store.put_session(&short, &player, 0, b"s".to_vec(), now.plus_seconds(2)).await.unwrap());
    assert!(store.put_session(&long, &player, 0, b"l".to_vec(), now.plus_seconds(600)).await.unwrap());
    assert_eq!(store.session(&short).await.unwrap(), revised(b"s", 1));
    assert_eq!(of(&*store, &player).await, BTreeSet::from([short.clone(), long.clone()]));
    harness.pass(2).await;
    assert_eq!(store.session(&short).await.unwrap(), None);
    assert_eq!(of(&*store, &player).await, BTreeSet::from([long.clone()]));
    assert_eq!(store.session(&long).await.unwrap(), revised(b"l", 1));
    let end = harness.now().plus_seconds(600);
    assert!(
        !store.put_session(&short, &player, 1, b"x".to_vec(), end).await.unwrap(),
        "what has ended has no revision"
    );
}

pub async fn a_later_end_replaces_the_earlier(harness: &impl Harness) {
    let (store, player, id) = (harness.open().await, player_id(), session_id());
    let now = harness.now();
    assert!(store.put_session(&id, &player, 0, b"1".to_vec(), now.plus_seconds(2)).await.unwrap());
    assert!(store.put_session(&id, &player, 1, b"2".to_vec(), now.plus_seconds(600)).await.unwrap());
    harness.pass(2).await;
    assert_eq!(store.session(&id).await.unwrap(), revised(b"2", 2));
    // Whatever sweeps on writes has had its chance.
    assert!(store.put_player(&player, 0, b"p".to_vec()).await.unwrap());
    assert_eq!(store.session(&id).await.unwrap(), revised(b"2", 2));
    assert_eq!(of(&*store, &player).await, BTreeSet::from([id]));
}

pub async fn a_revoked_session_is_gone_and_remembered(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let (id, other) = (session_id(), session_id());
    let end = harness.now().plus_seconds(600);
    for session in [&id, &other] {
        assert!(store.put_session(session, &player, 0, b"s".to_vec(), end).await.unwrap());
    }
    let until = harness.now().plus_seconds(900);
    store.revoke_session(&id, &player, until).await.unwrap();
    assert_eq!(store.session(&id).await.unwrap(), None);
    assert_eq!(of(&*store, &player).await, BTreeSet::from([other.clone()]));
    assert_eq!(store.revocations().await.unwrap(), [(id.clone(), until)]);
    assert!(!store.put_session(&id, &player, 1, b"back".to_vec(), end).await.unwrap());
    assert_eq!(store.session(&other).await.unwrap(), revised(b"s", 1));
}

pub async fn revocations_are_forgotten_at_their_end(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let (short, long) = (session_id(), session_id());
    let until = harness.now().plus_seconds(600);
    store.revoke_session(&short, &player, harness.now().plus_seconds(5)).await.unwrap();
    store.revoke_session(&long, &player, until).await.unwrap();
    assert_eq!(store.revocations().await.unwrap().len(), 2);
    harness.pass(5).await;
    assert_eq!(store.revocations().await.unwrap(), [(long, until)]);
}

pub async fn the_later_of_two_ends_of_a_revocation_counts(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let (rising, falling) = (session_id(), session_id());
    let (early, late) = (harness.now().plus_seconds(300), harness.now().plus_seconds(600));
    for (id, until) in [(&rising, early), (&rising, late), (&falling, late), (&falling, early)] {
        store.revoke_session(id, &player, until).await.unwrap();
    }
    let remembered: BTreeSet<_> = store.revocations().await.unwrap().into_iter().collect();
    assert_eq!(remembered, BTreeSet::from([(rising, late), (falling, late)]));
}

pub async fn unknown_sessions_can_be_revoked(harness: &impl Harness) {
    let (store, id) = (harness.open().await, session_id());
    let until = harness.now().plus_seconds(600);
    store.revoke_session(&id, &player_id(), until).await.unwrap();
    assert_eq!(store.revocations().await.unwrap(), [(id, until)]);
}

pub async fn sessions_are_listed_by_player(harness: &impl Harness) {
    let (store, a, b) = (harness.open().await, player_id(), player_id());
    let end = harness.now().plus_seconds(600);
    let ids: Vec<_> = (0..5).map(|_| session_id()).collect();
    assert!(of(&*store, &a).await.is_empty());
    for (at, id) in ids.iter().enumerate() {
        let player = if at % 2 == 0 { &a } else { &b };
        assert!(store.put_session(id, player, 0, vec![], end).await.unwrap());
        assert!(store.put_session(id, player, 1, vec![], end).await.unwrap());
    }
    assert_eq!(of(&*store, &a).await, ids.iter().step_by(2).cloned().collect());
    assert_eq!(of(&*store, &b).await, ids.iter().skip(1).step_by(2).cloned().collect());
}

pub async fn an_expired_session_can_be_made_anew(harness: &impl Harness) {
    let (store, player, id) = (harness.open().await, player_id(), session_id());
    assert!(store.put_session(&id, &player, 0, b"old".to_vec(), harness.now().plus_seconds(2)).await.unwrap());
    harness.pass(2).await;
    let end = harness.now().plus_seconds(600);
    assert!(store.put_session(&id, &player, 0, b"new".to_vec(), end).await.unwrap());
    assert_eq!(store.session(&id).await.unwrap(), revised(b"new", 1));
    assert_eq!(of(&*store, &player).await, BTreeSet::from([id]));
}
