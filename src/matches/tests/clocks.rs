//! Clocks in a match: what runs, what runs out, and what the record can show of it.

use super::bots::{bots, found, thinkers};
use super::*;
use crate::export::verify_bots;
use crate::model::clock::{CLOCK_GRACE_MILLIS, GIFTS_MAX, OnTimeout, TimeoutConsequence, WantedClock};
use crate::model::refused::ClockRefused;
use crate::schedule::Looked;
use crate::timing::TimeGiven;
use sarsen_games::Erased;
use sarsen_games::bots::Level;
use sarsen_games::fixture::FIXTURE;

/// Five minutes, five seconds a turn, and thirty seconds for the first.
pub(super) fn fischer() -> WantedClock {
    WantedClock { initial_seconds: 300, increment_seconds: 5, ..WantedClock::default() }
}

pub(super) fn timed(clock: WantedClock) -> NewMatch {
    NewMatch { move_time_seconds: None, clock: Some(clock), ..short() }
}

/// A match of two in which both have taken their first turn, after three seconds each.
pub(super) async fn begun(world: &World, clock: WantedClock) -> (MatchId, [Seated; 2]) {
    let (id, players) = world.started(timed(clock)).await;
    world.play_on(&id, &players, 2).await;
    (id, players)
}

impl World {
    pub(super) async fn bank(&self, id: &MatchId, seat: Seat) -> i64 {
        self.matches.read(&Reader::default(), id).await.unwrap().live.clock(seat).unwrap().bank_milliseconds()
    }

    pub(super) async fn deadline(&self, id: &MatchId, seat: Seat) -> Option<Timestamp> {
        self.matches.read(&Reader::default(), id).await.unwrap().live.deadline(seat)
    }

    pub(super) async fn told_last(&self, id: &MatchId) -> Vec<Value> {
        let viewed = self.matches.read(&Reader::default(), id).await.unwrap();
        let version = viewed.live.stored.version;
        let page = self.matches.telling(&viewed.live).page_of_log(version - 1, version).await.unwrap();
        let told = crate::feed::redacted::tell(&*viewed.live.game, &page[0], Viewer::Spectator).unwrap();
        told.iter().map(|told| serde_json::from_str(told.event.get()).unwrap()).collect()
    }

    fn seconds_from_now(&self, seconds: u32) -> Option<Timestamp> {
        Some(self.ambient.now().plus_seconds(seconds))
    }
}

/// The version at which a move is out of time.
pub(super) fn out_of_time(answered: Result<Moved, Refused>) -> u64 {
    match answered {
        Err(Refused::Move(MoveRefused::OutOfTime(version))) => version,
        Err(other) => panic!("refused otherwise: {other:?}"),
        Ok(_) => panic!("it was in time"),
    }
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_turn_is_charged_and_told_and_the_record_shows_every_bank() {
    let world = World::new();
    let (id, players) = begun(&world, WantedClock { delay_seconds: 2, ..fischer() }).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let own = decision.seat;
    assert_eq!((world.bank(&id, own).await, world.deadline(&id, own).await), (300_000, world.seconds_from_now(302)));
    world.clock.advance_seconds(12);
    let moved = world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    let event: Value = serde_json::from_str(moved.events[0].event.get()).unwrap();
    assert_eq!((&event["used_milliseconds"], &event["bank_milliseconds"]), (&json!(12_000), &json!(295_000)));
    assert_eq!((world.bank(&id, own).await, world.deadline(&id, own).await), (295_000, None));
    // Whoever follows the events alone knows when the time of the next is over.
    let next = seat(1 - own.number());
    let deadline = world.deadline(&id, next).await.unwrap();
    assert_eq!(moved.events.last().unwrap().deadlines, Some(vec![(next, deadline)]));
    assert!(moved.events.iter().all(|told| told.last == told.deadlines.is_some()));
    world.play_on(&id, &players, 100).await;
    let record = world.export(&id).await.unwrap();
    assert_eq!(record.format, "sarsen/record/2");
    let games = Games::standard(GameSettings::default());
    let record: MatchExport = serde_json::from_str(&serde_json::to_string(&record).unwrap()).unwrap();
    verify(&games, &record).unwrap();

    // What is left of one's time cannot be made up, nor a move that came too late.
    let mv = record.steps.iter().rposition(|step| step.action == ExportAction::Move).unwrap();
    let mut other = record.clone();
    let mut event = other.steps[mv].events[0].value();
    event["bank_milliseconds"] = json!(event["bank_milliseconds"].as_i64().unwrap() + 1);
    other.steps[mv].events[0] = event.into();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Events { .. }));
    let mut other = record.clone();
    other.steps[mv].at = world.ambient.now().plus_seconds(100_000).rfc3339();
    let late = verify(&games, &other).unwrap_err();
    assert!(matches!(late, Discrepancy::Impossible { source: Refused::Move(MoveRefused::OutOfTime(_)), .. }), "{late}");
    let mut other = record.clone();
    other.steps[mv].at = other.steps[1].at.clone();
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Step { .. }), "times never fall");
    let mut other = record.clone();
    other.clock.as_mut().unwrap().increment_seconds = 6;
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Events { .. }));
    let mut other = record;
    other.clock.as_mut().unwrap().delay_seconds = 2_592_001;
    assert!(matches!(verify(&games, &other).unwrap_err(), Discrepancy::Terms(_)));
}

