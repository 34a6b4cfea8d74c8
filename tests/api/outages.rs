//! Outages with the program itself: stopped, killed, without its Redis, and without the replica that confirms its changes.
//! Nobody pays for the time in which nobody was served, and what runs out is seen to by whoever is there.
//!
//! In an ordinary run the service is away for two seconds. `tests/full.sh clocks` plays the whole table of
//! `matches::tests::outages` with processes: 0.5 to 20 s, and whoever acts moves at once, late or never.

use std::time::Duration;

use sarsen::ambient::{Ambient, Timestamp};
use serde_json::{Value, json};
use tempfile::TempDir;
use test_kit::environment::OUTAGE;
use test_kit::redis_server::Server;
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep};

use crate::client::Client;
use crate::process::{Program, borrowed, on_embedded, on_redis};
use crate::tables::{Pair, WIN};
use crate::world::{DEADLINE, http_client};

/// A heartbeat comes a second after the one before, and an instance that has none for longer than this notes an outage.
const UNSEEN: i64 = 2_500;

/// Returns true if everything is done at full size.
fn whole() -> bool {
    OUTAGE.text().as_deref() == Some("whole")
}

/// Waits until the program serves: its replica may still be on its way.
async fn is_ready(program: &Program) {
    let (nobody, start) = (Client::new(http_client(), program.base.clone()), Instant::now());
    while nobody.get("/readyz").await.status != 200 {
        assert!(start.elapsed() < DEADLINE, "it is never ready");
        sleep(Duration::from_millis(20)).await;
    }
}

fn served_by(pair: &Pair, program: &Program) -> Pair {
    Pair { id: pair.id.clone(), players: pair.players.clone().map(|player| player.at(program.base.clone())) }
}

/// The events of a type.
fn told(events: &[Value], kind: &str) -> Vec<Value> {
    events.iter().map(|event| event["event"].clone()).filter(|event| event["type"] == kind).collect()
}

fn moment(value: &Value) -> i64 {
    Timestamp::from_rfc3339(value.as_str().unwrap_or_else(|| panic!("no moment: {value}"))).unwrap().0
}

fn now() -> i64 {
    Ambient::system().now().0
}

/// The way in which the service goes away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Away {
    Stopped,
    Killed,
    /// Its heartbeat on Redis still counts as that of a living instance when it starts again.
    KilledOnRedis,
    NoStore,
    NoReplica,
}

/// The time at which the seat to act acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Acts {
    AtOnce,
    /// A time at which its clock would have run out, had the service been there.
    Late,
    Never,
}

/// A place to keep everything in, and the servers of it.
struct Place {
    settings: Vec<String>,
    redis: Option<Server>,
    replica: Option<Server>,
    _dir: TempDir,
}

impl Place {
    fn new(how: Away) -> Place {
        let dir = tempfile::tempdir().unwrap();
        let mut place = Place { settings: on_embedded(&dir), redis: None, replica: None, _dir: dir };
        if matches!(how, Away::KilledOnRedis | Away::NoStore | Away::NoReplica) {
            let redis = block_in_place(|| {
                Server::start(&["--maxmemory-policy", "noeviction", "--repl-diskless-sync-delay", "0"])
            });
            place.settings = on_redis(&redis);
            if how == Away::NoReplica {
                let port = redis.port.to_string();
                let follows = ["--replicaof", "127.0.0.1", &port];
                place.replica = Some(block_in_place(|| Server::start(&follows)));
                place.settings.extend(["--redis-wait-replicas", "1"].map(str::to_owned));
            }
            place.redis = Some(redis);
        }
        place
    }
}

/// An absence of the service: its certain length and its earliest beginning, in milliseconds, by the clock of this
/// machine, which is the service's.
struct Gone {
    inner: i64,
    from: i64,
}

/// Takes the service away for so long.
async fn take_away(how: Away, long: Duration, place: &mut Place, program: Program) -> (Program, Gone) {
    let from = now();
    let start = |place: &Place| block_in_place(|| Program::start(&borrowed(&place.settings)));
    match how {
        Away::Stopped | Away::Killed | Away::KilledOnRedis => {
            match how {
                Away::Stopped => drop(block_in_place(|| program.terminate())),
                _ => program.kill(),
            }
            let gone = now();
            sleep(long).await;
            let inner = now() - gone;
            (start(place), Gone { inner, from })
        }
        Away::NoStore => {
            let redis = place.redis.as_mut().unwrap();
            redis.kill();
            let gone = now();
            sleep(long).await;
            let inner = now() - gone;
            block_in_place(|| redis.restart());
            (program, Gone { inner, from })
        }
        Away::NoReplica => {
            let replica = place.replica.as_ref().unwrap();
            replica.signal("-STOP");
            let gone = now();
            sleep(long).await;
            let inner = now() - gone;
            replica.signal("-CONT");
            (program, Gone { inner, from })
        }
    }
}

