//! There and back: from the embedded store to Redis by files, from there to another embedded store, and by migration.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use sarsen::ambient::{Ambient, Timestamp};
use sarsen::games::{GameSettings, Games};
use sarsen::ids::{InstanceId, MatchId, PlayerId};
use sarsen::matches::board_match::{BoardEnd, BoardMatch};
use sarsen::matches::rated_result::{RatedResult, RatedSeat};
use sarsen::player_status::{Ban, BanFrom, PlayerStatus};
use sarsen::ratings::Ratings;
use sarsen::store::{
    AuditPlace, Beat, BoardPlace, FoundRatings, Inbox, ItemKind, ItemOwner, Job, JobKind, KeptSession, Presence,
    Replaced, ReplayKey, Restored, Revised, Store, WholeMatch,
};
use sarsen::transfer::{Amounts, TransferError, Witness, export, import, migrate};
use serde_json::json;
use test_kit::environment::UPKEEP_MATCHES;
use test_kit::redis_server::Server;

use crate::transfer::{Faults, all, embedded, green, item_of, players, redis};

/// An item's owner, kind and name.
type ItemKey = (ItemOwner, ItemKind, String);

/// The log of a category, with the ratings and the board that follow from it.
type Category = (Vec<Vec<u8>>, FoundRatings, Vec<BoardPlace>);

