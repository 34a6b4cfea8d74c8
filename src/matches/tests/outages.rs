//! Outages: what they cost, which is nothing, whoever acts first when the service is there again.

use std::time::Duration;

use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use super::bots::{found, reply, thinking};
use super::clocks::{begun, choose, fischer, out_of_time, timed, together, with_fixture};
use super::relay::{Choose, Relay};
use super::*;
use crate::feed::notifier::Notifier;
use crate::model::clock::WantedClock;
use crate::outage_detector::OutageDetector;
use crate::schedule::Looked;
use sarsen_base::ids::InstanceId;
use sarsen_games::bots::Level;
use sarsen_store::{Beat, Live, Presence, Store, StoreError};

/// A store that refuses an operation.
struct Refusing {
    store: Arc<dyn Store>,
    operation: &'static str,
}

impl Choose for Refusing {
    fn choose(&self, operation: &str) -> sarsen_store::Result<Arc<dyn Store>> {
        if operation == self.operation {
            return Err(StoreError::Unavailable("it is away".into()));
        }
        Ok(Arc::clone(&self.store))
    }
}

/// The way in which the service goes away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Away {
    /// A process is told to stop, and another starts.
    Stopped,
    /// A process is killed, and another starts.
    Killed,
    /// The store is away, or what confirms that it keeps a change: no heartbeat is noted.
    NoStore,
}

/// The time at which the seat to act moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Moved {
    /// As soon as it can.
    AtOnce,
    /// A time at which its clock would have run out, had the service been there.
    Late,
    /// Never.
    Never,
}

/// The bank of the seat, in milliseconds.
const BANK: i64 = 12_000;
/// The time for which it has thought when the service goes away, in milliseconds.
const BEFORE: i64 = 3_500;

/// The heartbeat of the instance, with a clock that the test moves.
struct Beating<'a> {
    world: &'a World,
    id: InstanceId,
    /// The time at which it was last noted.
    noted: Timestamp,
    failed: bool,
}

