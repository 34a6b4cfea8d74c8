//! Restoring: what one store has told, written into another.

use sarsen::store::{
    Commit, Committed, Inbox, KeptSession, ListQuery, ListScope, Restored, Revised, Stage, Stamp, WholeMatch,
};

use super::inventory::full;
use crate::harness::{Harness, eventually, listing, match_id, player_id, session_id, step};

/// A match of two versions as another place tells it.
async fn whole<H: Harness>() -> WholeMatch {
    let (place, id) = (H::fresh().await, match_id());
    let store = place.open().await;
    full(&store, &id, &player_id()).await;
    let whole = store.whole_match(&id).await.unwrap().unwrap();
    store.close().await;
    whole
}

/// The same match, one version earlier.
fn earlier(whole: &WholeMatch) -> WholeMatch {
    let mut earlier = whole.clone();
    (earlier.version, earlier.stored, earlier.stamp) = (1, b"match 1".to_vec(), Stamp::from_number(1));
    earlier.entries.truncate(1);
    earlier.replays.clear();
    earlier
}

pub async fn a_match_is_restored_as_it_was<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), Some(whole.clone()));
    let (key, replay) = &whole.replays[0];
    let loaded = store.load_match(&whole.id, Some(key)).await.unwrap().unwrap();
    assert_eq!((loaded.version, loaded.replay), (2, Some(replay.clone())));
    let player = whole.listing.as_ref().unwrap().players[0].clone();
    for scope in [ListScope::Public, ListScope::Player(player.clone())] {
        let query = ListQuery { scope, stage: Some(Stage::Open), game: None, before: None, limit: 10, seen_by: None };
        eventually(vec![whole.id.clone()], || async {
            store.list_matches(&query).await.unwrap().into_iter().map(|listed| listed.id).collect()
        })
        .await;
    }
    assert_eq!(store.inbox(&player, 0, 10).await.unwrap(), Inbox::default(), "it gives no notice");
}

pub async fn an_earlier_version_is_replaced<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    let mut before = earlier(&whole);
    before.listing = Some(listing(&[&player_id()]));
    assert_eq!(store.restore_match(before.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), Some(whole.clone()));
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    let lost = before.listing.unwrap().players[0].clone();
    let query =
        ListQuery { scope: ListScope::Player(lost), stage: None, game: None, before: None, limit: 10, seen_by: None };
    assert_eq!(store.list_matches(&query).await.unwrap(), []);
}

pub async fn a_later_version_is_kept<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.restore_match(earlier(&whole)).await.unwrap(), Restored::Kept);
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), Some(whole));
}

pub async fn another_of_the_same_version_is_kept<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    let stored = WholeMatch { stored: b"another".to_vec(), ..whole.clone() };
    let stamped = WholeMatch { stamp: Stamp::from_number(8), ..whole.clone() };
    for other in [stored, stamped] {
        assert_eq!(store.restore_match(other).await.unwrap(), Restored::Kept);
    }
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), Some(whole));
}

pub async fn a_deleted_match_does_not_come_back<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.delete_match(&whole.id, 2, whole.stamp).await.unwrap(), Committed::Yes);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Kept);
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), None);
}

pub async fn restoring_twice_changes_nothing<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Same);
    assert_eq!(store.whole_match(&whole.id).await.unwrap(), Some(whole));
}

