//! Faults that the check finds, and those that it repairs.

use std::sync::Arc;

use sarsen::ambient::{Ambient, Timestamp};
use sarsen::games::{GameSettings, Games};
use sarsen::ids::{MatchId, PlayerId};
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::ratings::Ratings;
use sarsen::store::{
    Inbox, ItemKind, ItemOwner, ListScope, Listing, Notice, PairedMatch, PoolChange, PutRating, QueuePlace, Restored,
    Stage, Stamp, Store, WholeMatch,
};
use tempfile::TempDir;
use test_kit::redis_server::Server;

use crate::transfer::{Faults, all, checked, embedded, green, item_of, players, redis};

/// A store with some matches in a directory that goes with it.
async fn filled() -> (TempDir, Arc<dyn Store>, Vec<WholeMatch>) {
    let dir = tempfile::tempdir().unwrap();
    players::fill(dir.path(), 5).await;
    let store = embedded(dir.path()).await;
    let mut matches = Vec::new();
    for id in all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await {
        matches.push(store.whole_match(&id).await.unwrap().unwrap());
    }
    (dir, store, matches)
}

/// Replaces a match by what `damage` makes of it, one version later as the store sees it, and answers what is found.
async fn found_after(damage: impl Fn(&mut WholeMatch)) -> String {
    let (dir, store, matches) = filled().await;
    let mut whole = matches.into_iter().max_by_key(|whole| whole.version).unwrap();
    let elsewhere = embedded(&dir.path().join("elsewhere")).await;
    damage(&mut whole);
    assert_eq!(elsewhere.restore_match(whole.clone()).await.unwrap(), Restored::Written);
    let (checked, faults) = checked(&elsewhere, true).await;
    assert_eq!(checked.repaired, 0, "a match is never repaired");
    assert_eq!(elsewhere.whole_match(&whole.id).await.unwrap(), Some(whole.clone()));
    let text: Vec<String> = faults
        .into_iter()
        .map(|(id, what)| {
            assert_eq!(id, whole.id.as_str());
            what
        })
        .collect();
    elsewhere.close().await;
    store.close().await;
    text.join("; ")
}

#[tokio::test]
async fn a_record_that_is_not_what_its_log_makes_is_told() {
    let told = found_after(|whole| {
        let stored = String::from_utf8(whole.stored.clone()).unwrap();
        let words = stored.split_once("\"di\":").unwrap().1.split_once(',').unwrap().0.to_owned();
        whole.stored = stored.replace(&format!("\"di\":{words},"), "\"di\":987654,").into_bytes();
    })
    .await;
    assert_eq!(told, "its record is not what its log makes: they differ in di");
}

#[tokio::test]
async fn a_log_that_cannot_have_been_is_told() {
    let told = found_after(|whole| whole.entries.swap(2, 3)).await;
    assert!(told.starts_with("version 3 cannot be made again from its log"), "{told}");
    let told = found_after(|whole| drop(whole.entries.pop())).await;
    assert!(told.contains("its log has") && told.contains("its record is not what its log makes"), "{told}");
    let told = found_after(|whole| whole.entries[1] = b"{}".to_vec()).await;
    assert!(told.contains("the log entry of version 2 cannot be read"), "{told}");
    let told = found_after(|whole| whole.entries[1] = b"{\"f\":\"secret\"}".to_vec()).await;
    assert!(told.contains("line 1") && !told.contains("secret"), "{told}");
}

#[tokio::test]
async fn what_stands_beside_a_match_is_compared_too() {
    let told = found_after(|whole| whole.stamp = Stamp::from_number(1)).await;
    assert!(told.contains("stamped otherwise"), "{told}");
    let told = found_after(|whole| whole.replays[0].1.version = 1000).await;
    assert_eq!(told, "an idempotency key of it names version 1000, which it has not");
    let told = found_after(|whole| whole.id = MatchId::from_number(7)).await;
    assert!(told.starts_with("its record is that of another match"), "{told}");
    let told = found_after(|whole| whole.stored = b"{\"f\":\"secret\"}".to_vec()).await;
    assert!(told.starts_with("its record cannot be read") && !told.contains("secret"), "{told}");
}

