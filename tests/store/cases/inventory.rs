//! The inventory: what is kept, page by page and whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::future::join_all;
use sarsen::ambient::Timestamp;
use sarsen::ids::{MatchId, PlayerId};
use sarsen::store::{Commit, Committed, Due, Listing, PageStart, Replay, ReplayKey, Stage, Stamp, Store};

use crate::harness::{Harness, eventually, listing, match_id, player_id, session_id, step};

/// All pages of an inventory.
macro_rules! all {
    ($store:expr, $pages:ident) => {{
        let mut found = Vec::new();
        let mut next: Option<PageStart> = None;
        loop {
            let page = $store.$pages(next.as_ref()).await.unwrap();
            found.extend(page.items);
            next = page.next;
            if next.is_none() {
                break found;
            }
        }
    }};
}

/// A match of two versions with everything that one can have.
pub async fn full(store: &Arc<dyn Store>, id: &MatchId, player: &PlayerId) -> ReplayKey {
    let made = Commit { listing: Some(listing(&[player])), notify: vec![player.clone()], ..step(id, 0) };
    assert_eq!(store.commit(made).await.unwrap(), Committed::Yes);
    let key = ReplayKey { player: player.clone(), key: "a|b:c~!".to_owned() };
    let replay = Replay { version: 2, fingerprint: "abc".to_owned() };
    let moved = Commit {
        stamp: Stamp::from_number(7),
        replay: Some((key.clone(), replay)),
        notify: vec![player.clone()],
        due: Due::At(Timestamp(1_900_000_000_000)),
        ..step(id, 1)
    };
    assert_eq!(store.commit(moved).await.unwrap(), Committed::Yes);
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    key
}

pub async fn every_match_and_every_player_is_named(harness: &impl Harness) {
    let store = harness.open().await;
    let matches: BTreeSet<MatchId> = (0..600).map(|_| match_id()).collect();
    let players: BTreeSet<PlayerId> = (0..600).map(|_| player_id()).collect();
    for ids in matches.iter().collect::<Vec<_>>().chunks(100) {
        join_all(ids.iter().map(|id| async { store.commit(step(id, 0)).await.unwrap() })).await;
    }
    for ids in players.iter().collect::<Vec<_>>().chunks(100) {
        join_all(ids.iter().map(|id| async { store.put_player(id, 0, b"{}".to_vec()).await.unwrap() })).await;
    }
    assert_eq!(all!(store, match_ids).into_iter().collect::<BTreeSet<_>>(), matches);
    assert_eq!(all!(store, player_ids).into_iter().collect::<BTreeSet<_>>(), players);
}

pub async fn every_match_is_told_with_its_listing(harness: &impl Harness) {
    let store = harness.open().await;
    let ids: Vec<MatchId> = (0..600).map(|_| match_id()).collect();
    let player = player_id();
    let listed = |stage| Some(Listing { stage, ..listing(&[&player]) });
    for ids in ids.chunks(100) {
        let made = |id| Commit { listing: listed(Stage::Open), ..step(id, 0) };
        join_all(ids.iter().map(|id| async { store.commit(made(id)).await.unwrap() })).await;
    }
    let ended = Commit { listing: listed(Stage::Finished), listed: listed(Stage::Open), ..step(&ids[0], 1) };
    assert_eq!(store.commit(ended).await.unwrap(), Committed::Yes);
    let told: BTreeMap<MatchId, Listing> = all!(store, listings).into_iter().collect();
    assert_eq!(told.keys().collect::<BTreeSet<_>>(), ids.iter().collect());
    assert_eq!(Some(&told[&ids[0]]), listed(Stage::Finished).as_ref());
    assert!(ids[1..].iter().all(|id| Some(&told[id]) == listed(Stage::Open).as_ref()));
}