pub async fn a_restored_match_goes_on<H: Harness>(harness: &H) {
    let (store, whole) = (harness.open().await, whole::<H>().await);
    assert_eq!(store.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    let foreign = Commit { expected_stamp: Some(Stamp::from_number(8)), ..step(&whole.id, 2) };
    assert_eq!(store.commit(foreign).await.unwrap(), Committed::Conflict);
    let next = Commit { expected_stamp: Some(whole.stamp), ..step(&whole.id, 2) };
    assert_eq!(store.commit(next).await.unwrap(), Committed::Yes);
    assert_eq!(store.log(&whole.id, 0, 10).await.unwrap(), [b"entry 1", b"entry 2", b"entry 3"]);
}

pub async fn players_are_restored_at_their_revision<H: Harness>(harness: &H) {
    let store = harness.open().await;
    for revision in [1, 2, 7] {
        let (id, player) = (player_id(), Revised { stored: b"{\"v\":1}".to_vec(), revision });
        assert_eq!(store.restore_player(&id, player.clone()).await.unwrap(), Restored::Written);
        assert_eq!(store.player(&id).await.unwrap(), Some(player.clone()));
        assert_eq!(store.restore_player(&id, player.clone()).await.unwrap(), Restored::Same);
        assert!(store.put_player(&id, revision, b"{}".to_vec()).await.unwrap());
        assert_eq!(store.restore_player(&id, player).await.unwrap(), Restored::Kept);
        let later = Revised { stored: b"later".to_vec(), revision: revision + 5 };
        assert_eq!(store.restore_player(&id, later.clone()).await.unwrap(), Restored::Written);
        assert_eq!(store.player(&id).await.unwrap(), Some(later));
    }
}

fn session(harness: &impl Harness, seconds: u32) -> KeptSession {
    KeptSession {
        id: session_id(),
        player: player_id(),
        revision: 4,
        stored: b"kept".to_vec(),
        expires: harness.now().plus_seconds(seconds),
    }
}

pub async fn sessions_are_restored_until_their_end<H: Harness>(harness: &H) {
    let (store, kept, short) = (harness.open().await, session(harness, 1000), session(harness, 1));
    for session in [&kept, &short] {
        assert_eq!(store.restore_session(session.clone()).await.unwrap(), Restored::Written);
        assert_eq!(store.restore_session(session.clone()).await.unwrap(), Restored::Same);
        assert_eq!(store.kept_sessions(&session.player).await.unwrap().items, std::slice::from_ref(session));
        assert_eq!(store.sessions_of(&session.player).await.unwrap(), std::slice::from_ref(&session.id));
    }
    let earlier = KeptSession { revision: 3, stored: b"before".to_vec(), ..kept.clone() };
    assert_eq!(store.restore_session(earlier).await.unwrap(), Restored::Kept);
    assert!(store.put_session(&kept.id, &kept.player, 4, b"next".to_vec(), kept.expires).await.unwrap());
    harness.pass(1).await;
    assert_eq!(store.session(&short.id).await.unwrap(), None);
    assert_eq!(store.restore_session(short).await.unwrap(), Restored::Kept, "it has ended");
}

pub async fn a_revoked_session_does_not_come_back<H: Harness>(harness: &H) {
    let (store, kept, other) = (harness.open().await, session(harness, 1000), session(harness, 1000));
    let until = harness.now().plus_seconds(100);
    assert_eq!(store.restore_session(kept.clone()).await.unwrap(), Restored::Written);
    for session in [&kept, &other] {
        store.restore_revocation(&session.id, until).await.unwrap();
        assert_eq!(store.session(&session.id).await.unwrap(), None);
        assert_eq!(store.restore_session(session.clone()).await.unwrap(), Restored::Kept);
        assert_eq!(store.sessions_of(&session.player).await.unwrap(), []);
    }
    let mut remembered = store.revocations().await.unwrap();
    remembered.sort_by(|one, other| one.0.cmp(&other.0));
    let mut wanted = vec![(kept.id, until), (other.id, until)];
    wanted.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(remembered, wanted);
}

pub async fn an_inbox_keeps_its_numbers<H: Harness>(harness: &H) {
    let (place, id, player) = (H::fresh().await, match_id(), player_id());
    let there = place.open().await;
    full(&there, &id, &player).await;
    let inbox = there.inbox(&player, 0, 10).await.unwrap();
    assert_eq!((inbox.newest, inbox.notices.len()), (2, 2));
    let later = Inbox { notices: inbox.notices[1..].to_vec(), newest: 2 };

    let (store, other) = (harness.open().await, player_id());
    for (player, inbox) in [(&player, &inbox), (&other, &later)] {
        assert_eq!(store.restore_inbox(player, inbox.clone()).await.unwrap(), Restored::Written);
        assert_eq!(store.restore_inbox(player, inbox.clone()).await.unwrap(), Restored::Same);
        assert_eq!(store.inbox(player, 0, 10).await.unwrap(), *inbox);
    }
    let first = Inbox { notices: inbox.notices[..1].to_vec(), newest: 1 };
    assert_eq!(store.restore_inbox(&other, first).await.unwrap(), Restored::Kept);
    let notified = Commit { notify: vec![player.clone(), other.clone()], ..step(&match_id(), 0) };
    assert_eq!(store.commit(notified).await.unwrap(), Committed::Yes);
    for player in [&player, &other] {
        eventually(3, || async { store.inbox(player, 0, 10).await.unwrap().newest }).await;
    }
}