impl<'a> Beating<'a> {
    async fn start(world: &'a World) -> Beating<'a> {
        world.matches.outage_detector().begin();
        let (id, noted) = (InstanceId::generate(&world.ambient), world.ambient.now());
        let mut beating = Beating { world, id, noted, failed: false };
        beating.beat(Presence::Started).await;
        beating
    }

    fn detector(&self) -> &OutageDetector {
        self.world.matches.outage_detector()
    }

    async fn beat(&mut self, presence: Presence) {
        let beat = Beat { id: self.id.clone(), works: true, presence, known: self.detector().newest() };
        self.detector().note(&self.world.ambient, self.world.store.beat(beat).await.unwrap());
        (self.noted, self.failed) = (self.world.ambient.now(), false);
    }

    /// Time passes, with a heartbeat a second.
    async fn pass(&mut self, millis: i64) {
        let end = self.world.ambient.now().0 + millis;
        while self.noted.0 + 1_000 <= end {
            self.world.clock.advance_millis(self.noted.0 + 1_000 - self.world.ambient.now().0);
            self.beat(Presence::Unbroken).await;
        }
        self.world.clock.advance_millis(end - self.world.ambient.now().0);
    }

    /// Nobody is served for so long.
    async fn away(&mut self, how: Away, millis: i64) {
        let now = self.world.ambient.now();
        if how == Away::Stopped {
            self.world.store.leave(&self.id, now).await.unwrap();
        }
        if matches!(how, Away::Stopped | Away::Killed) {
            self.world.clock.advance_millis(millis);
            self.detector().begin();
            return self.beat(Presence::Started).await;
        }
        // It tries once a second at least, and again soon where that fails.
        let end = now.0 + millis;
        let mut next = self.noted.0 + 1_000;
        while next < end {
            self.world.clock.advance_millis(next - self.world.ambient.now().0);
            self.detector().fail();
            self.failed = true;
            next += 200;
        }
        self.world.clock.advance_millis(end - self.world.ambient.now().0);
        if self.failed {
            let silence = (end - self.noted.0).unsigned_abs();
            self.beat(Presence::Resumed(Duration::from_millis(silence))).await;
        }
    }
}

/// Returns the milliseconds that a seat gets back beyond the time for which the service was away.
async fn made_good_beyond(how: Away, away: i64, moved: Moved) -> i64 {
    let world = World::new();
    let clock = WantedClock { initial_seconds: BANK / 1_000, first_move_seconds: Some(None), ..WantedClock::default() };
    let mut beating = Beating::start(&world).await;
    let (id, players) = world.started(NewMatch { move_time_seconds: None, clock: Some(clock), ..short() }).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let began = world.ambient.now();
    beating.pass(BEFORE).await;
    beating.away(how, away).await;
    let on = if moved == Moved::AtOnce { 100 } else { BANK - 200 - BEFORE };
    // Whatever the service looks at meanwhile.
    beating.pass(on / 2).await;
    world.matches.see_to(&id).await.unwrap();
    beating.pass(on - on / 2).await;
    if moved == Moved::Never {
        world.matches.see_to(&id).await.unwrap();
        let live = world.read(&player, &id).await.live;
        assert_eq!(live.stored.stage, Stage::Playing, "{how:?} {away}: its time was not over");
        // What was left, the grace, and what a killed process leaves in doubt.
        beating.pass(4_000).await;
        assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
        let told = world.told_last(&id).await;
        let deadline = Timestamp::from_rfc3339(told[0]["deadline_at"].as_str().unwrap()).unwrap();
        return deadline.0 - began.0 - BANK - away;
    }
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    BEFORE + on - (BANK - world.bank(&id, decision.seat).await)
}

/// Issue 31.1 to 31.3: everybody is charged the time in which the service was there, whatever took it away, for however long,
/// and whoever acts first.
#[tokio::test]
async fn everybody_is_charged_the_time_in_which_the_service_was_there() {
    for how in [Away::Stopped, Away::Killed, Away::NoStore] {
        for away in [500, 2_000, 5_000, 9_000, 20_000] {
            for moved in [Moved::AtOnce, Moved::Late, Moved::Never] {
                let beyond = made_good_beyond(how, away, moved).await;
                let bounds = match how {
                    Away::Stopped => 0..=0,
                    // When it was killed, or the store went away, the last heartbeat tells to the second.
                    Away::Killed => 0..=1_000,
                    Away::NoStore if away > 1_000 => 0..=1_000,
                    // It has met no heartbeat: that is what the grace is for.
                    Away::NoStore => -away..=1_000,
                };
                assert!(bounds.contains(&beyond), "{how:?} for {away} ms, moved {moved:?}: {beyond} ms beyond");
            }
        }
    }
}

/// The outage is made good first, whoever answers and whatever they ask for.
#[tokio::test]
async fn an_outage_is_made_good_before_any_step() {
    for ask in ["draw", "resign", "dry run", "late", "worker"] {
        let world = World::new();
        let (id, players) = begun(&world, fischer()).await;
        let mut beating = Beating::start(&world).await;
        let (player, decision, moves) = world.turn(&id, &players).await;
        beating.pass(5_000).await;
        beating.away(Away::Stopped, if ask == "late" { 320_000 } else { 20_000 }).await;
        let other = by(&players[1 - decision.seat.index()]);
        match ask {
            "draw" => drop(world.matches.offer_draw(&other, &id, None).await.unwrap()),
            "resign" => drop(world.matches.resign(&other, &id, None).await.unwrap()),
            "dry run" => {
                let mv = MoveInput::Notation(moves[0].clone());
                let request = Ok(MoveRequest { decision: Some(decision), mv });
                drop(world.matches.rehearse(&player.id, &id, request).await.unwrap());
            }
            "late" => {
                world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
                assert_eq!(world.bank(&id, decision.seat).await, 300_000, "five seconds, and an increment of five");
            }
            _ => drop(world.matches.see_to(&id).await.unwrap()),
        }
        let viewed = world.read(&player, &id).await;
        let page = world.matches.telling(&viewed.live).page_of_log(0, viewed.live.stored.version).await.unwrap();
        let credits: Vec<&LogEntry> = page
            .iter()
            .filter(|entry| matches!(&entry.cause, Cause::Action(crate::model::log::Action::ClockCredit { .. })))
            .collect();
        assert_eq!(credits.len(), 1, "{ask}");
        assert!(format!("{:?}", credits[0].cause).contains(if ask == "late" { "320000" } else { "20000" }), "{ask}");
    }
}

/// A bot acts in a person's turn too: it declines a draw.
#[tokio::test]
async fn an_outage_is_made_good_before_a_step_of_a_bot() {
    let world = thinking();
    let mut beating = Beating::start(&world).await;
    let (ann, clock) = (world.person("Ann"), WantedClock { first_move_seconds: Some(None), ..fischer() });
    let id = world.made(&ann, NewMatch { bots: vec![(seat(1), Level::Easy)], ..timed(clock) }).await;
    if world.read(&ann, &id).await.live.decision(seat(0)).is_none() {
        let moved = found(&world.matches, &id).await.unwrap();
        assert!(world.matches.act(moved).await.unwrap());
    }
    beating.pass(5_000).await;
    world.matches.offer_draw(&by(&ann), &id, None).await.unwrap();
    let declined = found(&world.matches, &id).await.unwrap();
    beating.away(Away::Stopped, 20_000).await;
    assert!(!world.matches.act(declined).await.unwrap(), "the outage comes first");
    let declined = found(&world.matches, &id).await.unwrap();
    assert!(world.matches.act(declined).await.unwrap());
    reply(&world, &ann, &id).await;
    assert_eq!(world.bank(&id, seat(0)).await, 300_000, "five seconds, and an increment of five");
}

/// Seats that decide at the same time have turns that began at different moments.
#[tokio::test]
async fn each_seat_is_owed_what_lies_in_its_own_turn() {
    let world = with_fixture();
    let mut beating = Beating::start(&world).await;
    let (id, players) = together(&world, 2, WantedClock { first_move_seconds: Some(None), ..fischer() }).await;
    beating.pass(2_000).await;
    beating.away(Away::Stopped, 10_000).await;
    beating.pass(3_000).await;
    choose(&world, &id, &players, 0).await;
    choose(&world, &id, &players, 1).await;
    for number in 0..2 {
        assert_eq!(world.bank(&id, seat(number)).await, 300_000, "five seconds each");
    }
    let outages = world.matches.outage_detector().outages(&world.ambient, None).unwrap();
    let live = world.read(&players[0], &id).await.live;
    assert_eq!(live.outage_credit(&outages, world.ambient.now()).map(|_| ()), None, "once an outage and turn");
    verify_later(&world, &id, &players).await;
}

async fn verify_later(world: &World, id: &MatchId, players: &[Seated]) {
    world.matches.resign(&by(&players[0]), id, None).await.unwrap();
    let games = Games::of(vec![Arc::new(sarsen_games::Erased::new(sarsen_games::fixture::FIXTURE))]);
    let record = world.export(id).await.unwrap();
    verify(&games, &record).unwrap();
    // Nobody is owed more than their turn has lasted.
    let mut other = record;
    let credit = other.steps.iter_mut().find(|step| step.action == ExportAction::ClockCredit).unwrap();
    credit.credit.as_mut().unwrap().milliseconds = 86_400_000;
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Impossible { .. }));
}

