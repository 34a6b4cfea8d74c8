//! A failover that undoes versions which were followed and moved on from: nobody goes on as if nothing had happened.

use std::sync::atomic::{AtomicU8, Ordering};

use super::relay::{Choose, Relay};
use super::*;
use crate::feed::follow::{MyEventPage, ToldPage};
use crate::model::log::UNCOMMITTED;
use crate::table::log_codec::stamp_of;
use sarsen_store::{self as store, Commit, Committed, LoadedMatch, Stamp, StoreError};

/// The moments at which the replica takes over by itself.
const NEVER: u8 = 0;
const AT_A_COMMIT: u8 = 1;
const AT_A_LOG: u8 = 2;
const DONE: u8 = 3;

/// A master and its replica, which follows no more since the two were parted.
struct Pair {
    master: World,
    replica: World,
    takes_over: AtomicU8,
}

impl Pair {
    fn in_charge(&self) -> Arc<dyn Store> {
        let world = if self.takes_over.load(Ordering::SeqCst) == DONE { &self.replica } else { &self.master };
        Arc::clone(&world.store)
    }

    /// The store in charge, from `moment` on the replica.
    fn at(&self, moment: u8) -> Arc<dyn Store> {
        let _ = self.takes_over.compare_exchange(moment, DONE, Ordering::SeqCst, Ordering::SeqCst);
        self.in_charge()
    }

    fn let_the_replica_take_over(&self, moment: u8) {
        self.takes_over.store(moment, Ordering::SeqCst);
    }
}

impl Choose for Pair {
    fn choose(&self, operation: &str) -> store::Result<Arc<dyn Store>> {
        Ok(match operation {
            "commit" => self.at(AT_A_COMMIT),
            "log" => self.at(AT_A_LOG),
            _ => self.in_charge(),
        })
    }
}

/// A match of two whose first two versions are in both stores.
struct Scene {
    pair: Arc<Relay<Pair>>,
    /// The service, which does not know that there are two.
    matches: Matches,
    id: MatchId,
    players: [Seated; 2],
}

impl Scene {
    async fn new() -> Scene {
        let (master, replica) = (World::new(), World::new());
        let (id, players) = master.started(contiguity()).await;
        let versions = master.store.log(&id, 0, 10).await.unwrap();
        let present = master.store.load_match(&id, None).await.unwrap().unwrap();
        let mut before = None;
        for (expected, entry) in (0..).zip(versions) {
            let stamp = stamp_of(&entry).unwrap();
            let commit = Commit {
                id: id.clone(),
                expected,
                expected_stamp: before.replace(stamp),
                stamp,
                stored: present.stored.clone(),
                entry,
                listing: None,
                listed: None,
                replay: None,
                notify: players.iter().map(|player| player.id.clone()).collect(),
                due: sarsen_store::Due::Leave,
                jobs: Vec::new(),
            };
            assert_eq!(replica.store.commit(commit).await.unwrap(), Committed::Yes);
        }
        // What the two draw from now on differs, as it does on two machines.
        replica.ambient.bytes::<32>();
        let pair = Arc::new(Relay(Pair { master, replica, takes_over: AtomicU8::new(NEVER) }));
        let matches = pair.master.instance_on(pair.clone());
        Scene { pair, matches, id, players }
    }

    /// Makes the legal move of this number in one of the two worlds, past the service.
    async fn play_in(&self, world: &World, number: usize) {
        let (player, decision, moves) = world.turn(&self.id, &self.players).await;
        world.play(&player, &self.id, Some(decision), &moves[number], None).await.unwrap();
    }

    fn readers(&self) -> [Reader; 3] {
        [by(&self.players[0]), by(&self.players[1]), Reader::default()]
    }

    async fn events(&self, reader: &Reader, after: Option<EventCursor>) -> ToldPage {
        self.matches.events(reader, &self.id, after, 100).await.unwrap()
    }

