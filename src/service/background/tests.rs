//! Work without a request, on the embedded store and with a clock that the tests move.

use std::collections::BTreeMap;

use super::due::Looking;
use super::thinking::Claiming;
use super::*;
use crate::account_deletion::{AccountDeletion, AccountDeletionParts};
use crate::notifications::silent;
use crate::tests::{NOW as START, TestWorld};
use sarsen_accounts::auth::ProgramScope;
use sarsen_accounts::programs::{ProgramTokens, TokenTerms};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::idempotency::Idempotency;
use sarsen_matches::model::clock::WantedClock;
use sarsen_matches::model::retention::Retention;
use sarsen_matches::model::table_terms::TableTerms;
use sarsen_matches::model::terms::{Seated, Visibility};
use sarsen_matches::rated_result::{RatedResult, RatedSeat, RatingJob};
use sarsen_matches::seats::Joining;
use sarsen_matches::{NewMatch, Reader, Stage};
use sarsen_rules::SeatCount;
use sarsen_store::{Commit, Due, DueMatch, ItemKind, ItemOwner, Job, JobKind, QueueSize, ReplayKey, Stamp, Work};

const WEEK: u32 = 7 * 24 * 60 * 60;

struct World {
    shared: Arc<Foundation>,
    stand: TestWorld,
}

impl std::ops::Deref for World {
    type Target = TestWorld;
    fn deref(&self) -> &TestWorld {
        &self.stand
    }
}

impl World {
    fn new(retention: Retention) -> World {
        let stand = TestWorld::retaining(retention);
        let store = &stand.store;
        let foundation = Foundation {
            matches: stand.matches.clone(),
            due: store.clone(),
            jobs: store.clone(),
            ratings: stand.ratings.clone(),
            inventory: store.clone(),
            guests: None,
            pools: None,
            notifications: Arc::new(silent(store, &stand.ambient)),
            ambient: stand.ambient.clone(),
            failures: Arc::default(),
        };
        World { shared: Arc::new(foundation), stand }
    }

    fn plain() -> World {
        World::new(Retention::default())
    }

    fn looking(&self) -> Looking {
        Looking::new(self.shared.clone(), Claiming::new(self.shared.clone()).0)
    }

    fn person(&self, name: &str) -> Seated {
        Seated::person(PlayerId::generate(&self.shared.ambient), name.to_owned())
    }

    async fn made(&self, visibility: Visibility, expires_in_seconds: Option<u32>) -> MatchId {
        let new = Ok(new(visibility, expires_in_seconds));
        let made = self.shared.matches.create(self.person("Ann"), new, None).await.unwrap();
        made.viewed.live.stored.id.clone()
    }

    async fn stage(&self, id: &MatchId) -> Option<Stage> {
        let viewed = self.shared.matches.read(&Reader::default(), id).await.ok()?;
        Some(viewed.live.stored.stage)
    }

    async fn due(&self) -> QueueSize {
        self.store.backlog().await.unwrap().due
    }

    /// Moves an entry to where it is looked at now.
    async fn make_due(&self, id: &MatchId) {
        let at = self.due().await.oldest.unwrap();
        let entry = DueMatch { id: id.clone(), at };
        assert!(self.store.move_due(&entry, Some(Timestamp(START))).await.unwrap());
    }
}

fn new(visibility: Visibility, expires_in_seconds: Option<u32>) -> NewMatch {
    NewMatch { visibility: Some(visibility), expires_in_seconds, ..NewMatch::of("contiguity") }
}

fn seconds_later(seconds: u32) -> Option<Timestamp> {
    Some(Timestamp(START).plus_seconds(seconds))
}