/// Issue 31.26: nobody claims for time in which nobody could move.
#[tokio::test]
async fn an_outage_does_not_count_for_a_claim() {
    let world = World::new();
    let mut beating = Beating::start(&world).await;
    let (id, players) = world.started(NewMatch { move_time_seconds: Some(30), ..short() }).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let other = by(&players[1 - decision.seat.index()]);
    beating.pass(5_000).await;
    beating.away(Away::Stopped, 40_000).await;
    let claim = world.matches.claim(&other, &id, Ok(decision.seat), None).await;
    refused!(claim, Refused::Claim(ClaimRefused::TooEarly { retry_after_seconds: Some(25) }));
    let live = world.read(&player, &id).await.live;
    assert_eq!(live.claimable_at(decision.seat), Some(world.ambient.now().plus_seconds(25)), "and it is shown");
    beating.pass(24_900).await;
    let claim = world.matches.claim(&other, &id, Ok(decision.seat), None).await;
    refused!(claim, Refused::Claim(ClaimRefused::TooEarly { .. }));
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    let version = world.read(&player, &id).await.live.stored.version;
    assert_eq!(version, 4, "made, joined, made good once, moved");
    world.play_on(&id, &players, 100).await;
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.format, "sarsen/record/2");
    verify(&standard(), &record).unwrap();
}