    async fn mine(&self, player: usize, after: NoticeCursor) -> MyEventPage {
        self.matches.my_events(&self.players[player].id, after, 100).await.unwrap()
    }

    /// Checks that the match in the store in charge is the one to which its log leads.
    async fn must_follow_from_its_log(&self) {
        let loaded = self.pair.in_charge().load_match(&self.id, None).await.unwrap().unwrap();
        let present = self.matches.read(&Reader::default(), &self.id).await.unwrap();
        let then = self.matches.history(&Reader::default(), present, loaded.version, false).await.unwrap();
        let rebuilt: Value = serde_json::from_slice(&then.live.duplicate().encode().unwrap()).unwrap();
        assert_eq!(rebuilt, serde_json::from_slice::<Value>(&loaded.stored).unwrap());
    }
}

fn versions(page: &ToldPage) -> Vec<u64> {
    page.items.iter().map(|told| told.id.version).collect()
}

/// The present version that a page with a resync names, which must be all that is on it.
fn resynced(page: &ToldPage) -> u64 {
    assert_eq!((kinds(&page.items), page.more), (vec!["resync".to_owned()], true));
    assert_eq!(page.next.map(|next| next.id), Some(page.items[0].id));
    let event: Value = serde_json::from_str(page.items[0].event.get()).unwrap();
    assert_eq!(event.as_object().unwrap().len(), 2, "{event}");
    event["version"].as_u64().unwrap()
}

#[tokio::test]
async fn a_step_computed_from_an_undone_version_is_not_committed_on_the_one_in_its_place() {
    let scene = Scene::new().await;
    let Pair { master, replica, .. } = &**scene.pair;
    scene.play_in(master, 0).await;
    scene.play_in(replica, 1).await;
    let (player, decision, moves) = master.turn(&scene.id, &scene.players).await;
    let (_, same, also) = replica.turn(&scene.id, &scene.players).await;
    let mv = MoveInput::Notation(moves.into_iter().find(|mv| also.contains(mv)).unwrap());
    assert_eq!(decision, same, "nothing else tells the two versions apart");
    scene.pair.let_the_replica_take_over(AT_A_COMMIT);
    let made = scene.matches.play(&player.id, &scene.id, None, Ok(MoveRequest { decision: Some(decision), mv })).await;
    assert_eq!(made.unwrap().viewed.live.stored.version, 4, "it is judged again, and is legal there too");
    scene.must_follow_from_its_log().await;
}

/// The version that the service knows is another one after the failover, and it has not looked since.
#[tokio::test]
async fn what_was_known_before_a_failover_is_not_built_on() {
    let scene = Scene::new().await;
    let Pair { master, replica, .. } = &**scene.pair;
    let (mover, _, _) = replica.turn(&scene.id, &scene.players).await;
    scene.play_in(replica, 1).await;
    scene.play_in(master, 0).await;
    let known = scene.matches.read(&by(&mover), &scene.id).await.unwrap();
    assert_eq!(known.live.stored.version, 3);
    let (player, decision, moves) = master.turn(&scene.id, &scene.players).await;
    let (_, same, also) = replica.turn(&scene.id, &scene.players).await;
    let mv = MoveInput::Notation(moves.into_iter().find(|mv| also.contains(mv)).unwrap());
    assert_eq!(decision, same, "nothing else tells the two versions apart");
    scene.pair.let_the_replica_take_over(DONE);
    let request = Ok(MoveRequest { decision: Some(decision), mv });
    let made = scene.matches.play(&player.id, &scene.id, None, request).await;
    assert_eq!(made.unwrap().viewed.live.stored.version, 4, "it is judged again, and is legal there too");
    scene.must_follow_from_its_log().await;
}

