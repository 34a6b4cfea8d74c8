//! Clocks: how they are asked for and shown, that they run out by themselves wherever the service runs, and whole matches
//! by them.

use sarsen::ambient::Timestamp;
use sarsen::games::{GameSettings, Games};
use sarsen::matches::Reader;
use sarsen::matches::export::{MatchExport, verify};
use sarsen::matches::model::clock::WantedClock;
use sarsen::matches::model::terms::{Seated, Visibility};
use sarsen::matches::seats::Joining;
use sarsen::matches::{NewMatch, Stage};
use sarsen::rules::{Dice, DiceSeed};
use serde_json::{Value, json};
use test_kit::environment::CLOCKS_MATCHES;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Duration, Instant, sleep};

use crate::client::Client;
use crate::events::{SSE, Stream};
use crate::tables::{Pair, WIN, kinds};
use crate::world::{Backend, DEADLINE, World, cases};

cases!(
    a_late_move_is_out_of_time, clocks_that_cannot_be_are_refused, five_seats_play_to_the_end_by_the_clock;
    on both stores: a_clock_is_shown_and_runs_out_by_itself;
);

fn fischer() -> Value {
    json!({"initial_seconds": 300, "increment_seconds": 5})
}

fn moment(value: &Value) -> i64 {
    Timestamp::from_rfc3339(value.as_str().unwrap_or_else(|| panic!("no moment: {value}"))).unwrap().0
}

/// The match once its status is no longer `playing`.
async fn over(world: &World, client: &Client, id: &str) -> Value {
    world.eventually(async || client.read(id).await["match"]["status"] != "playing").await;
    client.read(id).await
}

/// The last event of a step.
fn made_last(moved: &Value) -> &Value {
    moved["events"].as_array().unwrap().last().unwrap()
}

async fn a_clock_is_shown_and_runs_out_by_itself(world: &mut World) {
    let pair = Pair::seated(world, json!({"clock": fischer()})).await;
    let begun = pair.players[0].read(&pair.id).await;
    assert_eq!(
        begun["match"]["clock"],
        json!({
            "initial_seconds": 300, "increment_seconds": 5, "delay_seconds": 0, "max_bank_seconds": null,
            "first_move_seconds": 30, "on_timeout": "forfeit", "timeouts_allowed": 2, "takeover_bot": null, "speed": "live"
        })
    );
    assert_eq!(begun["match"]["move_time_seconds"], Value::Null);
    let turn = pair.turn().await.seat;
    let (own, other) = (&begun["match"]["seats"][turn]["clock"], &begun["match"]["seats"][1 - turn]["clock"]);
    assert_eq!(moment(&own["deadline_at"]) - moment(&own["turn_started_at"]), 30_000, "the first turn");
    assert_eq!(own["first_turn"], true);
    let waiting = json!({"bank_milliseconds": 300_000, "turn_started_at": null, "deadline_at": null, "first_turn": false, "timeouts": 0});
    assert_eq!(*other, waiting);

    let mut stream = Stream::open(&pair.players[1 - turn], &pair.path("/events"), SSE, None).await;
    let moved = pair.play(WIN[0]).await.ok();
    let made = &moved["events"][0]["event"];
    assert!(made["used_milliseconds"].as_i64().unwrap() >= 0 && made["bank_milliseconds"] == 300_000, "{made}");
    let next = &made_last(&moved)["deadlines"];
    let shown = &pair.players[0].read(&pair.id).await["match"]["seats"][1 - turn]["clock"]["deadline_at"];
    assert_eq!(*next, json!([{"seat": 1 - turn, "deadline_at": shown}]));
    let told = loop {
        let told = stream.next().await.unwrap().data;
        if told["cursor"] == made_last(&moved)["cursor"] {
            break told;
        }
    };
    assert_eq!(told["deadlines"], *next, "an EventSource alone draws the clock");
    assert_eq!(pair.players[0].get("/v1/limits").await.ok()["clock_grace_milliseconds"], 1_000);
    pair.play(WIN[1]).await.ok();
    let path = pair.path("/clock/give");
    let gift = json!({"seat": turn, "seconds": 60});
    pair.players[turn].post(&path, gift.clone()).await.refused(409, "clock_fixed");
    let much = json!({"seat": turn, "seconds": 86_400});
    pair.players[1 - turn].post(&path, much).await.refused(409, "clock_fixed");
    pair.players[turn].post(&path, json!({"seat": 1 - turn, "seconds": 4})).await.refused(400, "invalid_request");
    let given = pair.players[1 - turn].post(&path, gift).await.ok();
    let own = &given["match"]["seats"][turn]["clock"];
    assert_eq!(own["bank_milliseconds"], 360_000);
    assert_eq!(moment(&own["deadline_at"]) - moment(&own["turn_started_at"]), 360_000);
    let claim = pair.players[1 - turn].post(&pair.path("/claim"), json!({"seat": turn})).await;
    claim.refused(409, "claim_not_possible");

    world.clock.advance_seconds(363);
    let ended = over(world, &pair.players[0], &pair.id).await;
    assert_eq!(ended["match"]["outcome"]["ending"], "timeout");
    assert_eq!(ended["match"]["outcome"]["standings"][turn]["verdict"], "lost");
    let events = pair.players[0].events(&pair.id).await;
    let kinds = kinds(&events);
    assert_eq!(kinds[kinds.len() - 3..], ["clock_credited", "clock_expired", "match_ended"]);
    let expired = &events[events.len() - 2]["event"];
    assert_eq!(moment(&expired["deadline_at"]), moment(&own["deadline_at"]));
    let record = pair.players[0].get(&pair.path("/record")).await.ok();
    assert_eq!((&record["format"], &record["clock"]["increment_seconds"]), (&json!("sarsen/record/2"), &json!(5)));
    verify(&Games::standard(GameSettings::default()), &serde_json::from_value(record).unwrap()).unwrap();
}