#[tokio::test]
async fn a_match_that_nobody_joins_is_called_off_and_deleted_in_the_end() {
    let world = World::plain();
    let (public, brief) = (world.made(Visibility::Public, None).await, world.made(Visibility::Public, Some(60)).await);
    assert_eq!(world.due().await, QueueSize { length: 2, oldest: seconds_later(60) });
    let looking = world.looking();
    world.clock.advance_seconds(59);
    looking.look().await.unwrap();
    assert_eq!(world.stage(&brief).await, Some(Stage::Open));
    world.clock.advance_seconds(1);
    looking.look().await.unwrap();
    assert_eq!((world.stage(&brief).await, world.stage(&public).await), (Some(Stage::Aborted), Some(Stage::Open)));
    assert_eq!(world.store.log(&brief, 0, 10).await.unwrap().len(), 2);
    // It is kept for a week.
    world.clock.advance_seconds(WEEK - 60);
    looking.look().await.unwrap();
    assert_eq!((world.stage(&brief).await, world.stage(&public).await), (Some(Stage::Aborted), Some(Stage::Aborted)));
    world.clock.advance_seconds(60);
    looking.look().await.unwrap();
    assert_eq!((world.stage(&brief).await, world.stage(&public).await), (None, Some(Stage::Aborted)));
    world.clock.advance_seconds(WEEK);
    looking.look().await.unwrap();
    assert_eq!((world.stage(&public).await, world.due().await), (None, QueueSize::default()));
}

#[tokio::test]
async fn nothing_is_decided_from_the_index() {
    let world = World::plain();
    let id = world.made(Visibility::Public, None).await;
    world.make_due(&id).await;
    world.looking().look().await.unwrap();
    assert_eq!(world.stage(&id).await, Some(Stage::Open));
    assert_eq!(world.due().await, QueueSize { length: 1, oldest: seconds_later(WEEK) });
    // A match that is no more.
    world.store.note_due(&[DueMatch { id: MatchId::from_number(1), at: Timestamp(START) }]).await.unwrap();
    world.looking().look().await.unwrap();
    assert_eq!(world.due().await.length, 1);
}

#[tokio::test]
async fn a_match_that_keeps_failing_is_put_off_and_holds_up_no_other() {
    let world = World::plain();
    let (poison, other) = (MatchId::generate(&world.shared.ambient), world.made(Visibility::Public, Some(60)).await);
    let unreadable = Commit {
        id: poison.clone(),
        expected: 0,
        expected_stamp: None,
        stamp: Stamp::from_number(1),
        stored: b"unreadable".to_vec(),
        entry: Vec::new(),
        listing: None,
        listed: None,
        replay: None,
        notify: Vec::new(),
        due: Due::At(Timestamp(START)),
        jobs: Vec::new(),
    };
    world.store.commit(unreadable).await.unwrap();
    world.clock.advance_seconds(60);
    let looking = world.looking();
    for _ in 0..4 {
        looking.look().await.unwrap();
        assert_eq!(world.due().await.oldest, Some(Timestamp(START)));
    }
    assert_eq!(world.stage(&other).await, Some(Stage::Aborted));
    looking.look().await.unwrap();
    assert_eq!(world.due().await.oldest, seconds_later(660));
    assert_eq!(world.shared.failures.all(), BTreeMap::from([("due".to_owned(), 5)]));
    looking.look().await.unwrap();
    assert_eq!(world.shared.failures.all()["due"], 5);
    assert_eq!(world.store.load_match(&poison, None).await.unwrap().unwrap().version, 1);
}

#[tokio::test]
async fn what_this_instance_makes_due_within_moments_is_not_left_to_the_next_look() {
    let mut world = World::plain();
    let matches = world.shared.matches.clone();
    let mut soon = world.stand.soon.take().unwrap();
    let new = NewMatch { seats: SeatCount::new(3), ..new(Visibility::Public, Some(60)) };
    let new = NewMatch { game: "absolution".to_owned(), ..new };
    let made = matches.create(world.person("Ann"), Ok(new), None).await.unwrap();
    let id = made.viewed.live.stored.id.clone();
    world.clock.advance_seconds(59);
    matches.join(world.person("Ben"), &id, Joining::default(), None).await.unwrap();
    // Of the creation, a minute before, nothing is told.
    let told = tokio::time::timeout(Duration::from_secs(10), soon.next()).await.unwrap();
    assert_eq!(told, Some(DueMatch { id: id.clone(), at: Timestamp(START).plus_seconds(60) }));

    let retiring = CancellationToken::new();
    let looking = Arc::new(world.looking());
    let looks = tokio::spawn(until(retiring.clone(), super::due::look_soon(looking, soon)));
    let leave = Reader::player(made.viewed.live.stored.creator.as_ref().unwrap().id.clone());
    matches.leave(&leave, &id, None).await.unwrap();
    world.clock.advance_seconds(1);
    until_true(async || world.stage(&id).await == Some(Stage::Aborted)).await;
    retiring.cancel();
    looks.await.unwrap();
}

