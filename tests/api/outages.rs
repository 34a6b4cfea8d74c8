//! Clocks while nothing runs: the program itself, killed as they run and started again. Who could not move is not late, and what
//! runs out is seen to by whoever is there.
//!
//! In an ordinary run it is started again at once. `tests/full.sh clocks` lets the outage last a minute, in which every
//! clock runs out.

use std::time::Duration;

use sarsen::ambient::Timestamp;
use serde_json::{Value, json};
use test_kit::environment::OUTAGE;
use test_kit::redis_server::Server;
use tokio::time::{Instant, sleep};

use crate::process::{Program, borrowed, on_embedded, on_redis};
use crate::tables::{Pair, WIN, kinds};
use crate::world::DEADLINE;

/// What each seat has for the whole match, in seconds: less than an outage, more than all else takes.
const BANK: u64 = 45;
const MINUTE: Duration = Duration::from_secs(60);

/// Whether everything is done at full size.
fn whole() -> bool {
    OUTAGE.text().as_deref() == Some("whole")
}

fn served_by(pair: &Pair, program: &Program) -> Pair {
    Pair { id: pair.id.clone(), players: pair.players.clone().map(|player| player.at(program.base.clone())) }
}

/// The events of a type.
fn told(events: &[Value], kind: &str) -> Vec<Value> {
    events.iter().map(|event| event["event"].clone()).filter(|event| event["type"] == kind).collect()
}

/// Kills the program while six matches wait for a move, and starts it again.
async fn flags_nobody(settings: &[String]) {
    let program = Program::start(&borrowed(settings));
    let clock = json!({"initial_seconds": BANK, "first_move_seconds": null});
    let mut pairs = Vec::new();
    for _ in 0..6 {
        let players = [program.guest("Ann").await, program.guest("Ben").await];
        let pair = Pair::of(players, json!({"clock": clock})).await;
        pair.play_all(&WIN[..2]).await;
        pairs.push(pair);
    }
    program.kill();
    if whole() {
        sleep(MINUTE).await;
    }
    let again = Program::start(&borrowed(settings));
    for pair in &pairs {
        let pair = served_by(pair, &again);
        let start = Instant::now();
        let credited = loop {
            let events = pair.players[0].events(&pair.id).await;
            assert!(!kinds(&events).contains(&"clock_expired"), "{events:?}");
            let credited = told(&events, "clock_credited");
            if !whole() || !credited.is_empty() {
                break credited;
            }
            assert!(start.elapsed() < DEADLINE, "nothing is made good");
            sleep(Duration::from_millis(20)).await;
        };
        let turn = pair.turn().await;
        for credit in &credited {
            assert_eq!((&credit["reason"], &credit["by"]), (&json!("outage"), &Value::Null));
            assert_eq!(credit["seats"], json!([turn.seat]));
            let made_good = Duration::from_millis(credit["milliseconds"].as_u64().unwrap());
            assert!(made_good >= MINUTE, "{made_good:?}");
        }
        assert_eq!(credited.len(), usize::from(whole()), "once an outage and turn: {credited:?}");
        pair.play(WIN[2]).await.ok();
        let bank = &pair.players[0].read(&pair.id).await["match"]["seats"][turn.seat]["clock"]["bank_milliseconds"];
        assert!(bank.as_u64().unwrap() > 0, "the outage cost nothing");
    }
    again.terminate();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_flags_nobody_on_the_embedded_store() {
    let dir = tempfile::tempdir().unwrap();
    flags_nobody(&on_embedded(&dir)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_flags_nobody_on_redis() {
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    flags_nobody(&on_redis(&redis)).await;
}

/// Kills the only instance as it begins to see to clocks that have run out, and starts another. Answers how late it was.
async fn sees_to_each_once(settings: &[String]) -> String {
    let matches = if whole() { 200 } else { 8 };
    let program = Program::start(&borrowed(settings));
    let players = [program.guest("Ann").await, program.guest("Ben").await];
    let clock = json!({"initial_seconds": 1, "first_move_seconds": null});
    let mut pairs = Vec::new();
    for _ in 0..matches {
        pairs.push(Pair::of(players.clone(), json!({"clock": clock})).await);
    }
    let start = Instant::now();
    while players[0].read(&pairs[0].id).await["match"]["status"] == "playing" {
        assert!(start.elapsed() < DEADLINE, "no clock runs out");
        sleep(Duration::from_millis(2)).await;
    }
    program.kill();

    let again = Program::start(&borrowed(settings));
    let mut worst = 0;
    for pair in &pairs {
        let pair = served_by(pair, &again);
        let start = Instant::now();
        while pair.players[0].read(&pair.id).await["match"]["status"] == "playing" {
            assert!(start.elapsed() < DEADLINE, "{} is forgotten", pair.id);
            sleep(Duration::from_millis(20)).await;
        }
        let events = pair.players[0].events(&pair.id).await;
        let expired = told(&events, "clock_expired");
        assert_eq!((expired.len(), &expired[0]["consequence"]), (1, &json!("no_start")), "{events:?}");
        let moment = |value: &Value| Timestamp::from_rfc3339(value.as_str().unwrap()).unwrap().0;
        worst = worst.max(moment(&events.last().unwrap()["at"]) - moment(&expired[0]["deadline_at"]) - 2_000);
    }
    again.terminate();
    format!("{matches} clocks, the only instance killed and another started: {worst} ms worst")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_are_seen_to_once_though_who_was_about_to_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    println!("{}", sees_to_each_once(&on_embedded(&dir)).await);
    let redis = tokio::task::block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction"]));
    println!("{}", sees_to_each_once(&on_redis(&redis)).await);
}