/// Issue 31.3, the moments before a start: who would have come has the time that was promised.
#[tokio::test]
async fn an_outage_takes_nothing_of_the_time_before_a_start() {
    let with_start = |world: &World| {
        let table = TableTerms { starts_at: Some(world.ambient.now().plus_seconds(60)), ..TableTerms::default() };
        NewMatch { table, ..short() }
    };
    for how in [Away::Stopped, Away::NoStore] {
        for comes in [true, false] {
            let world = World::new();
            let mut beating = Beating::start(&world).await;
            let (ann, ben) = (world.person("Ann"), world.person("Ben"));
            let ids = [
                world.made(&ann, with_start(&world)).await,
                world.made(&ann, NewMatch { expires_in_seconds: Some(60), start: StartMode::Manual, ..short() }).await,
            ];
            // A table that is full starts when it is to, however long the service was away before that.
            let full = world.made(&ann, with_start(&world)).await;
            world.matches.join(ben.clone(), &full, Joining::default(), None).await.unwrap();
            beating.pass(10_000).await;
            beating.away(how, 30_000).await;
            beating.pass(20_000).await;
            assert_eq!(world.matches.see_to(&full).await.unwrap(), Looked::Acted, "{how:?}");
            assert_eq!(world.read(&ann, &full).await.live.stored.stage, Stage::Playing);
            beating.away(how, 20_000).await;
            beating.pass(9_000).await;
            // 21 seconds are left, and up to a second for each outage of which a heartbeat alone tells when it began.
            for id in &ids {
                let Looked::Waits(Some(at)) = world.matches.see_to(id).await.unwrap() else { panic!("{how:?}") };
                let left = at.0 - world.ambient.now().0;
                assert!((21_000..=23_000).contains(&left), "{how:?}: {left}");
            }
            if comes {
                beating.pass(20_500).await;
                for id in &ids {
                    world.matches.join(ben.clone(), id, Joining::default(), None).await.unwrap();
                }
                assert_eq!(world.matches.see_to(&ids[0]).await.unwrap(), Looked::Acted, "at once");
                world.matches.start(&by(&ann), &ids[1], None).await.unwrap();
            } else {
                beating.pass(24_000).await;
                let late = world.matches.join(ben.clone(), &ids[1], Joining::default(), None).await;
                refused!(late, Refused::Seat(SeatRefused::Expired));
                for id in &ids {
                    assert_eq!(world.matches.see_to(id).await.unwrap(), Looked::Acted);
                }
            }
            for id in &ids {
                let stage = if comes { Stage::Playing } else { Stage::Aborted };
                assert_eq!(world.read(&ann, id).await.live.stored.stage, stage, "{how:?}");
            }
        }
    }
}

/// Ten minutes for a seat of a rematch are ten minutes in which the other could have come.
#[tokio::test]
async fn an_outage_takes_nothing_of_the_time_for_a_rematch() {
    let world = World::new();
    let mut beating = Beating::start(&world).await;
    let (id, [ann, ben]) = world.started(short()).await;
    world.matches.resign(&by(&ann), &id, None).await.unwrap();
    let called = world.matches.rematch(&by(&ann), ann.clone(), &id, uncounted, None).await.unwrap();
    let next = called.viewed.live.stored.id.clone();
    beating.pass(60_000).await;
    beating.away(Away::Stopped, 600_000).await;
    // While nothing is confirmed, nothing is judged.
    beating.detector().fail();
    let looked = world.matches.see_to(&next).await;
    assert!(matches!(looked, Err(Refused::Store(StoreError::Unavailable(_)))), "{looked:?}");
    beating.beat(Presence::Unbroken).await;
    assert!(matches!(world.matches.see_to(&next).await.unwrap(), Looked::Waits(Some(_))));
    beating.pass(539_000).await;
    assert!(matches!(world.matches.see_to(&next).await.unwrap(), Looked::Waits(Some(_))));
    let joined = world.matches.rematch(&by(&ben), ben.clone(), &id, uncounted, None).await.unwrap();
    assert_eq!((&joined.viewed.live.stored.id, joined.viewed.live.stored.stage), (&next, Stage::Playing));
}

