//! Commit, load and log.

use std::sync::Arc;

use sarsen::store::{Commit, Committed, LoadedMatch, Replay, ReplayKey, Store};

use crate::harness::{Harness, listing, match_id, player_id, stamp, step};

fn loaded(stored: &str, version: u64) -> Option<LoadedMatch> {
    Some(LoadedMatch { stored: stored.into(), version, stamp: stamp(version), replay: None })
}

pub async fn a_match_is_created_and_loaded(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    assert_eq!(store.load_match(&id, None).await.unwrap(), None);
    assert_eq!(store.standing(&id).await.unwrap(), None);
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), Vec::<Vec<u8>>::new());
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Yes);
    assert_eq!(store.load_match(&id, None).await.unwrap(), loaded("match 1", 1));
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), [b"entry 1"]);
}

pub async fn a_step_replaces_the_match_and_adds_to_the_log(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    for expected in 0..3 {
        assert_eq!(store.commit(step(&id, expected)).await.unwrap(), Committed::Yes);
    }
    assert_eq!(store.load_match(&id, None).await.unwrap(), loaded("match 3", 3));
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), [b"entry 1", b"entry 2", b"entry 3"]);
}

pub async fn creating_what_exists_is_a_conflict(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    store.commit(step(&id, 0)).await.unwrap();
    let again = Commit { stored: b"other".to_vec(), ..step(&id, 0) };
    assert_eq!(store.commit(again).await.unwrap(), Committed::Conflict);
    assert_eq!(store.load_match(&id, None).await.unwrap(), loaded("match 1", 1));
}

pub async fn an_older_or_newer_expectation_is_a_conflict(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Conflict, "of a match that does not exist");
    for expected in 0..10 {
        assert_eq!(store.commit(step(&id, expected)).await.unwrap(), Committed::Yes);
    }
    for wrong in [0, 1, 9, 11, 100] {
        assert_eq!(store.commit(step(&id, wrong)).await.unwrap(), Committed::Conflict, "{wrong}");
    }
    assert_eq!(store.load_match(&id, None).await.unwrap(), loaded("match 10", 10));
    assert_eq!(store.log(&id, 0, 100).await.unwrap().len(), 10);
}

/// Neither match, log, key, list nor inbox shows anything of a step that did not happen. A later step that did happen
/// bounds the wait for what is eventual.
pub async fn a_conflict_stores_nothing(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let (player, stranger) = (player_id(), player_id());
    let key = ReplayKey { player: player.clone(), key: "k".to_owned() };
    let create = Commit { listing: Some(listing(&[&player])), notify: vec![player.clone()], ..step(&id, 0) };
    store.commit(create).await.unwrap();
    let refused = Commit {
        stored: b"refused".to_vec(),
        entry: b"refused".to_vec(),
        listing: Some(listing(&[&stranger])),
        replay: Some((key.clone(), Replay { version: 1, fingerprint: "f".to_owned() })),
        notify: vec![player.clone(), stranger.clone()],
        ..step(&id, 0)
    };
    assert_eq!(store.commit(refused).await.unwrap(), Committed::Conflict);
    assert_eq!(store.load_match(&id, Some(&key)).await.unwrap(), loaded("match 1", 1));
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), [b"entry 1"]);

    let next = Commit { notify: vec![player.clone(), stranger.clone()], ..step(&id, 1) };
    assert_eq!(store.commit(next).await.unwrap(), Committed::Yes);
    super::inboxes::holds(&*store, &player, &[(&id, 1), (&id, 2)]).await;
    super::inboxes::holds(&*store, &stranger, &[(&id, 2)]).await;
    super::lists::shows(&*store, super::lists::own(&player), &[&id]).await;
    super::lists::shows(&*store, super::lists::own(&stranger), &[]).await;
}

pub async fn of_64_commits_at_one_version_one_happens(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    for version in 0..3 {
        let commits = (0..64).map(|rival| {
            let store = Arc::clone(&store);
            let commit = Commit { stored: vec![rival], entry: vec![rival], ..step(&id, version) };
            tokio::spawn(async move { store.commit(commit).await.unwrap() })
        });
        let mut winners = Vec::new();
        for (rival, commit) in (0_u8..).zip(commits.collect::<Vec<_>>()) {
            if commit.await.unwrap() == Committed::Yes {
                winners.push(rival);
            }
        }
        assert_eq!(winners.len(), 1, "{winners:?}");
        let found = store.load_match(&id, None).await.unwrap().unwrap();
        assert_eq!((found.stored, found.version), (winners.clone(), version + 1));
        assert_eq!(store.log(&id, version, 10).await.unwrap(), [winners]);
    }
}