#[tokio::test]
async fn a_move_within_the_grace_counts_and_a_later_one_is_out_of_time_for_good() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.clock.advance_seconds(301);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(world.bank(&id, decision.seat).await, 5_000);

    let (player, decision, moves) = world.turn(&id, &players).await;
    world.clock.advance_seconds(302);
    let late = world.play(&player, &id, Some(decision), &moves[0], None).await;
    let viewed = world.read(&player, &id).await;
    let version = viewed.live.stored.version;
    assert_eq!(out_of_time(late), version);
    let (ending, standings) = summary(outcome(&viewed));
    assert_eq!((ending.as_str(), standings[decision.seat.index()].1), ("timeout", Verdict::Lost));
    let told = world.told_last(&id).await;
    assert_eq!(types(&told), ["clock_expired", "match_ended"]);
    assert_eq!((&told[0]["seat"], &told[0]["consequence"]), (&json!(decision.seat), &json!("forfeit")));
    // However often it is asked, also at an instance that knows nothing yet.
    let again = world.play(&player, &id, Some(decision), &moves[0], None).await;
    assert_eq!(out_of_time(again), version);
    let mv = MoveInput::Notation(moves[0].clone());
    let request = Ok(MoveRequest { decision: Some(decision), mv });
    out_of_time(world.another().play(&player.id, &id, None, request).await);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(None));
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

#[tokio::test]
async fn of_a_move_and_its_timeout_one_comes_first_and_stands() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    // The service acts two seconds behind the deadline, and not before.
    world.clock.advance_seconds(301);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(world.seconds_from_now(1)));
    // The move first.
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    world.clock.advance_seconds(1);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(world.seconds_from_now(301)));
    // The timeout first, seen by two.
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.clock.advance_seconds(301);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    assert_eq!(world.another().see_to(&id).await.unwrap(), Looked::Waits(None));
    out_of_time(world.play(&player, &id, Some(decision), &moves[0], None).await);
    let log = world.store.log(&id, 0, 100).await.unwrap();
    let timeouts = log.iter().filter(|entry| String::from_utf8_lossy(entry).contains("timeout")).count();
    assert_eq!(timeouts, 1);
}