const DAY: u32 = 24 * 60 * 60;

#[tokio::test]
async fn a_finished_match_is_archived_read_as_before_and_deleted_in_its_time() {
    let retention = Retention { archive_after_days: Some(7), ..Retention::default() };
    for expire_finished_days in [Some(30), None, Some(7), Some(5)] {
        let world = World::new(Retention { expire_finished_days, ..retention });
        let (ann, ben) = (world.person("Ann"), world.person("Ben"));
        let matches = &world.shared.matches;
        let new = new(Visibility::Public, None);
        let id = matches.create(ann.clone(), Ok(new), None).await.unwrap().viewed.live.stored.id.clone();
        matches.join(ben, &id, Joining::default(), None).await.unwrap();
        let once = Idempotency { key: "k".to_owned(), fingerprint: "f".to_owned() };
        let reader = Reader::player(ann.id.clone());
        matches.resign(&reader, &id, Some(&once)).await.unwrap();
        let read = async || {
            let viewed = matches.read(&Reader::default(), &id).await.unwrap();
            let (record, _) = matches.export(viewed).await.unwrap();
            let events = matches.events(&reader, &id, None, 100).await.unwrap();
            let events: Vec<String> = events.items.iter().map(|told| told.event.get().to_owned()).collect();
            let present = matches.read(&reader, &id).await.unwrap();
            let then = matches.history(&reader, present, 2, false).await.unwrap();
            (record, events, then.live.duplicate().encode().unwrap())
        };
        let before = read().await;
        let delete_at = expire_finished_days.and_then(|days| seconds_later(days * DAY));
        let next = [delete_at, seconds_later(7 * DAY)].into_iter().flatten().min();
        assert_eq!(world.due().await, QueueSize { length: 1, oldest: next });
        world.clock.advance_seconds(7 * DAY - 1);
        let looking = world.looking();
        looking.look().await.unwrap();
        assert!(!world.store.is_archived(&id).await.unwrap());
        world.clock.advance_seconds(1);
        looking.look().await.unwrap();
        if expire_finished_days.is_some_and(|days| days <= 7) {
            assert_eq!((world.stage(&id).await, world.due().await), (None, QueueSize::default()));
            continue;
        }
        assert!(world.store.is_archived(&id).await.unwrap());
        assert_eq!(read().await, before);
        let key = ReplayKey { player: ann.id, key: "k".to_owned() };
        assert_eq!(world.store.load_match(&id, Some(&key)).await.unwrap().unwrap().replay, None);
        // A backfill does not lead here again, and where something else does, nothing is done twice.
        assert_eq!(matches.due_at(&id).await.unwrap(), delete_at);
        let at = Timestamp(1);
        world.store.note_due(&[DueMatch { id: id.clone(), at }]).await.unwrap();
        looking.look().await.unwrap();
        let left = usize::from(delete_at.is_some()) as u64;
        assert_eq!(world.due().await, QueueSize { length: left, oldest: delete_at });
        world.clock.advance_seconds(23 * DAY);
        looking.look().await.unwrap();
        assert_eq!(world.stage(&id).await.is_none(), delete_at.is_some());
        assert_eq!(world.store.is_archived(&id).await.unwrap(), delete_at.is_none());
    }
}