#[tokio::test]
async fn what_was_known_before_a_failover_is_not_shown() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.replica, 1).await;
    scene.play_in(&scene.pair.master, 0).await;
    let read = async |matches: &Matches| {
        let viewed = matches.read(&Reader::default(), &scene.id).await.unwrap();
        (viewed.live.stamp, viewed.live.view(viewed.viewer).unwrap().unwrap().get().to_owned())
    };
    let known = read(&scene.matches).await;
    assert_eq!(known, read(&scene.pair.master.matches).await);
    scene.pair.let_the_replica_take_over(DONE);
    let now = read(&scene.matches).await;
    assert_eq!(now, read(&scene.pair.replica.matches).await);
    assert!(known.0 != now.0 && known.1 != now.1);
}

#[tokio::test]
async fn whoever_was_told_of_an_undone_version_is_told_to_read_again() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.master, 0).await;
    let mut cursors = Vec::new();
    for reader in scene.readers() {
        let page = scene.events(&reader, None).await;
        cursors.push((reader, page.next.unwrap()));
    }
    scene.pair.let_the_replica_take_over(DONE);
    for (reader, cursor) in &cursors {
        assert_eq!(cursor.id.version, 3);
        assert_eq!(resynced(&scene.events(reader, Some(*cursor)).await), 2, "there is no version 3 any more");
    }
    scene.play_in(&scene.pair.replica, 1).await;
    for (reader, cursor) in &cursors {
        let page = scene.events(reader, Some(*cursor)).await;
        assert_eq!(resynced(&page), 3, "version 3 is another one");
        let page = scene.events(reader, page.next).await;
        assert!(page.items.is_empty() && !page.more, "what is to be read again is not told twice");
    }
    for (present, (reader, cursor)) in (4..).step_by(2).zip(&cursors) {
        scene.play_in(&scene.pair.replica, 0).await;
        let page = scene.events(reader, Some(*cursor)).await;
        assert_eq!(resynced(&page), present);
        scene.play_in(&scene.pair.replica, 0).await;
        let page = scene.events(reader, page.next).await;
        assert_eq!(BTreeSet::from_iter(versions(&page)), BTreeSet::from([present + 1]), "it goes on behind that");
    }
}

#[tokio::test]
async fn whoever_was_told_of_nothing_that_is_undone_goes_on() {
    let scene = Scene::new().await;
    let before = scene.events(&Reader::default(), None).await;
    assert_eq!(before.next.map(|next| next.id.version), Some(2));
    scene.play_in(&scene.pair.master, 0).await;
    scene.pair.let_the_replica_take_over(DONE);
    let page = scene.events(&Reader::default(), before.next).await;
    assert_eq!((page.items.len(), page.next), (0, before.next));
    scene.play_in(&scene.pair.replica, 1).await;
    let page = scene.events(&Reader::default(), before.next).await;
    assert_eq!(BTreeSet::from_iter(versions(&page)), BTreeSet::from([3]));
    assert!(!kinds(&page.items).contains(&"resync".to_owned()));
}

#[tokio::test]
async fn a_cursor_without_a_stamp_is_taken_at_its_word_and_followed_with_one() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.master, 0).await;
    let told = scene.events(&Reader::default(), None).await;
    let bare = told.next.map(|next| EventCursor { stamp: None, ..next });
    let waiting = scene.events(&Reader::default(), bare).await;
    assert_eq!((waiting.items.len(), waiting.next), (0, told.next), "whoever waits from here on is told");
    scene.pair.let_the_replica_take_over(DONE);
    let page = scene.events(&Reader::default(), bare).await;
    assert_eq!((page.items.len(), page.next), (0, bare), "there is no such version yet");
    scene.play_in(&scene.pair.replica, 1).await;
    assert!(scene.events(&Reader::default(), bare).await.items.is_empty());
    assert_eq!(resynced(&scene.events(&Reader::default(), waiting.next).await), 3);
}