#[tokio::test]
async fn whoever_lets_the_first_turn_pass_has_the_match_called_off() {
    let world = World::new();
    let (id, players) = world.started(timed(fischer())).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.clock.advance_seconds(31);
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    assert_eq!(world.bank(&id, decision.seat).await, 300_000, "the first turn costs nothing, and gains nothing");
    let (player, decision, moves) = world.turn(&id, &players).await;
    world.clock.advance_seconds(32);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    let viewed = world.read(&player, &id).await;
    assert_eq!((viewed.live.stored.stage, viewed.live.stored.outcome.as_ref()), (Stage::Aborted, None));
    assert!(viewed.live.revealed_seed().is_some());
    let told = world.told_last(&id).await;
    assert_eq!(types(&told), ["clock_expired", "match_aborted"]);
    assert_eq!(told[1], json!({"type": "match_aborted", "reason": "no_start", "seat": decision.seat}));
    out_of_time(world.play(&player, &id, Some(decision), &moves[0], None).await);
    refused!(world.export(&id).await, Refused::Read(ReadRefused::NotOver));
}

#[tokio::test]
async fn absent_moves_are_made_until_too_many_turns_in_a_row_have_passed() {
    let world = World::new();
    let absent = WantedClock { on_timeout: Some(OnTimeout::AbsentMove), timeouts_allowed: Some(1), ..fischer() };
    let (id, players) = begun(&world, absent).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let own = decision.seat;
    world.clock.advance_seconds(302);
    out_of_time(world.play(&player, &id, Some(decision), &moves[0], None).await);
    let told = world.told_last(&id).await;
    assert_eq!(told[0]["consequence"], "absent_move");
    assert_eq!((&told[1]["seat"], &told[1]["used_milliseconds"]), (&json!(own), &Value::Null));
    let live = world.read(&player, &id).await.live;
    assert_eq!((live.clock(own).unwrap().timeouts(), world.bank(&id, own).await), (1, 5_000));
    assert!(live.decision(own).is_none(), "its turn is over");

    // A turn in time, and it counts from nothing again; the next is let pass, and the one after that is one too many.
    world.play_on(&id, &players, 2).await;
    assert_eq!(world.read(&player, &id).await.live.clock(own).unwrap().timeouts(), 0);
    for (timeouts, stage) in [(1, Stage::Playing), (1, Stage::Finished)] {
        world.play_on(&id, &players, 1).await;
        world.clock.advance_seconds(400);
        assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
        let live = world.read(&player, &id).await.live;
        assert_eq!((live.clock(own).unwrap().timeouts(), live.stored.stage), (timeouts, stage));
    }
    let viewed = world.read(&player, &id).await;
    assert_eq!(summary(outcome(&viewed)).0, "timeout");
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

/// A match of the fixture, in which all decide at the same time, with its players by seat.
pub(super) async fn together(world: &World, seats: u8, clock: WantedClock) -> (MatchId, Vec<Seated>) {
    let ann = world.person("Ann");
    let new = NewMatch {
        game: "fixture".to_owned(),
        options: json!({"rounds": 3}),
        seats: SeatCount::new(seats),
        move_time_seconds: None,
        clock: Some(clock),
        ..contiguity()
    };
    let id = world.made(&ann, new).await;
    let mut players = vec![ann];
    for _ in 1..seats {
        players.push(world.person("Ben"));
        world.matches.join(players.last().unwrap().clone(), &id, Joining::default(), None).await.unwrap();
    }
    (id, players)
}

pub(super) fn with_fixture() -> World {
    World::with(Games::of(vec![Arc::new(Erased::new(FIXTURE))]))
}

/// The seat plays its first card.
pub(super) async fn choose(world: &World, id: &MatchId, players: &[Seated], number: u8) {
    let player = &players[usize::from(number)];
    let live = world.read(player, id).await.live;
    let moves = legal(&live, seat(number));
    let decision = DecisionId { version: live.decision(seat(number)).unwrap().version, seat: seat(number) };
    world.play(player, id, Some(decision), &moves[0], None).await.unwrap();
}

#[tokio::test]
async fn seats_that_decide_at_the_same_time_have_a_turn_each() {
    let world = with_fixture();
    let (id, players) = together(&world, 2, WantedClock { delay_seconds: 2, ..fischer() }).await;
    choose(&world, &id, &players, 0).await;
    choose(&world, &id, &players, 1).await;
    let start = world.ambient.now();
    world.clock.advance_seconds(4);
    choose(&world, &id, &players, 0).await;
    // A signal needs no turn and costs nothing.
    world.play(&players[1], &id, None, "signal high", None).await.unwrap();
    assert_eq!(world.deadline(&id, seat(1)).await, Some(start.plus_seconds(302)));
    world.clock.advance_seconds(16);
    choose(&world, &id, &players, 1).await;
    assert_eq!((world.bank(&id, seat(0)).await, world.bank(&id, seat(1)).await), (303_000, 287_000));
    // Both decide again, from now on.
    for (number, bank) in [(0, 303), (1, 287)] {
        assert_eq!(world.deadline(&id, seat(number)).await, world.seconds_from_now(2 + bank));
    }
}

#[tokio::test]
async fn of_several_that_are_due_the_earliest_comes_first_and_then_the_lowest_seat() {
    let world = with_fixture();
    let (id, players) = together(&world, 3, WantedClock { timeouts_allowed: Some(5), ..fischer() }).await;
    for number in 0..3 {
        choose(&world, &id, &players, number).await;
    }
    // Seat 2 has a second less than the others in the last round.
    world.clock.advance_seconds(10);
    choose(&world, &id, &players, 1).await;
    choose(&world, &id, &players, 0).await;
    world.clock.advance_seconds(1);
    choose(&world, &id, &players, 2).await;
    world.clock.advance_seconds(1_000);
    let before = world.read(&players[0], &id).await.live.stored.version;
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    let log = world.store.log(&id, before, 10).await.unwrap();
    let logged: Vec<String> = log.iter().map(|entry| String::from_utf8_lossy(entry).into_owned()).collect();
    let seats: Vec<char> = logged
        .iter()
        .map(|entry| entry.split("\"timeout\":{\"seat\":").nth(1).unwrap().chars().next().unwrap())
        .collect();
    assert_eq!(seats, ['2', '0', '1'], "one commit each: {logged:?}");
    let live = world.read(&players[0], &id).await.live;
    assert_eq!(live.stored.stage, Stage::Finished, "that was the last round");
    verify(&Games::of(vec![Arc::new(Erased::new(FIXTURE))]), &world.export(&id).await.unwrap()).unwrap();
}

#[tokio::test]
async fn whoever_plays_alone_loses_when_the_bank_is_empty() {
    let world = with_fixture();
    let (id, players) = together(&world, 1, WantedClock { initial_seconds: 60, ..WantedClock::default() }).await;
    world.clock.advance_seconds(30);
    choose(&world, &id, &players, 0).await;
    assert_eq!(world.deadline(&id, seat(0)).await, world.seconds_from_now(30), "the turn goes on");
    world.clock.advance_seconds(32);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    let viewed = world.read(&players[0], &id).await;
    assert_eq!(summary(outcome(&viewed)), ("timeout".to_owned(), vec![(1, Verdict::Lost)]));
}

#[tokio::test]
async fn time_is_given_to_others_who_have_a_clock() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (_, decision, _) = world.turn(&id, &players).await;
    let (own, other) = (decision.seat, Seat::new(1 - decision.seat.number()).unwrap());
    let give = async |by_seat: Seat, to: Seat| {
        let given = Ok(TimeGiven { seat: to, seconds: 60 });
        world.matches.give_time(&by(&players[by_seat.index()]), &id, given, None).await
    };
    give(other, own).await.unwrap();
    assert_eq!((world.bank(&id, own).await, world.deadline(&id, own).await), (360_000, world.seconds_from_now(360)));
    let told = world.told_last(&id).await;
    assert_eq!(
        told[0],
        json!({"type": "clock_credited", "seats": [own], "milliseconds": 60_000, "reason": "given", "by": other})
    );
    give(own, other).await.unwrap();
    assert_eq!(world.bank(&id, other).await, 360_000, "also while it is not their turn");
    refused!(give(own, own).await, Refused::Clock(ClockRefused::OwnClock));
    refused!(give(own, seat(2)).await, Refused::Seat(SeatRefused::NoSuchSeat));
    let stranger = by(&world.person("Eve"));
    let given = Ok(TimeGiven { seat: own, seconds: 60 });
    refused!(
        world.matches.give_time(&stranger, &id, given.clone(), None).await,
        Refused::Forbidden(Forbidden::NotSeated)
    );
    world.play_on(&id, &players, 100).await;
    refused!(give(own, other).await, Refused::OutOfPlay(OutOfPlay::MatchOver(_)));
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
    let (untimed, players) = world.started(contiguity()).await;
    let given = Ok(TimeGiven { seat: seat(1), seconds: 5 });
    let nothing = world.matches.give_time(&by(&players[0]), &untimed, given, None).await;
    refused!(nothing, Refused::Clock(ClockRefused::NoClock));
}