/// Lists that disagree are told, put right, and right afterwards.
async fn lists_are_repaired(store: Arc<dyn Store>, matches: Vec<WholeMatch>) {
    let whole = matches.iter().find(|whole| whole.listing.as_ref().unwrap().public).unwrap();
    let wanted = whole.listing.clone().unwrap();
    let stage = if wanted.stage == Stage::Aborted { Stage::Open } else { Stage::Aborted };
    let wrong = Listing { stage, players: vec![PlayerId::from_number(9)], ..wanted.clone() };
    assert!(store.relist(&whole.id, whole.version, &wrong).await.unwrap());

    let (found, faults) = checked(&store, false).await;
    assert!(found.faults > 0 && found.repaired == 0);
    assert!(faults.iter().all(|(id, _)| *id == whole.id.as_str()), "{faults:?}");
    let (fixed, _) = checked(&store, true).await;
    assert_eq!(fixed.faults, fixed.repaired);
    green(&store).await;
    assert_eq!(store.missing_from(&whole.id, &wanted).await.unwrap(), Vec::<String>::new());
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_the_embedded_store_are_repaired() {
    let (_dir, store, matches) = filled().await;
    lists_are_repaired(store, matches).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_on_redis_are_repaired() {
    let (_dir, from, matches) = filled().await;
    let server = tokio::task::block_in_place(|| Server::start(&[]));
    let store = redis(&server).await;
    sarsen::transfer::migrate::migrate(&*from, &*store, &mut Faults::default()).await.unwrap();
    from.close().await;
    // What no commit has put there.
    let key = sarsen::store::keys::Keys::new("sarsen").list(&ListScope::Public, Stage::Open, "henge");
    let mut add = ::redis::cmd("ZADD");
    add.arg(&key).arg(0).arg(MatchId::from_number(5).as_str());
    server.ask::<u64>(&add).await;
    let (found, faults) = checked(&store, false).await;
    let told = "it is on the public list of open matches of henge, where it does not belong".to_owned();
    assert_eq!((found.faults, faults), (1, vec![(MatchId::from_number(5).to_string(), told)]));
    let (found, _) = checked(&store, true).await;
    assert_eq!((found.faults, found.repaired), (1, 1));
    lists_are_repaired(store, matches).await;
}

#[tokio::test]
async fn a_match_that_nothing_leads_to_is_told_and_led_to() {
    let (dir, store, matches) = filled().await;
    store.close().await;
    let due = matches.iter().find(|whole| whole.due.is_some()).unwrap();
    let elsewhere = embedded(&dir.path().join("elsewhere")).await;
    let forgotten = WholeMatch { due: None, ..due.clone() };
    assert_eq!(elsewhere.restore_match(forgotten).await.unwrap(), Restored::Written);
    let told = format!("nothing leads to it when it is due, at {}", due.due.unwrap().rfc3339());
    assert_eq!(checked(&elsewhere, false).await.1, [(due.id.to_string(), told)]);
    let (fixed, _) = checked(&elsewhere, true).await;
    assert_eq!((fixed.faults, fixed.repaired), (1, 1));
    green(&elsewhere).await;
    assert!(elsewhere.whole_match(&due.id).await.unwrap().unwrap().due.is_some());
    elsewhere.close().await;
}

#[tokio::test]
async fn an_item_that_the_directory_does_not_lead_to_is_repaired() {
    let (_dir, store, _) = filled().await;
    let player = all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await.remove(0);
    let owner = ItemOwner::Player(player.clone());
    store.replace_item(&owner, ItemKind::Token, "a", None, Some(item_of(ItemKind::Token)), 1).await.unwrap();
    store.replace_item(&owner, ItemKind::Contact, "b", None, Some(item_of(ItemKind::Contact)), 1).await.unwrap();
    let what = "nothing leads to one of its items of the kind token";
    let (_, faults) = checked(&store, false).await;
    assert_eq!(faults, [(player.to_string(), what.to_owned())]);
    let (found, faults) = checked(&store, true).await;
    assert_eq!((found.faults, found.repaired), (1, 1));
    assert_eq!(faults, [(player.to_string(), format!("{what}; repaired"))]);
    assert_eq!(store.item_holder(ItemKind::Token, "a").await.unwrap(), Some(player));
    green(&store).await;
    store.close().await;
}

#[tokio::test]
async fn a_notice_of_a_step_that_never_was_is_told() {
    let (_dir, store, matches) = filled().await;
    let player = all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await.remove(0);
    let newest = store.inbox(&player, 0, 10).await.unwrap().newest;
    let (id, version) = (matches[0].id.clone(), matches[0].version);
    let notice = |number, id: &MatchId, version| Notice { number, match_id: id.clone(), version };
    let notices = vec![
        notice(newest + 1, &id, version),
        notice(newest + 2, &id, version + 1),
        notice(newest + 3, &MatchId::from_number(3), 1),
    ];
    let inbox = Inbox { notices, newest: newest + 3 };
    assert_eq!(store.restore_inbox(&player, inbox).await.unwrap(), Restored::Written);
    let (found, faults) = checked(&store, true).await;
    let told = format!("notice {} names version {} of {id}, which is at {version}", newest + 2, version + 1);
    assert_eq!(faults, [(player.to_string(), told)]);
    assert_eq!((found.faults, found.repaired, found.notices_of_gone_matches), (1, 0, 1));
    store.close().await;
}

#[tokio::test]
async fn a_rating_that_does_not_follow_from_its_log_is_repaired() {
    let dir = tempfile::tempdir().unwrap();
    let store = embedded(dir.path()).await;
    let (category, ambient) = ("contiguity.2.live", Ambient::system());
    let games = Arc::new(Games::standard(GameSettings::default()));
    let ratings = Ratings::new(store.clone(), store.clone(), Arc::default(), games, ambient.clone());
    let seat = |number: u128, rank| RatedSeat { player: PlayerId::from_number(number), rank, counts: true };
    let result = RatedResult {
        match_id: MatchId::from_number(1),
        version: 9,
        category: category.to_owned(),
        at: ambient.now(),
        seats: vec![seat(1, 1), seat(2, 2)],
        private: false,
    };
    assert!(ratings.rate(&result).await.unwrap());
    green(&store).await;
    let both = [PlayerId::from_number(1), PlayerId::from_number(2)];
    let found = store.ratings(category, &both, None).await.unwrap();
    let swapped = PutRating { player: both[0].clone(), stored: found.stored[1].clone(), key: None };
    assert!(store.change_ratings(category, found.length, Vec::new(), vec![swapped]).await.unwrap());
    for (fix, repaired) in [(false, 0), (true, 1)] {
        let (checked, faults) = checked(&store, fix).await;
        assert_eq!((checked.faults, checked.repaired), (1, repaired));
        let end = if fix { "; repaired" } else { "" };
        let what = format!("the ratings of 1 player are not what follows from the log{end}");
        assert_eq!(faults, [(category.to_owned(), what)]);
    }
    green(&store).await;
    assert_eq!(store.ratings(category, &both, None).await.unwrap(), found);
    store.close().await;
}

async fn damaged_tickets_are_told_and_removed(store: Arc<dyn Store>) {
    let noted = PairedMatch { id: MatchId::from_number(9), stored: b"{}".to_vec() };
    for (number, stored) in [(7, "{\"v\":99}"), (8, "{\"v\":1,\"t\":7}")] {
        let (player, by) = (PlayerId::from_number(number), Some(stored.as_bytes().to_vec()));
        let enters = vec![QueuePlace { queue: "~".to_owned(), at: Timestamp(1) }];
        let change = PoolChange { player, found: None, by, leaves: Vec::new(), enters };
        assert!(store.change_pool_records(&[change], Some(&noted)).await.unwrap());
    }
    let [later, damaged] = [7, 8].map(PlayerId::from_number);
    for (fix, repaired) in [(false, 0), (true, 2)] {
        let (checked, faults) = checked(&store, fix).await;
        assert_eq!((checked.faults, checked.repaired), (3, repaired));
        let told = faults.iter().map(|(name, what)| (name.as_str(), what.ends_with("; repaired"))).collect::<Vec<_>>();
        assert_eq!(told, [(later.as_str(), false), (damaged.as_str(), fix), (noted.id.as_str(), fix)]);
        assert!(faults[0].1.ends_with("a record of pools of form 99; this release knows forms up to 1"), "{faults:?}");
    }
    assert_eq!(checked(&store, true).await.0.faults, 1, "a newer release can read what it has written");
    assert_eq!(store.pool_record(&damaged).await.unwrap(), None);
    assert!(store.pool_record(&later).await.unwrap().is_some());
    assert_eq!(store.paired_matches(9).await.unwrap(), []);
    store.close().await;
}

#[tokio::test]
async fn damaged_tickets_of_the_embedded_store_are_told_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    damaged_tickets_are_told_and_removed(embedded(dir.path()).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damaged_tickets_on_redis_are_told_and_removed() {
    let server = tokio::task::block_in_place(|| Server::start(&[]));
    damaged_tickets_are_told_and_removed(redis(&server).await).await;
}