/// The event of a move that is made as soon as it can be: what is answered 503 meanwhile is asked again.
async fn moves(pair: &Pair, decision: &str, seat: usize) -> Value {
    let start = Instant::now();
    loop {
        let answer = pair.players[seat].play_keyed(&pair.id, decision, WIN[0], "k").await;
        if answer.status == 201 {
            return answer.json()["events"][0].clone();
        }
        assert!(answer.status == 503 && start.elapsed() < DEADLINE, "{}", answer.text());
        sleep(Duration::from_millis(50)).await;
    }
}

/// One row of the table: three matches, in which the seat that is to act acts in each of the ways. `bank` is what it has,
/// in seconds. Answers what was made good.
async fn costs_nobody_time(how: Away, away: Duration, bank: u64, ways: &[Acts]) -> String {
    let mut place = Place::new(how);
    let program = block_in_place(|| Program::start(&borrowed(&place.settings)));
    is_ready(&program).await;
    let clock = json!({"initial_seconds": bank, "first_move_seconds": null});
    let (ann, ben) = (program.guest("Ann").await, program.guest("Ben").await);
    let (mut tables, mut report) = (Vec::new(), Vec::new());
    for acts in ways {
        let pair = Pair::of([ann.clone(), ben.clone()], json!({"clock": clock})).await;
        let turn = pair.turn().await;
        let began =
            moment(&pair.players[0].read(&pair.id).await["match"]["seats"][turn.seat]["clock"]["turn_started_at"]);
        tables.push((*acts, pair, turn, began));
    }
    sleep(Duration::from_millis(1_200)).await;
    let (program, gone) = take_away(how, away, &mut place, program).await;
    let bank = i64::try_from(bank).unwrap() * 1_000;
    for (acts, pair, turn, began) in &tables {
        let pair = served_by(pair, &program);
        let what = format!("{how:?} for {} ms, {acts:?}", gone.inner);
        // What delays changes and refuses none is no outage: the service was there.
        let unseen = gone.inner < 1_000 && how == Away::NoReplica;
        if *acts == Acts::Late {
            let left = began + gone.inner + bank - 1_500 - now();
            sleep(Duration::from_millis(left.max(0).unsigned_abs())).await;
        }
        if *acts != Acts::Never {
            let made = moves(&pair, &turn.decision, turn.seat).await;
            let (used, answered) = (made["event"]["used_milliseconds"].as_i64().unwrap(), now());
            let credit = moment(&made["at"]) - began - used;
            // It may have been received while the service was still away.
            let received = moment(&made["at"]) - gone.from;
            report.push(format!("{what}: {credit} ms were made good, {used} ms charged"));
            assert!(credit >= gone.inner.min(received) || unseen, "{what}: {credit}");
            assert!(credit <= answered - gone.from + UNSEEN, "{what}: {credit}");
            continue;
        }
        let start = Instant::now();
        // A store that has just come back may be away once more.
        let reads = async || {
            let answer = pair.players[0].get(&format!("/v1/matches/{}", pair.id)).await;
            (answer.status != 503).then(|| answer.ok())
        };
        while reads().await.is_none_or(|read| read["match"]["status"] == "playing") {
            assert!(start.elapsed() < 4 * DEADLINE, "{what}: its clock never runs out");
            sleep(Duration::from_millis(50)).await;
        }
        let events = pair.players[0].events(&pair.id).await;
        let expired = told(&events, "clock_expired");
        let beyond = moment(&expired[0]["deadline_at"]) - began - bank - gone.inner;
        report.push(format!("{what}: its time was over {beyond} ms later than that"));
        assert!(beyond >= 0 || unseen, "{what}: {beyond}");
    }
    program.terminate();
    report.join("\n")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_costs_nobody_time() {
    println!("{}", costs_nobody_time(Away::Stopped, Duration::from_secs(2), 5, &[Acts::AtOnce, Acts::Never]).await);
}

/// Issue 31.1: between two heartbeats.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_is_away_for_a_moment_costs_nobody_time() {
    let ways = &[Acts::AtOnce, Acts::Never];
    println!("{}", costs_nobody_time(Away::NoStore, Duration::from_millis(300), 5, ways).await);
}

/// Issue 31.1: the heartbeat of a process that was killed counts as one of a living instance for a while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_is_killed_and_started_at_once_costs_nobody_time() {
    let ways = &[Acts::AtOnce, Acts::Never];
    println!("{}", costs_nobody_time(Away::KilledOnRedis, Duration::from_millis(100), 5, ways).await);
}