/// Gifts of time between two moves of one's own are bounded, whatever is undone meanwhile: nobody can fill the log with
/// them.
#[tokio::test]
async fn time_is_given_so_often_between_two_moves_of_ones_own() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let (own, other) = (decision.seat, seat(1 - decision.seat.number()));
    let give = async |by_seat: Seat, to: Seat| {
        let given = Ok(TimeGiven { seat: to, seconds: 5 });
        world.matches.give_time(&by(&players[by_seat.index()]), &id, given, None).await
    };
    for _ in 0..GIFTS_MAX {
        give(own, other).await.unwrap();
    }
    refused!(give(own, other).await, Refused::Clock(ClockRefused::GivenEnough));
    let before = world.bank(&id, other).await;
    assert_eq!(before, 300_000 + i64::from(GIFTS_MAX) * 5_000);
    refused!(give(own, own).await, Refused::Clock(ClockRefused::OwnClock));
    give(other, own).await.unwrap();
    world.play(&player, &id, Some(decision), &moves[0], None).await.unwrap();
    give(own, other).await.unwrap();
    assert_eq!(world.bank(&id, other).await, before + 5_000);
    world.matches.resign(&by(&player), &id, None).await.unwrap();
    verify(&Games::standard(GameSettings::default()), &world.export(&id).await.unwrap()).unwrap();
}