async fn a_late_move_is_out_of_time(world: &mut World) {
    let pair = Pair::seated(world, json!({"clock": fischer()})).await;
    let turn = pair.turn().await;
    world.clock.advance_seconds(60);
    let late = &pair.players[turn.seat];
    let problem = late.play(&pair.id, &turn.decision, WIN[0]).await.refused(409, "out_of_time");
    let seen = late.read(&pair.id).await;
    assert_eq!((&seen["match"]["status"], &seen["match"]["version"]), (&json!("aborted"), &problem["version"]));
    let last = late.events(&pair.id).await.pop().unwrap();
    assert_eq!(last["event"], json!({"type": "match_aborted", "reason": "no_start", "seat": turn.seat}));
    // Asked once more, the same.
    late.play(&pair.id, &turn.decision, WIN[0]).await.refused(409, "out_of_time");
}

async fn clocks_that_cannot_be_are_refused(world: &mut World) {
    let ann = world.guest("Ann").await;
    let with = |fields: Value| {
        let mut clock = fischer();
        clock.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({"game": "contiguity", "clock": clock})
    };
    for (body, field) in [
        (json!({"game": "contiguity", "clock": {}}), "initial_seconds"),
        (with(json!({"initial_seconds": -1})), "initial_seconds"),
        (with(json!({"initial_seconds": 31_536_001})), "initial_seconds"),
        (with(json!({"increment_seconds": 2_592_001})), "increment_seconds"),
        (with(json!({"delay_seconds": 2_592_001})), "delay_seconds"),
        (with(json!({"max_bank_seconds": 299})), "max_bank_seconds"),
        (with(json!({"first_move_seconds": 9})), "first_move_seconds"),
        (with(json!({"timeouts_allowed": 101})), "timeouts_allowed"),
        (json!({"game": "contiguity", "clock": fischer(), "move_time_seconds": 60}), "move_time_seconds"),
        (json!({"game": "thief_of_the_sacred_fire", "clock": fischer()}), "increment_seconds"),
    ] {
        let problem = ann.post("/v1/matches", body.clone()).await.refused(422, "invalid_clock");
        assert_eq!(problem["field"], field, "{body}");
    }
    for body in [with(json!({"initial_seconds": 1.5})), with(json!({"on_timeout": "nothing"})), with(json!({"x": 1}))] {
        ann.post("/v1/matches", body).await.refused(400, "invalid_request");
    }
    assert_eq!(ann.get("/v1/matches?mine=true").await.ok()["items"], json!([]));
    let plain = ann.create(json!({"clock": null})).await;
    assert_eq!((&plain["match"]["clock"], &plain["match"]["move_time_seconds"]), (&Value::Null, &json!(259_200)));
    let both = ann.create(json!({"clock": fischer(), "move_time_seconds": null})).await;
    assert_eq!(both["match"]["seats"][0]["clock"], Value::Null, "before the start");
    let path = format!("/v1/matches/{}/clock/give", both["match"]["id"].as_str().unwrap());
    ann.post(&path, json!({"seat": 1, "seconds": 60})).await.refused(409, "match_not_playing");
}

/// Five who decide by turns and at the same time; one of them lets a turn pass.
async fn five_seats_play_to_the_end_by_the_clock(world: &mut World) {
    let mut players = vec![world.guest("Player 0").await];
    let clock = json!({"initial_seconds": 600, "increment_seconds": 2, "on_timeout": "absent_move"});
    let made = players[0].create(json!({"game": "absolution", "seats": 5, "clock": clock})).await;
    let id = made["match"]["id"].as_str().unwrap().to_owned();
    for number in 1..5 {
        let player = world.guest(&format!("Player {number}")).await;
        player.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
        players.push(player);
    }
    let mut choice = Dice::new(DiceSeed([3; 32]));
    let mut moved = [false; 5];
    let mut passed = false;
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < 20 * DEADLINE, "nobody comes to the end");
        let seen = players[0].get(&format!("/v1/matches/{id}?legal_moves=none")).await.ok();
        if seen["match"]["status"] != "playing" {
            break;
        }
        let seat = seen["match"]["to_act"][0].as_u64().unwrap() as usize;
        if moved == [true; 5] && !passed {
            passed = true;
            let before = seen["match"]["version"].as_u64().unwrap();
            world.clock.advance_seconds(900);
            world.eventually(async || players[0].read(&id).await["match"]["version"].as_u64().unwrap() > before).await;
            continue;
        }
        let own = players[seat].get(&format!("/v1/matches/{id}?legal_moves=notation")).await.ok();
        // Another seat's time may run out at the same moment.
        let Some(decision) = own["decision"]["id"].as_str() else { continue };
        let listed = own["decision"]["legal_moves"]["notations"].as_array().unwrap();
        let notation = listed[choice.index(listed.len()).unwrap()].as_str().unwrap();
        let answer = players[seat].play(&id, decision, notation).await;
        match answer.status {
            201 => moved[seat] = true,
            _ => assert!(passed, "{}", answer.text()),
        }
    }
    let record: MatchExport =
        serde_json::from_value(players[0].get(&format!("/v1/matches/{id}/record")).await.ok()).unwrap();
    let verified = verify(&Games::standard(GameSettings::default()), &record).unwrap();
    assert!(verified.moves > 5, "{verified:?}");
}