pub async fn what_is_stored_is_arbitrary_bytes(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    let mebibyte: Vec<u8> = (0..1 << 20).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let samples = [vec![], vec![0], b"\xff\xfe\0\r\n\x80".to_vec(), (0..=255).collect(), mebibyte];
    for (version, sample) in (0..).zip(&samples) {
        let commit = Commit { stored: sample.clone(), entry: sample.clone(), ..step(&id, version) };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
        let found = store.load_match(&id, None).await.unwrap().unwrap();
        assert!(found.stored == *sample, "{} bytes changed", sample.len());
    }
    assert!(store.log(&id, 0, 10).await.unwrap() == samples, "an entry changed");
}

pub async fn a_long_log_is_read_in_pages(harness: &impl Harness) {
    let (store, id) = (harness.open().await, match_id());
    for version in 0..25 {
        store.commit(step(&id, version)).await.unwrap();
    }
    let entries = |versions: std::ops::RangeInclusive<u64>| -> Vec<Vec<u8>> {
        versions.map(|version| format!("entry {version}").into_bytes()).collect()
    };
    let log = |after, limit| {
        let (store, id) = (&store, &id);
        async move { store.log(id, after, limit).await.unwrap() }
    };
    assert_eq!(log(0, 10).await, entries(1..=10));
    assert_eq!(log(10, 10).await, entries(11..=20));
    assert_eq!(log(20, 10).await, entries(21..=25));
    assert_eq!(log(24, 1).await, entries(25..=25));
    assert_eq!(log(0, 1000).await, entries(1..=25));
    for after in [25, 26, 1 << 40] {
        assert!(log(after, 10).await.is_empty(), "after {after}");
    }
}

pub async fn matches_do_not_disturb_each_other(harness: &impl Harness) {
    let store = harness.open().await;
    let ids: Vec<_> = (0..8).map(|_| match_id()).collect();
    let playing = ids.iter().enumerate().map(|(at, id)| {
        let (store, id) = (Arc::clone(&store), id.clone());
        tokio::spawn(async move {
            for version in 0..20 {
                let commit = Commit { entry: format!("{at} {version}").into_bytes(), ..step(&id, version) };
                assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
            }
        })
    });
    for player in playing.collect::<Vec<_>>() {
        player.await.unwrap();
    }
    for (at, id) in ids.iter().enumerate() {
        let wanted: Vec<_> = (0..20).map(|version| format!("{at} {version}").into_bytes()).collect();
        assert_eq!(store.log(id, 0, 100).await.unwrap(), wanted);
    }
}

pub async fn everything_survives_reopening(harness: &impl Harness) {
    let (id, player, session) = (match_id(), player_id(), crate::harness::session_id());
    let key = ReplayKey { player: player.clone(), key: "k".to_owned() };
    let replay = Replay { version: 1, fingerprint: "f".to_owned() };
    let end = harness.now().plus_seconds(600);
    {
        let store: Arc<dyn Store> = harness.open().await;
        let commit = Commit {
            listing: Some(listing(&[&player])),
            replay: Some((key.clone(), replay.clone())),
            notify: vec![player.clone()],
            ..step(&id, 0)
        };
        assert_eq!(store.commit(commit).await.unwrap(), Committed::Yes);
        assert!(store.put_player(&player, 0, b"player".to_vec()).await.unwrap());
        assert!(store.put_session(&session, &player, 0, b"session".to_vec(), end).await.unwrap());
        let revoked = crate::harness::session_id();
        store.revoke_session(&revoked, &player, end).await.unwrap();
        store.put_ticket("once", b"value".to_vec(), 600).await.unwrap();
        store.close().await;
    }
    let store = harness.open().await;
    let found = store.load_match(&id, Some(&key)).await.unwrap().unwrap();
    assert_eq!(found, LoadedMatch { stored: b"match 1".to_vec(), version: 1, stamp: stamp(1), replay: Some(replay) });
    assert_eq!(store.log(&id, 0, 10).await.unwrap(), [b"entry 1"]);
    assert_eq!(store.player(&player).await.unwrap().unwrap().stored, b"player");
    assert_eq!(store.session(&session).await.unwrap().unwrap().stored, b"session");
    assert_eq!(store.sessions_of(&player).await.unwrap(), [session]);
    assert_eq!(store.revocations().await.unwrap().len(), 1);
    assert_eq!(store.take_ticket("once").await.unwrap().unwrap(), b"value");
    super::inboxes::holds(&*store, &player, &[(&id, 1)]).await;
    super::lists::shows(&*store, super::lists::own(&player), &[&id]).await;
    assert_eq!(store.commit(step(&id, 0)).await.unwrap(), Committed::Conflict);
    assert_eq!(store.commit(step(&id, 1)).await.unwrap(), Committed::Yes);
}