/// Issue 31.5: the one who waits for two that give each other time waits no longer than a turn more.
#[tokio::test]
async fn in_a_live_match_a_seat_is_given_so_much_a_turn() {
    let world = with_fixture();
    let (id, players) = together(&world, 3, fischer()).await;
    let give = async |by_seat: usize, seconds: u32| {
        let given = Ok(TimeGiven { seat: seat(0), seconds });
        world.matches.give_time(&by(&players[by_seat]), &id, given, None).await
    };
    refused!(give(1, 86_400).await, Refused::Clock(ClockRefused::TooMuchGiven { left: 305 }));
    give(1, 200).await.unwrap();
    give(2, 100).await.unwrap();
    refused!(give(2, 6).await, Refused::Clock(ClockRefused::TooMuchGiven { left: 5 }));
    give(1, 5).await.unwrap();
    choose(&world, &id, &players, 0).await;
    give(1, 305).await.unwrap();
}

/// Issue 31.4.
#[tokio::test]
async fn of_more_than_two_one_that_never_comes_does_not_end_the_match() {
    let world = with_fixture();
    let absent = WantedClock { on_timeout: Some(OnTimeout::AbsentMove), ..fischer() };
    let (id, players) = together(&world, 3, absent).await;
    choose(&world, &id, &players, 0).await;
    choose(&world, &id, &players, 1).await;
    world.clock.advance_seconds(32);
    let mut live = world.read(&players[0], &id).await.live.duplicate();
    for (on_timeout, consequence) in [
        (OnTimeout::AbsentMove, TimeoutConsequence::AbsentMove),
        (OnTimeout::Bot, TimeoutConsequence::Bot),
        (OnTimeout::Forfeit, TimeoutConsequence::Forfeit),
    ] {
        Arc::make_mut(&mut live.stored.terms).clock.as_mut().unwrap().on_timeout = on_timeout;
        assert_eq!(live.consequence(seat(2)), Some(consequence));
    }
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
    let told = world.told_last(&id).await;
    assert_eq!((&told[0]["seat"], &told[0]["consequence"]), (&json!(2), &json!("absent_move")));
    assert_eq!(world.read(&players[0], &id).await.live.stored.stage, Stage::Playing, "the others play on");
}