/// Waits until it is so.
async fn until_true(mut ask: impl AsyncFnMut() -> bool) {
    for _ in 0..2000 {
        if ask().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it is not so after ten seconds");
}

#[tokio::test]
async fn a_guest_leaves_once_they_were_idle_from_one_look_to_another() {
    const DAY: u32 = 24 * 60 * 60;
    let world = World::plain();
    let (store, ambient, known) = (world.store.clone(), world.shared.ambient.clone(), world.known.clone());
    let players = world.players().with_statuses(known.clone());
    let programs = Arc::new(ProgramTokens::new(store.clone(), players.clone(), ambient.clone()));
    let matches = world.shared.matches.clone();
    let deletion = AccountDeletion::new(AccountDeletionParts {
        store: store.clone(),
        known: known.clone(),
        matches,
        players: players.clone(),
        ratings: world.shared.ratings.clone(),
        notifications: None,
        ambient: ambient.clone(),
        request_timeout: Duration::from_secs(30),
    });
    let guests = GuestExpiry { days: 180, players, programs, deletion: Arc::new(deletion) };

    let guest = async || guests.players.create_guest("Ann".parse().unwrap(), None).await.unwrap().player.id;
    let [idle, back, seated, programmer, owner, told] =
        [guest().await, guest().await, guest().await, guest().await, guest().await, guest().await];
    let [linked, pushed, live, host, rival] =
        [guest().await, guest().await, guest().await, guest().await, guest().await];
    for (of, kind) in [(&told, ItemKind::Webhook), (&linked, ItemKind::Identity), (&pushed, ItemKind::PushSubscription)]
    {
        let owner = ItemOwner::Player(of.clone());
        store.replace_item(&owner, kind, "item", None, Some(b"{}".to_vec()), 1).await.unwrap();
    }
    let plays = |player: &PlayerId| Seated::person(player.clone(), "Ann".to_owned());
    let running = world.shared.matches.create(plays(&host), Ok(new(Visibility::Public, None)), None).await.unwrap();
    let running = running.viewed.live.stored.id.clone();
    world.shared.matches.join(plays(&rival), &running, Joining::default(), None).await.unwrap();
    assert_eq!(world.stage(&running).await, Some(Stage::Playing));
    let sits = Seated::person(seated.clone(), "Ann".to_owned());
    world.shared.matches.create(sits, Ok(new(Visibility::Private, None)), None).await.unwrap();
    let terms =
        TokenTerms { name: "trainer".to_owned(), scopes: vec![ProgramScope::Read], expires_in_seconds: 365 * DAY };
    guests.programs.make(&programmer, terms).await.unwrap();
    guests.programs.make_bot(&owner, "Engine".parse().unwrap()).await.unwrap();
    let swept = async || guests::sweep(&world.shared, &guests).await.unwrap();

    world.clock.advance_seconds(60 * DAY);
    assert_eq!(swept().await, 0);
    world.clock.advance_seconds(121 * DAY);
    assert_eq!(swept().await, 0, "nobody leaves at the first look");
    // Somebody comes back, as by a recovery key.
    let owned = ItemOwner::Player(back.clone());
    store.replace_item(&owned, ItemKind::Recovery, "key", None, Some(b"{}".to_vec()), 1).await.unwrap();
    world.clock.advance_seconds(119 * DAY);
    // Another is signed in anew, and looks in no more.
    let (code, _) = guests.players.make_pairing_code(&live, 60).await.unwrap();
    guests.players.pair(&code, None, None).await.unwrap();
    world.clock.advance_seconds(60 * DAY);
    assert_eq!(swept().await, 0);
    world.clock.advance_seconds(DAY);
    assert_eq!(swept().await, 1);
    assert!(known.is_gone(&idle));
    let kept = [back, seated, programmer, owner, told, linked, pushed, live, host, rival];
    assert!(!kept.iter().any(|player| known.is_gone(player)));
    assert!(guests.players.begins_sweep().await.unwrap() && !guests.players.begins_sweep().await.unwrap());
}

#[tokio::test]
async fn as_an_exclusive_match_starts_the_others_that_its_players_wait_at_are_called_off() {
    let world = World::plain();
    let matches = &world.shared.matches;
    let (ann, ben, host) = (world.person("Ann"), world.person("Ben"), world.person("Host"));
    let live = || {
        let clock = WantedClock { initial_seconds: 300, increment_seconds: 5, ..WantedClock::default() };
        NewMatch { clock: Some(clock), ..new(Visibility::Public, None) }
    };
    let made = async |by: &Seated, new: NewMatch| {
        let made = matches.create(by.clone(), Ok(new), None).await.unwrap();
        made.viewed.live.stored.id.clone()
    };
    let starts = made(&ann, live()).await;
    let goes = [made(&ann, live()).await, made(&ben, live()).await];
    let stays = [
        made(&ann, NewMatch { exclusive: Some(false), ..live() }).await,
        made(&ann, new(Visibility::Public, None)).await,
        made(&host, live()).await,
        // One that is made for others waits for nobody's time.
        made(&ann, NewMatch { seat: None, ..live() }).await,
        made(&ann, NewMatch { table: TableTerms { starts_at: seconds_later(900), ..TableTerms::default() }, ..live() })
            .await,
    ];
    let jobs = async || world.store.jobs(JobKind::CallOff).await.unwrap().length;
    world.clock.advance_seconds(5);
    matches.join(ben.clone(), &stays[1], Joining::default(), None).await.unwrap();
    assert_eq!(jobs().await, 0, "one without a live clock calls nothing off");
    matches.join(ben.clone(), &starts, Joining::default(), None).await.unwrap();
    assert_eq!(jobs().await, 1);
    world.clock.advance_seconds(5);
    let later = made(&ann, live()).await;
    let job = world.store.due_jobs(JobKind::CallOff, 1).await.unwrap().remove(0);
    assert_eq!(super::jobs::look(&world.shared).await.unwrap(), 1);
    assert_eq!(jobs().await, 0);
    // Once more, as after a lease that was lost.
    matches.call_off_others(&job).await.unwrap();
    for id in &goes {
        assert_eq!(world.stage(id).await, Some(Stage::Aborted));
        let told = matches.events(&Reader::default(), id, None, 100).await.unwrap();
        assert!(told.items.last().unwrap().event.get().contains("\"started_elsewhere\""));
    }
    for id in stays.iter().filter(|id| **id != stays[1]).chain([&later]) {
        assert_eq!(world.stage(id).await, Some(Stage::Open), "{id}");
    }
    assert_eq!(world.stage(&starts).await, Some(Stage::Playing));
}

#[tokio::test]
async fn a_board_is_swept_at_each_midnight_until_nobody_is_left() {
    const DAY_MILLIS: i64 = 86_400_000;
    let world = World::plain();
    let (jobs, ratings, category) = (&world.store, &world.shared.ratings, "contiguity.2.live");
    let seat = |number: u128, rank| RatedSeat { player: PlayerId::from_number(number), rank, counts: true };
    for number in 0..40_i64 {
        let result = RatedResult {
            match_id: MatchId::from_number(number as u128),
            version: 9,
            category: category.to_owned(),
            at: Timestamp(START - (39 - number) * DAY_MILLIS),
            seats: vec![seat(1, 1 + (number % 2) as u8), seat(2, 2 - (number % 2) as u8)],
            private: false,
        };
        if number < 39 {
            assert!(ratings.rate(&result).await.unwrap());
        } else {
            let body = RatingJob::Match(result).to_body().unwrap();
            let job = Job { kind: JobKind::Rate, id: "last".to_owned(), at: Timestamp(START), body };
            jobs.order_jobs(&[job]).await.unwrap();
        }
    }
    let on_board = async || jobs.board_count(category, i64::MAX).await.unwrap();
    let sweeps = async || jobs.waiting_jobs(JobKind::Rate).await.unwrap().into_iter().map(|job| (job.id, job.at));
    let look = async || super::jobs::look(&world.shared).await.unwrap();
    assert_eq!((look().await, on_board().await), (1, 2));
    let mut midnight = (START / DAY_MILLIS + 1) * DAY_MILLIS;
    let sweep = |at| [(format!("sweep:{category}"), Timestamp(at))];
    assert_eq!(sweeps().await.collect::<Vec<_>>(), sweep(midnight), "at the next midnight UTC");
    // Day by day, of whom nobody has played for 90 at the last.
    world.clock.advance_millis(midnight - 1 - START);
    assert_eq!(look().await, 0);
    world.clock.advance_millis(1);
    while on_board().await == 2 && midnight < START + 100 * DAY_MILLIS {
        assert_eq!(look().await, 1);
        midnight += DAY_MILLIS;
        if on_board().await == 2 {
            assert_eq!(sweeps().await.collect::<Vec<_>>(), sweep(midnight));
            world.clock.advance_millis(DAY_MILLIS);
        }
    }
    assert_eq!((on_board().await, sweeps().await.count()), (0, 0));
    assert_eq!(midnight, (START / DAY_MILLIS + 92) * DAY_MILLIS);
}