#[tokio::test]
async fn a_log_that_is_not_that_of_the_loaded_match_is_not_told_from() {
    for further in [false, true] {
        let scene = Scene::new().await;
        scene.play_in(&scene.pair.master, 0).await;
        if further {
            scene.play_in(&scene.pair.replica, 1).await;
        }
        let wanted = scene.pair.replica.matches.events(&Reader::default(), &scene.id, None, 100).await.unwrap();
        scene.pair.let_the_replica_take_over(AT_A_LOG);
        let page = scene.events(&Reader::default(), None).await;
        assert_eq!((texts(&page.items), page.next), (texts(&wanted.items), wanted.next));
    }
}

#[tokio::test]
async fn a_players_own_events_are_checked_likewise() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.master, 0).await;
    let told = scene.mine(0, NoticeCursor::default()).await;
    assert_eq!(told.next, told.items.last().unwrap().cursor());
    assert!(told.next.stamp.is_some());
    let page = scene.mine(0, told.next).await;
    assert_eq!((page.items.len(), page.next, page.resync), (0, told.next, false));

    scene.pair.let_the_replica_take_over(DONE);
    let before = scene.pair.replica.store.inbox(&scene.players[0].id, 0, 100).await.unwrap().newest;
    assert!(before < told.next.number);
    let page = scene.mine(0, told.next).await;
    assert_eq!((page.resync, page.items.len(), page.more, page.next.number), (true, 0, true, before), "it is gone");
    let page = scene.mine(0, page.next).await;
    assert_eq!((page.resync, page.items.len()), (false, 0));

    // The numbers of both inboxes go on, and name other steps.
    let mut cursor = page.next;
    while cursor.number < told.next.number {
        scene.play_in(&scene.pair.replica, 1).await;
        let page = scene.mine(0, cursor).await;
        assert_eq!((page.resync, page.items.len()), (false, 1));
        cursor = page.next;
    }
    let page = scene.mine(0, told.next).await;
    assert_eq!((page.resync, page.next), (true, cursor));
    assert!(
        !scene.mine(0, NoticeCursor { stamp: None, ..told.next }).await.resync,
        "without a stamp nothing is checked"
    );
}

/// The inbox is still that of before, and the log is that of afterwards.
#[tokio::test]
async fn a_failover_while_an_inbox_is_read_loses_no_notice() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.master, 0).await;
    let told = scene.mine(0, NoticeCursor::default()).await;
    let before = scene.pair.replica.store.inbox(&scene.players[0].id, 0, 100).await.unwrap().newest;
    assert!(0 < before && before < told.next.number);

    scene.pair.let_the_replica_take_over(AT_A_LOG);
    let page = scene.mine(0, told.next).await;
    assert_eq!((page.resync, page.next.number, page.next.stamp.is_some()), (true, before, true));
    scene.play_in(&scene.pair.replica, 1).await;
    let page = scene.mine(0, page.next).await;
    assert_eq!((page.resync, page.items.len(), page.next.number), (false, 1, before + 1));
}

#[tokio::test]
async fn of_a_notice_that_was_dropped_nothing_is_said() {
    let world = World::new();
    let (id, [ann, _]) = world.started(contiguity()).await;
    let mut present = world.store.standing(&id).await.unwrap().unwrap().stamp;
    // More than are kept for certain: old ones are dropped some at a time.
    for version in 2..store::INBOX_KEPT + 40 {
        let commit = Commit {
            id: id.clone(),
            expected: version,
            expected_stamp: Some(std::mem::replace(&mut present, Stamp::from_number(version))),
            stamp: Stamp::from_number(version),
            stored: Vec::new(),
            entry: Vec::new(),
            listing: None,
            listed: None,
            replay: None,
            notify: vec![ann.id.clone()],
            due: sarsen_store::Due::Leave,
            jobs: Vec::new(),
        };
        assert_eq!(world.store.commit(commit).await.unwrap(), Committed::Yes);
    }
    let oldest = world.store.inbox(&ann.id, 0, 1).await.unwrap().notices[0].number;
    assert!(oldest > 2);
    let stamp = Some(Stamp::from_number(1));
    for number in [0, 1, oldest - 1] {
        assert!(
            !world.matches.my_events(&ann.id, NoticeCursor { number, stamp }, 10).await.unwrap().resync,
            "{number}"
        );
    }
    assert!(world.matches.my_events(&ann.id, NoticeCursor { number: oldest, stamp }, 10).await.unwrap().resync);
}