/// Issue 31.4, the same with a bot in its place.
#[tokio::test]
async fn for_one_of_three_that_never_comes_a_bot_plays_at_once() {
    let mut world = World::new();
    world.matches.thinkers = Arc::new(thinkers());
    let easy = WantedClock { on_timeout: Some(OnTimeout::Bot), takeover_bot: Some(Level::Easy), ..fischer() };
    let roulette = NewMatch {
        game: "sacrifice_roulette".to_owned(),
        seats: SeatCount::new(3),
        options: Value::Null,
        ..timed(easy)
    };
    let (id, players) = world.at_table(roulette).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    world.clock.advance_seconds(32);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Thinks(None));
    let told = world.told_last(&id).await;
    assert_eq!(types(&told), ["clock_expired", "bot_took_over"]);
    assert_eq!((&told[0]["seat"], &told[0]["consequence"]), (&json!(decision.seat), &json!("bot")));
    let before = world.version(&id, &players).await;
    assert!(world.matches.act(found(&world.matches, &id).await.unwrap()).await.unwrap());
    let live = world.read(&player, &id).await.live;
    assert_eq!((live.stored.stage, live.stored.version), (Stage::Playing, before + 1));
    // The seat is still its player's.
    world.matches.come_back(&by(&player), &id, None).await.unwrap();
}

#[tokio::test]
async fn nobody_claims_and_no_draw_is_agreed_where_time_has_run_out() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    let other = &players[1 - decision.seat.index()];
    world.matches.offer_draw(&by(&player), &id, None).await.unwrap();
    world.clock.advance_seconds(301);
    let claim = world.matches.claim(&by(other), &id, Ok(decision.seat), None).await;
    refused!(claim, Refused::Claim(ClaimRefused::Clock));
    world.clock.advance_seconds(1);
    refused!(world.matches.accept_draw(&by(other), &id, None).await, Refused::OutOfPlay(OutOfPlay::MatchOver(_)));
    assert_eq!(summary(outcome(&world.read(other, &id).await)).0, "timeout");
}

#[tokio::test]
async fn whoever_is_late_has_nothing_back_even_before_the_service_acts_by_itself() {
    let world = World::new();
    let (id, players) = begun(&world, fischer()).await;
    let (player, decision, _) = world.turn(&id, &players).await;
    let before = world.read(&player, &id).await.live.stored.version - 1;
    world.clock.advance_millis(300_000 + CLOCK_GRACE_MILLIS + 1);
    assert!(matches!(world.matches.see_to(&id).await.unwrap(), Looked::Waits(Some(_))), "its time has not come");
    let asked = world.matches.offer_takeback(&by(&player), &id, Ok(before), None).await;
    refused!(asked, Refused::OutOfPlay(OutOfPlay::MatchOver(_)));
    let viewed = world.read(&player, &id).await;
    let (ending, standings) = summary(outcome(&viewed));
    assert_eq!((ending.as_str(), standings[decision.seat.index()].1), ("timeout", Verdict::Lost));
}