pub async fn an_empty_store_has_no_pages(harness: &impl Harness) {
    let store = harness.open().await;
    assert_eq!(all!(store, match_ids), []);
    assert_eq!(all!(store, listings), []);
    assert_eq!(all!(store, player_ids), []);
    assert_eq!(all!(store, strays), []);
    assert_eq!(store.whole_match(&match_id()).await.unwrap(), None);
}

pub async fn a_match_is_told_whole(harness: &impl Harness) {
    let (store, id, player) = (harness.open().await, match_id(), player_id());
    let key = full(&store, &id, &player).await;
    full(&store, &match_id(), &player).await;
    let whole = store.whole_match(&id).await.unwrap().unwrap();
    assert_eq!((&whole.id, whole.version, whole.stamp), (&id, 2, Stamp::from_number(7)));
    assert_eq!(whole.stored, b"match 2");
    assert_eq!(whole.entries, [b"entry 1", b"entry 2"]);
    assert_eq!(whole.listing, Some(listing(&[&player])));
    assert_eq!(whole.due, Some(Timestamp(1_900_000_000_000)));
    assert_eq!(whole.replays, [(key, Replay { version: 2, fingerprint: "abc".to_owned() })]);
}

pub async fn only_sessions_that_stand_are_kept(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    let (standing, revoked, short, theirs) = (session_id(), session_id(), session_id(), session_id());
    let later = harness.now().plus_seconds(1000);
    for (id, end) in [(&standing, later), (&revoked, later), (&short, harness.now().plus_seconds(1))] {
        assert!(store.put_session(id, &player, 0, b"one".to_vec(), end).await.unwrap());
    }
    assert!(store.put_session(&theirs, &player_id(), 0, b"one".to_vec(), later).await.unwrap());
    assert!(store.put_session(&standing, &player, 1, b"two".to_vec(), later).await.unwrap());
    store.revoke_session(&revoked, &player, later).await.unwrap();
    harness.pass(1).await;
    let kept = store.kept_sessions(&player).await.unwrap().items;
    let told: Vec<_> = kept.iter().map(|kept| (&kept.id, kept.revision, &*kept.stored, kept.expires)).collect();
    assert_eq!(told, [(&standing, 2, &b"two"[..], later)]);
}

pub async fn a_match_on_all_its_lists_misses_none(harness: &impl Harness) {
    let (store, id, players) = (harness.open().await, match_id(), [player_id(), player_id()]);
    let listing = listing(&[&players[0], &players[1]]);
    let made = Commit { listing: Some(listing.clone()), ..step(&id, 0) };
    assert_eq!(store.commit(made).await.unwrap(), Committed::Yes);
    eventually(true, || async { store.caught_up().await.unwrap() }).await;
    assert_eq!(store.missing_from(&id, &listing).await.unwrap(), Vec::<String>::new());
}

pub async fn a_match_listed_otherwise_is_told(harness: &impl Harness) {
    let (store, id, player, other) = (harness.open().await, match_id(), player_id(), player_id());
    full(&store, &id, &player).await;
    let mut wanted = listing(&[&player, &other]);
    wanted.stage = Stage::Playing;
    let faults = store.missing_from(&id, &wanted).await.unwrap();
    assert!(faults.iter().any(|fault| fault.contains("noted as listed otherwise")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.contains(other.as_str())), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.contains("public list")), "{faults:?}");
    assert!(!store.relist(&id, 1, &wanted).await.unwrap(), "it is at another version");
    assert!(store.relist(&id, 2, &wanted).await.unwrap());
    assert_eq!(store.missing_from(&id, &wanted).await.unwrap(), Vec::<String>::new());
    assert_eq!(all!(store, strays), []);
    assert_eq!(store.whole_match(&id).await.unwrap().unwrap().listing, Some(wanted));
}

pub async fn no_entry_is_astray(harness: &impl Harness) {
    let (store, player) = (harness.open().await, player_id());
    for _ in 0..20 {
        full(&store, &match_id(), &player).await;
    }
    assert_eq!(all!(store, strays), []);
}