#[tokio::test]
async fn of_a_match_that_was_deleted_there_is_nothing_to_read_again() {
    let world = World::new();
    let (id, [ann, _]) = world.started(contiguity()).await;
    let told = world.matches.my_events(&ann.id, NoticeCursor::default(), 10).await.unwrap();
    assert!(told.next.stamp.is_some());
    let loaded = world.store.load_match(&id, None).await.unwrap().unwrap();
    assert_eq!(world.store.delete_match(&id, loaded.version, loaded.stamp).await.unwrap(), Committed::Yes);
    let page = world.matches.my_events(&ann.id, told.next, 10).await.unwrap();
    assert_eq!((page.resync, page.items.len(), page.next), (false, 0, told.next));
    let other = NoticeCursor { number: told.next.number + 1, ..told.next };
    assert!(world.matches.my_events(&ann.id, other, 10).await.unwrap().resync);
}

#[tokio::test]
async fn a_kept_match_has_the_stamp_that_was_loaded_with_it() {
    let scene = Scene::new().await;
    let stamp = async || scene.matches.read(&Reader::default(), &scene.id).await.unwrap().live.stamp;
    assert_ne!(stamp().await, UNCOMMITTED);
    // The same bytes under another stamp.
    let loaded = scene.pair.master.store.load_match(&scene.id, None).await.unwrap().unwrap();
    let cache = super::super::cache::MatchCache::default();
    let games = Games::standard(GameSettings::default());
    for stamp in [loaded.stamp, Stamp::from_number(7), loaded.stamp] {
        let loaded = LoadedMatch { stamp, ..loaded.clone() };
        assert_eq!(cache.open(&games, &scene.id, &loaded).unwrap().stamp, stamp);
    }
}

/// A server that hung while it was replaced can take a step and tell of it before it hears of that.
#[tokio::test]
async fn a_step_that_is_undone_meanwhile_is_not_answered_again() {
    for another_in_its_place in [false, true] {
        let scene = Scene::new().await;
        let Pair { master, replica, .. } = &**scene.pair;
        let (player, decision, moves) = master.turn(&scene.id, &scene.players).await;
        let once = Idempotency { key: "k".to_owned(), fingerprint: "f".to_owned() };
        let request = || MoveRequest { decision: Some(decision), mv: MoveInput::Notation(moves[0].clone()) };
        let play = || scene.matches.play(&player.id, &scene.id, Some(&once), Ok(request()));
        assert!(!play().await.unwrap().replayed);
        if another_in_its_place {
            scene.play_in(replica, 1).await;
        }
        scene.pair.let_the_replica_take_over(AT_A_LOG);
        let refused = play().await.map(|_| ());
        assert!(matches!(refused, Err(Refused::Store(StoreError::Unavailable(_)))), "{refused:?}");
        // Asked again it is made, or there is no such decision any more.
        match play().await {
            Ok(moved) => assert!(!moved.replayed && !another_in_its_place),
            Err(refused) => assert!(matches!(refused, Refused::OutOfPlay(_) | Refused::Move(_)), "{refused:?}"),
        }
    }
}

#[tokio::test]
async fn a_version_that_is_undone_while_it_is_read_is_no_fault() {
    let scene = Scene::new().await;
    scene.play_in(&scene.pair.master, 0).await;
    let present = scene.matches.read(&Reader::default(), &scene.id).await.unwrap();
    scene.pair.let_the_replica_take_over(AT_A_LOG);
    let refused = scene.matches.history(&Reader::default(), present, 3, false).await.map(|_| ());
    assert!(matches!(refused, Err(Refused::Store(StoreError::Unavailable(_)))), "{refused:?}");
}