#[tokio::test]
async fn every_version_of_a_match_with_a_clock_is_rebuilt_as_it_was() {
    let world = World::new();
    let absent = WantedClock { on_timeout: Some(OnTimeout::AbsentMove), ..fischer() };
    let (id, players) = world.started(timed(absent)).await;
    let mut versions = Vec::new();
    for round in 0..10 {
        versions.push(world.store.load_match(&id, None).await.unwrap().unwrap());
        if round == 5 {
            world.clock.advance_seconds(400);
            assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Acted);
        }
        world.play_on(&id, &players, 1).await;
    }
    let reader = by(&players[0]);
    for loaded in versions {
        let present = world.another().read(&reader, &id).await.unwrap();
        let then = world.another().history(&reader, present, loaded.version, false).await.unwrap();
        let rebuilt: Value = serde_json::from_slice(&then.live.duplicate().encode().unwrap()).unwrap();
        let stored: Value = serde_json::from_slice(&loaded.stored).unwrap();
        assert_eq!(rebuilt, stored, "version {}", loaded.version);
    }
}

#[tokio::test]
async fn a_bot_takes_over_until_the_player_is_back() {
    let mut world = World::new();
    world.matches.thinkers = Arc::new(thinkers());
    let easy = WantedClock { on_timeout: Some(OnTimeout::Bot), takeover_bot: Some(Level::Easy), ..fischer() };
    let (id, players) = begun(&world, easy).await;
    let (player, decision, moves) = world.turn(&id, &players).await;
    let (own, other) = (decision.seat, &players[1 - decision.seat.index()]);
    let reader = by(&player);
    refused!(world.matches.come_back(&reader, &id, None).await, Refused::Clock(ClockRefused::NotSubstituted));
    world.clock.advance_seconds(302);
    assert_eq!(world.matches.see_to(&id).await.unwrap(), Looked::Thinks(None), "the bot has something to do at once");
    let told = world.told_last(&id).await;
    assert_eq!(types(&told), ["clock_expired", "bot_took_over"]);
    assert_eq!((&told[0]["consequence"], &told[1]["bot"]["level"]), (&json!("bot"), &json!("easy")));
    // The decision is the bot's, and opened anew: from now on the bot takes its time, whoever sits there.
    let live = world.read(&player, &id).await.live;
    assert!(live.asks_player(own).is_none());
    let open = live.decision(own).unwrap();
    assert_eq!((open.version, open.at), (live.stored.version, world.ambient.now()));
    assert!(live.has_missed(own, decision.version) && !live.has_missed(own, open.version));
    out_of_time(world.play(&player, &id, Some(decision), &moves[0], None).await);
    assert!(world.matches.act(found(&world.matches, &id).await.unwrap()).await.unwrap());
    world.play_on(&id, &players, 1).await;

    // Whoever comes back plays from the next decision on.
    let live = world.read(&player, &id).await.live;
    let decision = DecisionId { version: live.decision(own).unwrap().version, seat: own };
    let early = world.play(&player, &id, Some(decision), &moves[0], None).await;
    refused!(early, Refused::Move(MoveRefused::NotYourTurn(_)));
    let back = world.matches.come_back(&reader, &id, None).await.unwrap().viewed.live.stored.version;
    assert_eq!(types(&world.told_last(&id).await), ["player_returned"]);
    assert_eq!(world.matches.come_back(&reader, &id, None).await.unwrap().viewed.live.stored.version, back);
    assert!(world.matches.act(found(&world.matches, &id).await.unwrap()).await.unwrap());
    let live = world.read(&player, &id).await.live;
    assert!(live.bot(own).is_none() && live.clock(own).unwrap().turn_started_at().is_none());
    refused!(world.matches.come_back(&reader, &id, None).await, Refused::Clock(ClockRefused::NotSubstituted));
    world.play_on(&id, &players, 1).await;
    assert!(found(&world.matches, &id).await.is_none());
    assert_eq!(world.deadline(&id, own).await, world.seconds_from_now(5), "nothing but an increment is left");
    world.play_on(&id, &players, 1).await;
    world.matches.resign(&by(other), &id, None).await.unwrap();
    let record = world.export(&id).await.unwrap();
    let (_, replayed) = verify_bots(&Games::standard(GameSettings::default()), &bots(), &record).unwrap();
    assert_eq!((replayed.found, replayed.passed_over), (2, 0));
}