/// Issue 31.3: a change waits for a replica that is late, and counts for the moment at which it was received.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_late_charges_nobody_for_the_wait() {
    let place = Place::new(Away::NoReplica);
    let program = block_in_place(|| Program::start(&borrowed(&place.settings)));
    is_ready(&program).await;
    let clock = json!({"initial_seconds": 60, "first_move_seconds": null});
    let pair = Pair::of([program.guest("Ann").await, program.guest("Ben").await], json!({"clock": clock})).await;
    let turn = pair.turn().await;
    let began = moment(&pair.players[0].read(&pair.id).await["match"]["seats"][turn.seat]["clock"]["turn_started_at"]);
    let replica = place.replica.as_ref().unwrap();
    replica.signal("-STOP");
    let asked = now();
    let on = async {
        sleep(Duration::from_millis(400)).await;
        let on = now();
        replica.signal("-CONT");
        on
    };
    let (made, on) = tokio::join!(moves(&pair, &turn.decision, turn.seat), on);
    let (at, used) = (moment(&made["at"]), made["event"]["used_milliseconds"].as_i64().unwrap());
    assert!(now() >= on, "nothing is acknowledged without the replica");
    // Received while it was late; where that took too long and was refused, the wait is made good.
    let credit = at - began - used;
    println!("received after {} ms of {}, {credit} ms made good", at - asked, on - asked);
    assert!(at < on || credit >= on - asked);
}

/// Issue 31.3.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replica_that_is_away_costs_nobody_time() {
    println!("{}", costs_nobody_time(Away::NoReplica, Duration::from_secs(3), 5, &[Acts::AtOnce, Acts::Never]).await);
}

/// The whole table, minutes of an idle machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_outage_costs_anybody_time() {
    let table: &[u64] = if whole() { &[500, 2_000, 5_000, 9_000, 20_000] } else { &[2_000] };
    let hows: &[Away] = if whole() {
        &[Away::Stopped, Away::Killed, Away::KilledOnRedis, Away::NoStore, Away::NoReplica]
    } else {
        &[Away::Killed, Away::NoStore]
    };
    for how in hows {
        for away in table {
            // Each acts one after the other, and the last has its time for itself.
            let rows: &[&[Acts]] =
                if whole() { &[&[Acts::AtOnce], &[Acts::Late], &[Acts::Never]] } else { &[&[Acts::AtOnce]] };
            for row in rows {
                let bank = if whole() { 8 } else { 60 };
                println!("{}", costs_nobody_time(*how, Duration::from_millis(*away), bank, row).await);
            }
        }
    }
}

/// Issue 31.26: who could not move is not claimed against.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_outage_does_not_count_for_a_claim() {
    let mut place = Place::new(Away::Killed);
    let program = block_in_place(|| Program::start(&borrowed(&place.settings)));
    let players = [program.guest("Ann").await, program.guest("Ben").await];
    let pair = Pair::of(players, json!({"move_time_seconds": 2})).await;
    let seat = pair.turn().await.seat;
    let before = moment(&pair.players[0].read(&pair.id).await["match"]["seats"][seat]["claimable_at"]);
    let (program, gone) = take_away(Away::Killed, Duration::from_secs(2), &mut place, program).await;
    let pair = served_by(&pair, &program);
    let other = &pair.players[1 - seat];
    let claim = async || other.post(&pair.path("/claim"), json!({"seat": seat})).await;
    let start = Instant::now();
    while claim().await.status != 200 {
        assert!(start.elapsed() < DEADLINE, "it is never granted");
        sleep(Duration::from_millis(20)).await;
    }
    let events = other.events(&pair.id).await;
    let claimed = events.iter().find(|event| event["event"]["type"] == "absence_claimed").unwrap();
    let late = moment(&claimed["at"]) - before;
    assert!(late >= gone.inner, "{late} ms of {}", gone.inner);
    let credited =
        told(&events, "clock_credited").iter().map(|event| event["milliseconds"].as_i64().unwrap()).sum::<i64>();
    assert!(credited >= gone.inner, "{credited} ms of {}: {events:?}", gone.inner);
    program.terminate();
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
        worst = worst.max(moment(&events.last().unwrap()["at"]) - moment(&expired[0]["deadline_at"]) - 2_000);
    }
    again.terminate();
    format!("{matches} clocks, the only instance killed and another started: {worst} ms worst")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_are_seen_to_once_though_who_was_about_to_is_killed() {
    let dir = tempfile::tempdir().unwrap();
    println!("{}", sees_to_each_once(&on_embedded(&dir)).await);
    let redis =
        block_in_place(|| Server::start(&["--maxmemory-policy", "noeviction", "--repl-diskless-sync-delay", "0"]));
    println!("{}", sees_to_each_once(&on_redis(&redis)).await);
}