/// Everything of a store that is carried.
#[derive(PartialEq, Debug)]
pub struct Everything {
    matches: BTreeMap<String, WholeMatch>,
    players: BTreeMap<PlayerId, (Revised, Vec<KeptSession>, Inbox)>,
    /// With the player whom the directory names.
    items: BTreeMap<ItemKey, (Vec<u8>, Option<PlayerId>)>,
    /// By category.
    ratings: BTreeMap<String, Category>,
    audit: Vec<(AuditPlace, Vec<u8>)>,
    /// Those that are carried.
    jobs: BTreeMap<(&'static str, String), Job>,
}

pub async fn everything(store: &Arc<dyn Store>) -> Everything {
    let mut matches = BTreeMap::new();
    for id in all(async |from| store.match_ids(from.as_ref()).await.unwrap()).await {
        let mut whole = store.whole_match(&id).await.unwrap().unwrap();
        whole.replays.sort_by_key(|(ReplayKey { player, key }, _)| (player.clone(), key.clone()));
        matches.insert(id.to_string(), whole);
    }
    let mut players = BTreeMap::new();
    for id in all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await {
        let player = store.player(&id).await.unwrap().unwrap();
        let kept = store.kept_sessions(&id).await.unwrap().items;
        players.insert(id.clone(), (player, kept, store.inbox(&id, 0, 10_000).await.unwrap()));
    }
    let mut items = BTreeMap::new();
    for owner in players.keys().cloned().map(ItemOwner::Player).chain([ItemOwner::Service]) {
        for kind in ItemKind::ALL {
            for (name, stored) in store.items(&owner, kind).await.unwrap() {
                let holder = store.item_holder(kind, &name).await.unwrap();
                items.insert((owner.clone(), kind, name), (stored, holder));
            }
        }
    }
    let mut ratings = BTreeMap::new();
    let (people, id): (Vec<PlayerId>, _) = (players.keys().cloned().collect(), MatchId::from_number(7));
    for category in store.rating_categories().await.unwrap() {
        let log = store.rating_log(&category, 0, 10_000).await.unwrap();
        let found = store.ratings(&category, &people, Some(&id)).await.unwrap();
        let board = store.board(&category, None, false, 100).await.unwrap();
        ratings.insert(category, (log, found, board));
    }
    let audit = store.audit(None, 10_000).await.unwrap();
    let mut jobs = BTreeMap::new();
    for kind in [JobKind::Rate, JobKind::CallOff] {
        let waiting = store.waiting_jobs(kind).await.unwrap();
        jobs.extend(waiting.into_iter().map(|job| ((kind.name(), job.id.clone()), job)));
    }
    Everything { matches, players, items, ratings, audit, jobs }
}

/// Rates matches of two players, so often that both are on the board, and annuls one of them.
async fn give_ratings(store: &Arc<dyn Store>) {
    let players = all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await;
    let (games, ambient) = (Games::standard(GameSettings::default()), Ambient::system());
    let now = ambient.now();
    let ratings = Ratings::new(store.clone(), store.clone(), Arc::default(), Arc::new(games), ambient);
    for number in 0..40_u32 {
        let seat = |of: usize, rank| RatedSeat { player: players[of].clone(), rank, counts: true };
        let (match_id, category) = (MatchId::from_number(number.into()), "contiguity.2.live".to_owned());
        let at = Timestamp(now.0 - i64::from(40 - number) * 86_400_000);
        let rank = 1 + (number % 2) as u8;
        let seats = vec![seat(0, rank), seat(1, 3 - rank)];
        let result = RatedResult { match_id, version: 9, category, at, seats, private: false };
        assert!(ratings.rate(&result).await.unwrap());
    }
    // That orders a job.
    ratings.annul(&MatchId::from_number(7)).await.unwrap().unwrap();
    let later = |kind, id: &str, body| Job { kind, id: id.to_owned(), at: now.plus_seconds(60), body };
    let jobs = [
        later(JobKind::CallOff, "call", br#"{"v":1,"w":{"t":1,"p":[]}}"#.to_vec()),
        later(JobKind::Deliver, "not carried", item_of(ItemKind::Delivery)),
    ];
    store.order_jobs(&jobs).await.unwrap();
    ratings.rebuild("contiguity.2.live").await.unwrap();
    let mut both = players[..2].to_vec();
    both.sort_unstable();
    for (number, board, players) in
        [(100, "henge.solo.default", &players[..1]), (101, "absolution.coop.default", &both[..])]
    {
        let (match_id, board, players) = (MatchId::from_number(number), board.to_owned(), players.to_vec());
        let ended = Some(BoardEnd { at: now, won: true, score: 80 });
        ratings.record(&BoardMatch { match_id, board, started_at: now, players, ended }).await.unwrap();
    }
    assert_eq!(store.board("contiguity.2.live", None, false, 100).await.unwrap().len(), 2);
}

/// Gives a player an item of each kind, and the service those that it has.
pub async fn give_items(store: &dyn Store) {
    let player = all(async |from| store.player_ids(from.as_ref()).await.unwrap()).await.remove(0);
    let owner = ItemOwner::Player(player.clone());
    let carried = ItemKind::ALL.into_iter().filter(|kind| kind.is_carried());
    let of_service = [ItemKind::Report, ItemKind::Webhook, ItemKind::Listener].map(|kind| (&ItemOwner::Service, kind));
    for (owner, kind) in carried.map(|kind| (&owner, kind)).chain(of_service) {
        assert_eq!(
            store.replace_item(owner, kind, "name", None, Some(item_of(kind)), 1).await.unwrap(),
            Replaced::Done
        );
        if kind.in_directory() {
            assert_eq!(store.bind_item(kind, "name", &player).await.unwrap(), player);
        }
    }
}

/// Writes more into the audit than one page of the walk has.
async fn give_audit(store: &dyn Store) {
    for number in 0..1_002 {
        let entry = json!({
            "v": 1, "token": format!("o_{:032x}", 5), "label": "ops", "operation": "banPlayer",
            "reason": format!("case {number}")
        });
        store.append_audit(entry.to_string().into_bytes(), 1_000_000).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_goes_to_redis_and_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let count: usize = UPKEEP_MATCHES.value().unwrap_or(40);
    players::fill(&path("first"), count).await;
    let (ambient, mut faults) = (Ambient::system(), Faults::default());

    let first = embedded(&path("first")).await;
    give_items(&*first).await;
    give_ratings(&first).await;
    give_audit(&*first).await;
    assert_eq!(green(&first).await.matches, count as u64);
    let exported = export::export(&*first, &path("out"), None, &ambient, &mut faults).await.unwrap();
    assert_eq!(exported.left_out, 0);
    let Amounts { players, sessions, matches, .. } = exported.tally;
    assert_eq!((players, sessions, matches), (8, 8, count as u64));
    let original = everything(&first).await;
    let jobs: Vec<&str> = original.jobs.keys().map(|(kind, _)| *kind).collect();
    assert!(jobs.contains(&"rate") && jobs.contains(&"call_off"), "{jobs:?}");
    first.close().await;

    let server = tokio::task::block_in_place(|| Server::start(&[]));
    let second = redis(&server).await;
    let carried = import::import(&*second, &path("out"), &mut faults).await.unwrap();
    assert_eq!((carried.same, carried.kept, carried.refused), (0, 0, 0));
    let again = import::import(&*second, &path("out"), &mut faults).await.unwrap();
    assert_eq!((again.written, again.same, again.refused), (0, carried.written, 0));
    assert_eq!(green(&second).await.matches, count as u64);
    export::export(&*second, &path("back"), None, &ambient, &mut faults).await.unwrap();
    assert!(everything(&second).await == original, "Redis holds something else");

    let third = embedded(&path("third")).await;
    import::import(&*third, &path("back"), &mut faults).await.unwrap();
    green(&third).await;
    assert!(everything(&third).await == original, "the second embedded store holds something else");

    let fourth = embedded(&path("fourth")).await;
    let (tally, moved) = migrate::migrate(&*second, &*fourth, &mut faults).await.unwrap();
    assert_eq!((tally.matches, moved.kept), (count as u64, 0));
    green(&fourth).await;
    assert!(everything(&fourth).await == original, "the migrated store holds something else");
    for store in [second, third, fourth] {
        store.close().await;
    }
    assert_eq!(faults.0, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revoked_session_stays_revoked() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("first"), 1).await;
    let (ambient, mut faults) = (Ambient::system(), Faults::default());
    let first = embedded(&dir.path().join("first")).await;
    let player = all(async |from| first.player_ids(from.as_ref()).await.unwrap()).await.remove(0);
    let session = first.kept_sessions(&player).await.unwrap().items.remove(0);
    let until = ambient.now().plus_seconds(900);
    first.revoke_session(&session.id, &player, until).await.unwrap();
    export::export(&*first, &dir.path().join("out"), None, &ambient, &mut faults).await.unwrap();
    first.close().await;

    // Carried over before it was revoked.
    let second = embedded(&dir.path().join("second")).await;
    assert_eq!(second.restore_session(session.clone()).await.unwrap(), Restored::Written);
    import::import(&*second, &dir.path().join("out"), &mut faults).await.unwrap();
    assert_eq!(second.session(&session.id).await.unwrap(), None);
    assert_eq!(second.revocations().await.unwrap(), [(session.id, until)]);
    second.close().await;
}

/// Sets the ban of a player.
async fn ban(store: &dyn Store, player: &PlayerId, ban: Option<Ban>) {
    PlayerStatus::change(store, player, false, |status| status.ban.clone_from(&ban)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_migration_brings_nothing_back() {
    let dir = tempfile::tempdir().unwrap();
    players::fill(&dir.path().join("first"), 3).await;
    let mut faults = Faults::default();
    let first = embedded(&dir.path().join("first")).await;
    give_items(&*first).await;
    let mut people = all(async |from| first.player_ids(from.as_ref()).await.unwrap()).await;
    let (ann, ben) = (people.remove(0), people.remove(0));
    let (of_ann, of_ben) = (ItemOwner::Player(ann.clone()), ItemOwner::Player(ben.clone()));
    ban(&*first, &ann, Some(Ban { until: None, from: BanFrom::All, reason: "x".to_owned() })).await;
    let server = tokio::task::block_in_place(|| Server::start(&[]));
    let targets = [redis(&server).await, embedded(&dir.path().join("second")).await];
    for target in &targets {
        let (_, carried) = migrate::migrate(&*first, &**target, &mut faults).await.unwrap();
        assert_eq!(carried.kept, 0);
    }
    export::export(&*first, &dir.path().join("out"), None, &Ambient::system(), &mut faults).await.unwrap();

    // A token is revoked, a recovery key replaced, an account linked to another, a block and a ban lifted, a report closed,
    // and a session ended, so long ago that its revocation is forgotten.
    let change = async |owner: &ItemOwner, kind: ItemKind, to: Option<&[u8]>| {
        let found = first.item(owner, kind, "name").await.unwrap().unwrap();
        let changed = first.replace_item(owner, kind, "name", Some(&found), to.map(<[u8]>::to_vec), 1).await;
        assert_eq!(changed.unwrap(), Replaced::Done);
    };
    for kind in [ItemKind::Token, ItemKind::Recovery, ItemKind::Identity, ItemKind::Block] {
        if kind.in_directory() {
            first.unbind_item(kind, "name", &ann).await.unwrap();
        }
        change(&of_ann, kind, None).await;
    }
    for (owner, kind, name) in [(&ann, ItemKind::Recovery, "other"), (&ben, ItemKind::Identity, "name")] {
        assert_eq!(first.bind_item(kind, name, owner).await.unwrap(), *owner);
        let owner = ItemOwner::Player(owner.clone());
        let made = first.replace_item(&owner, kind, name, None, Some(item_of(kind)), 1).await.unwrap();
        assert_eq!(made, Replaced::Done);
    }
    let report = String::from_utf8(item_of(ItemKind::Report)).unwrap().replace("insults", "closed");
    change(&ItemOwner::Service, ItemKind::Report, Some(report.as_bytes())).await;
    ban(&*first, &ann, None).await;
    let session = first.sessions_of(&ann).await.unwrap().remove(0);
    first.revoke_session(&session, &ann, first.now()).await.unwrap();

    let (wanted, status) = (everything(&first).await, first.status(&ann).await.unwrap().unwrap().stored);
    assert!(wanted.items.contains_key(&(of_ben, ItemKind::Identity, "name".to_owned())));
    for target in &targets {
        let (_, carried) = migrate::migrate(&*first, &**target, &mut faults).await.unwrap();
        assert_eq!((carried.kept, carried.refused), (0, 0));
        assert!(everything(target).await == wanted, "the store holds something else");
        assert_eq!(target.status(&ann).await.unwrap().unwrap().stored, status);
        green(target).await;
    }
    assert_eq!(faults.0, []);

    // An import adds, and tells what it leaves as it is: of the ban, the identity of somebody else and the closed report.
    let carried = import::import(&*targets[1], &dir.path().join("out"), &mut faults).await.unwrap();
    let told: Vec<&str> = faults.0.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!((carried.refused, told), (3, vec![ann.as_str(), "report", ann.as_str()]));

    // Where somebody has signed up it is no copy any more, and nothing is taken back.
    let own = PlayerId::from_number(1);
    for target in &targets {
        let fresh = target.replace_item(&of_ann, ItemKind::Contact, "fresh", None, Some(b"{}".to_vec()), 9).await;
        assert_eq!(fresh.unwrap(), Replaced::Done);
        assert!(target.put_player(&own, 0, b"{}".to_vec()).await.unwrap());
        let refused = migrate::migrate(&*first, &**target, &mut faults).await;
        assert!(matches!(&refused, Err(TransferError::NoCopy { player }) if *player == own.as_str()), "{refused:?}");
        assert!(target.item(&of_ann, ItemKind::Contact, "fresh").await.unwrap().is_some());
    }
    for store in targets {
        store.close().await;
    }
    first.close().await;
}

/// Lets the store know that a service has worked on it.
async fn serve(store: &dyn Store) {
    let id = InstanceId::generate(&Ambient::system());
    store.beat(Beat { id, works: true, presence: Presence::Started, known: None }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_repeated_import_brings_nothing_back_that_was_given_up_since() {
    let dir = tempfile::tempdir().unwrap();
    let (out, mut faults) = (dir.path().join("out"), Faults::default());
    players::fill(&dir.path().join("first"), 3).await;
    let first = embedded(&dir.path().join("first")).await;
    give_items(&*first).await;
    let mut people = all(async |from| first.player_ids(from.as_ref()).await.unwrap()).await;
    let (ann, ben) = (people.remove(0), people.remove(0));
    ban(&*first, &ben, Some(Ban { until: None, from: BanFrom::All, reason: "x".to_owned() })).await;
    export::export(&*first, &out, None, &Ambient::system(), &mut faults).await.unwrap();
    let original = everything(&first).await;
    first.close().await;

    let server = tokio::task::block_in_place(|| Server::start(&[]));
    for target in [redis(&server).await, embedded(&dir.path().join("second")).await] {
        // A token is revoked, a recovery key and an account are given up, a block lifted, a webhook of the operators removed.
        let give_up = async || {
            let of_ann = [ItemKind::Token, ItemKind::Recovery, ItemKind::Identity, ItemKind::Block];
            let of_ann = of_ann.map(|kind| (ItemOwner::Player(ann.clone()), kind));
            for (owner, kind) in of_ann.into_iter().chain([(ItemOwner::Service, ItemKind::Webhook)]) {
                if kind.in_directory() {
                    target.unbind_item(kind, "name", &ann).await.unwrap();
                }
                let found = target.item(&owner, kind, "name").await.unwrap();
                let removed = target.replace_item(&owner, kind, "name", found.as_deref(), None, 1).await.unwrap();
                assert_eq!(removed, Replaced::Done);
            }
            // So long ago that the revocation is forgotten.
            let session = target.sessions_of(&ann).await.unwrap().remove(0);
            target.revoke_session(&session, &ann, target.now()).await.unwrap();
        };
        // Before a service works on the store nobody gives anything up: an import adds what is missing.
        import::import(&*target, &out, &mut faults).await.unwrap();
        give_up().await;
        import::import(&*target, &out, &mut faults).await.unwrap();
        assert!(everything(&target).await == original, "the store holds something else");
        assert_eq!(faults.0, []);

        serve(&*target).await;
        give_up().await;
        ban(&*target, &ben, None).await;
        let (kept, status) = (everything(&target).await, target.status(&ben).await.unwrap());
        let again = import::import(&*target, &out, &mut faults).await.unwrap();
        let told: Vec<String> = faults.0.drain(..).map(|(name, _)| name).collect();
        assert_eq!((again.written, again.refused, told), (0, 1, vec![ben.to_string()]));
        assert!(everything(&target).await == kept && target.status(&ben).await.unwrap() == status, "something is back");
        target.close().await;
    }
}

/// Ends an import once all of a kind are written.
struct DiesAfter(&'static str);

impl Witness for DiesAfter {
    fn progress(&mut self, kind: &str, _: u64) {
        assert_ne!(kind, self.0, "as the test wants it");
    }

    fn fault(&mut self, _: &str, _: &str) {}
}

#[tokio::test]
async fn players_who_are_new_to_a_working_store_are_imported_whole_after_any_interruption() {
    let dir = tempfile::tempdir().unwrap();
    let (out, mut faults) = (dir.path().join("out"), Faults::default());
    players::fill(&dir.path().join("first"), 3).await;
    let first = embedded(&dir.path().join("first")).await;
    give_items(&*first).await;
    export::export(&*first, &out, None, &Ambient::system(), &mut faults).await.unwrap();
    let original = everything(&first).await;
    first.close().await;
    for kind in ["items", "statuses", "sessions", "players", "matches"] {
        let target = embedded(&dir.path().join(kind)).await;
        serve(&*target).await;
        let mut dies = DiesAfter(kind);
        let died = AssertUnwindSafe(import::import(&*target, &out, &mut dies)).catch_unwind().await;
        assert!(died.is_err(), "{kind}");
        import::import(&*target, &out, &mut faults).await.unwrap();
        assert!(everything(&target).await == original, "after {kind} the store holds something else");
        target.close().await;
    }
    assert_eq!(faults.0, []);
}