/// Issue 31.1: an outage may lie between two heartbeats.
#[tokio::test]
async fn whom_the_store_refuses_tells_of_an_outage_that_no_heartbeat_meets() {
    for operation in ["commit", "load_match"] {
        let world = World::new();
        let clock = WantedClock { initial_seconds: 10, first_move_seconds: Some(None), ..WantedClock::default() };
        let (id, players) = world.started(NewMatch { move_time_seconds: None, clock: Some(clock), ..short() }).await;
        let (player, decision, moves) = world.turn(&id, &players).await;
        let refusing = Relay(Refusing { store: world.store.clone(), operation });
        let matches = world.instance_on(Arc::new(refusing));
        let detector = matches.outage_detector();
        detector.begin();
        let beat = async |presence| {
            let beat = Beat { id: InstanceId::from_number(1), works: true, presence, known: detector.newest() };
            detector.note(&world.ambient, world.store.beat(beat).await.unwrap());
        };
        beat(Presence::Started).await;
        assert!(detector.outages(&world.ambient, None).is_some());
        let mv = MoveRequest { decision: Some(decision), mv: MoveInput::Notation(moves[0].clone()) };
        refused!(matches.play(by(&player), &id, None, Ok(mv)).await, Refused::Store(StoreError::Unavailable(_)));
        assert!(detector.outages(&world.ambient, None).is_none(), "{operation}: nothing is judged by the time");
        assert_eq!(detector.failures(), 1);
        detector.fails_after(0).await;
        beat(Presence::Resumed(Duration::from_millis(700))).await;
        assert!(detector.outages(&world.ambient, None).is_some());
        // And whoever listens to the store hears that its connection is lost.
        let (notifier, (tell, told)) = (Arc::new(Notifier::default()), broadcast::channel(4));
        notifier.tell(Arc::default(), Arc::clone(detector));
        let stop = CancellationToken::new();
        let running = tokio::spawn(notifier.run(told, broadcast::channel(4).0, stop.clone()));
        tell.send(Live::Interrupted).unwrap();
        detector.fails_after(1).await;
        assert!(detector.outages(&world.ambient, None).is_none());
        stop.cancel();
        running.await.unwrap();
    }
}

/// Issue 31.3: nothing is confirmed for 25 seconds, in which a clock runs out.
#[tokio::test]
async fn nothing_is_judged_by_the_time_while_nothing_is_confirmed() {
    let world = World::new();
    let clock = WantedClock { initial_seconds: 10, first_move_seconds: Some(None), ..WantedClock::default() };
    let (id, players) = world.started(NewMatch { move_time_seconds: None, clock: Some(clock), ..short() }).await;
    let mut beating = Beating::start(&world).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    beating.pass(9_600).await;
    beating.beat(Presence::Unbroken).await;
    let unsure = async || {
        let looked = world.matches.see_to(&id).await;
        assert!(matches!(looked, Err(Refused::Store(StoreError::Unavailable(_)))), "{looked:?}");
    };
    // The last heartbeat is young enough, but no one has shown that the service was there to the end.
    world.clock.advance_millis(1_450);
    assert!(matches!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(_)));
    world.clock.advance_millis(950);
    unsure().await;
    world.clock.advance_millis(25_000);
    unsure().await;
    let silence = (world.ambient.now().0 - beating.noted.0).unsigned_abs();
    beating.beat(Presence::Resumed(Duration::from_millis(silence))).await;
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(world.bank(&id, decision.seat).await, 400, "9.6 seconds up to the last heartbeat");

    let (player, decision, moves) = world.turn(&id, &players).await;
    beating.pass(13_000).await;
    out_of_time(world.play(&player, &id, Some(decision), &moves[0], None).await);
}