/// Three instances over one Redis, one of which dies as the time comes: no clock runs out twice, and none is forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_that_run_out_at_once_are_each_seen_to_once() {
    let matches = CLOCKS_MATCHES.value().unwrap_or(24_usize);
    let mut world = World::start(Backend::Redis).await;
    for _ in 0..2 {
        world.add_instance().await;
    }
    let mut people = Vec::new();
    for name in ["Ann", "Ben"] {
        let guest = world.service().players.create_guest(name.parse().unwrap(), None).await.unwrap();
        people.push(Seated::person(guest.player.id, guest.player.name.to_string()));
    }
    let clock = WantedClock { initial_seconds: 600, first_move_seconds: Some(None), ..WantedClock::default() };
    let new = NewMatch { visibility: Some(Visibility::Private), clock: Some(clock), ..NewMatch::of("contiguity") };
    let mut ids = Vec::new();
    for _ in 0..matches {
        let service = world.service();
        let made = service.matches.create(people[0].clone(), Ok(new.clone()), None).await.unwrap().viewed.live;
        let (id, invite) = (made.stored.id.clone(), made.stored.terms.invite.clone());
        let joining = Joining { invite, ..Joining::default() };
        service.matches.join(people[1].clone(), &id, joining, None).await.unwrap();
        ids.push(id);
    }
    let reader = Reader::player(people[0].id.clone());
    world.clock.advance_seconds(700);
    let (due_at, start) = (world.service().clock.now(), Instant::now());
    // It dies while the instances are at it: it may be the one that acts, or be about to.
    let none_is_over = async || {
        for id in &ids {
            if world.service().matches.read(&reader, id).await.unwrap().live.stored.stage != Stage::Playing {
                return false;
            }
        }
        true
    };
    while none_is_over().await {
        assert!(start.elapsed() < DEADLINE, "no clock runs out");
    }
    world.kill_instance(0);
    let mut late = Vec::new();
    for id in &ids {
        let stored = loop {
            let stored = world.service().matches.read(&reader, id).await.unwrap().live.stored.clone();
            if stored.stage != Stage::Playing {
                break stored;
            }
            assert!(start.elapsed() < 20 * DEADLINE, "{id} is forgotten");
            sleep(Duration::from_millis(20)).await;
        };
        // Made, joined, and run out once: the first turn was not taken.
        assert_eq!((stored.version, stored.stage), (3, Stage::Aborted), "{id}");
        late.push(stored.updated_at.0 - due_at.0);
    }
    late.sort_unstable();
    let at = |share: usize| late[(late.len() * share).div_ceil(100).saturating_sub(1)];
    println!(
        "{matches} clocks, one of three instances dead: {} ms p50, {} ms p99, {} ms worst",
        at(50),
        at(99),
        at(100)
    );
    world.stop().await;
}

/// A client that sends the head of a request at once and its body when it has thought.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_thinks_with_the_body_held_back_pays_for_it() {
    let mut world = World::start(Backend::Embedded).await;
    let pair = Pair::seated(&world, json!({"clock": fischer()})).await;
    for mv in &WIN[..2] {
        pair.play(mv).await.ok();
    }
    let turn = pair.turn().await;
    let body = json!({"decision_id": turn.decision, "notation": WIN[2]}).to_string();
    let player = &pair.players[turn.seat];
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\nconnection: close\r\n\
         content-length: {}\r\n\r\n",
        pair.path("/moves"),
        player.token.as_ref().unwrap(),
        body.len()
    );
    let mut connection = TcpStream::connect(player.base.trim_start_matches("http://")).await.unwrap();
    connection.write_all(head.as_bytes()).await.unwrap();
    connection.flush().await.unwrap();
    // Long enough for the head to be there; what is thought is added to it.
    sleep(Duration::from_millis(300)).await;
    world.clock.advance_seconds(20);
    connection.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    let events = player.events(&pair.id).await;
    let made = events.iter().rev().find(|told| told["event"]["type"] == "move_made").unwrap();
    let used = made["event"]["used_milliseconds"].as_i64().unwrap();
    assert!((19_000..60_000).contains(&used), "{used}");
    world.stop().await;
}
