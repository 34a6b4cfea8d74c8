//! Load of notifications, over the loopback interface alone: receivers that hang beside people's moves and inboxes, many
//! turns at once, and a network that loses half.
//!
//! In an ordinary run there is little of each. `tests/full.sh notifications` has 200 receivers hang, tells 10,000 turns, and
//! prints figures.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::future::join_all;
use sarsen::ambient::{Clock, Timestamp};
use serde_json::json;
use test_kit::environment::NOTIFICATIONS_LOAD;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::bots_load::{p99, person, step, walk};
use crate::client::Client;
use crate::notifications::{HOOKS, hooked, world};
use crate::process::{Program, borrowed, on_embedded};
use crate::receiver::{Behaviour, Receiver};
use crate::tables::Pair;
use crate::world::{Backend, World};

/// The webhooks that one player may have.
const HOOKS_EACH: usize = 5;

/// Returns true if everything is done at full size.
fn whole() -> bool {
    NOTIFICATIONS_LOAD.text().as_deref() == Some("whole")
}

/// Has something to be sent to each of these webhooks all the time.
async fn keep_sending(hooks: &[(Client, String)], until: &CancellationToken) {
    while !until.is_cancelled() {
        join_all(hooks.iter().map(|(owner, hook)| async move {
            owner.call("POST", &format!("{HOOKS}/{hook}/test")).await.ok();
        }))
        .await;
        // Shorter than a receiver may hang.
        until.run_until_cancelled(sleep(Duration::from_secs(5))).await;
    }
}

/// The 99th percentile of the time until the inbox of the other, who polls, tells of a person's move, in milliseconds.
async fn notice(world: &World, moves: usize) -> f64 {
    let mut took = Vec::new();
    while took.len() < moves {
        let pair = Pair::seated(world, json!({})).await;
        let begins = pair.turn().await.seat;
        for number in 0..48 {
            let (seat, version) = ((begins + number) % 2, 2 + number);
            let [own, other] = [seat, 1 - seat].map(|seat| &pair.players[seat]);
            let begun = Instant::now();
            let polled = async {
                // Whoever has joined was told of all steps but the first.
                let page = other.get(&format!("/v1/me/events?wait=30&after={}", version + seat - 1)).await.ok();
                assert_eq!(page["items"][0]["version"], version + 1, "{page}");
                begun.elapsed()
            };
            let decision = format!("{version}.{seat}");
            let notation = step(number);
            let (moved, told) = tokio::join!(own.play(&pair.id, &decision, &notation), polled);
            moved.ok();
            took.push(told);
        }
    }
    p99(took)
}

/// The two times that people notice: of a move, and until the other is told of it.
async fn times(world: &World, moves: usize) -> [f64; 2] {
    [person(world, moves).await, notice(world, moves).await]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receivers_that_hang_do_not_hold_up_a_persons_move() {
    let (receivers, pairs, moves) = if whole() { (200, 8, 1000) } else { (10, 1, 50) };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = world(backend).await;
        let (receiver, good) = (Receiver::start(Behaviour::Hang).await, Receiver::start(Behaviour::Status(204)).await);
        let mut owners = Vec::new();
        for _ in 0..receivers / HOOKS_EACH {
            owners.push(world.guest("Eve").await);
        }
        let listener = world.guest("Ann").await;
        let heard = hooked(&listener, &good.url("/"), json!(["match.ended"])).await.0;
        times(&world, moves).await;
        let mut ratios = [Vec::new(), Vec::new()];
        for pair in 0..pairs {
            let without = times(&world, moves).await;
            let mut hooks = Vec::new();
            for owner in owners.iter().flat_map(|owner| [owner; HOOKS_EACH]) {
                let url = receiver.url(&format!("/{}", hooks.len()));
                hooks.push((owner.clone(), hooked(owner, &url, json!(["match.ended"])).await.0));
            }
            let (until, before) = (CancellationToken::new(), receiver.count());
            let measured = async {
                // All of them hang.
                world.eventually(async || receiver.count() >= before + receivers).await;
                // One that answers does not wait until they are given up.
                let (sent, told) = (Instant::now(), good.count());
                listener.call("POST", &format!("{HOOKS}/{heard}/test")).await.ok();
                world.eventually(async || good.count() > told).await;
                assert!(sent.elapsed() < Duration::from_secs(5), "told after {:?}", sent.elapsed());
                let with = times(&world, moves).await;
                until.cancel();
                with
            };
            let (with, ()) = tokio::join!(measured, keep_sending(&hooks, &until));
            println!(
                "{backend:?}, pair {pair}: p99 of a move and of its notice {without:.2?} ms alone, {with:.2?} ms beside \
                 {receivers} that hang"
            );
            assert!(with.iter().all(|slowest| *slowest < 5_000.0), "{with:.0?} ms");
            for ((ratios, with), without) in ratios.iter_mut().zip(with).zip(without) {
                ratios.push(with / without);
            }
            // Nothing more is sent to them. What is under way is given up after 15 seconds; until then the next measurement
            // would not be alone.
            for (owner, hook) in &hooks {
                owner.call("DELETE", &format!("{HOOKS}/{hook}")).await;
            }
            sleep(Duration::from_secs(if whole() { 16 } else { 0 })).await;
        }
        for (what, ratios) in ["a move", "its notice"].iter().zip(&mut ratios) {
            ratios.sort_by(f64::total_cmp);
            let median = (ratios[(pairs - 1) / 2] + ratios[pairs / 2]) / 2.0;
            println!("{backend:?}, {what}, median of {pairs} pairs: {median:.2}");
            assert!(!whole() || median <= 1.25, "{what}: {ratios:.2?}");
        }
        world.stop().await;
    }
}

/// The most memory that a process has had, in MiB.
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

/// Each turn of many matches that are played at once is told to the webhook of its player.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_one_of_many_turns_is_told_once() {
    const MOVES: usize = 49;
    let matches = if whole() { 200 } else { 6 };
    let dir = tempfile::tempdir().unwrap();
    let settings = on_embedded(&dir);
    let allowed = ["--outbound-allow-http", "--outbound-allow-networks", "127.0.0.0/8"];
    let service = Program::start(&[&borrowed(&settings)[..], &allowed].concat());
    let receiver = Receiver::start(Behaviour::Status(204)).await;
    let mut pairs = Vec::new();
    for number in 0..matches {
        let players = [service.guest("Ann").await, service.guest("Ben").await];
        for (seat, player) in players.iter().enumerate() {
            hooked(player, &receiver.url(&format!("/{number}/{seat}")), json!(["match.turn_started"])).await;
        }
        pairs.push(Pair::of(players, json!({})).await);
    }
    let (before, begun) = (most_memory(service.pid()), Instant::now());
    let played: Vec<usize> =
        join_all(pairs.iter().map(|pair| walk(pair, MOVES))).await.into_iter().map(|took| took.len()).collect();
    let moved = begun.elapsed();
    // The first of each match, and one after each move.
    let turns: usize = played.iter().map(|moves| moves + 1).sum();
    let last = Duration::from_secs(if whole() { 600 } else { 60 });
    while receiver.count() < turns {
        assert!(begun.elapsed() < last, "{} of {turns}", receiver.count());
        sleep(Duration::from_millis(20)).await;
    }
    let told = begun.elapsed();
    let all = receiver.all();
    let ids: BTreeSet<&str> = all.iter().map(|it| it.header("webhook-id")).collect();
    assert_eq!((ids.len(), all.len()), (turns, turns), "each once");
    println!(
        "{turns} turns of {matches} matches: begun within {:.1} s, told within {:.1} s, {} MiB at most ({before} before)",
        moved.as_secs_f64(),
        told.as_secs_f64(),
        most_memory(service.pid())
    );
}

/// Half of the requests and answers are lost: every message comes, and one that comes twice has one id.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_that_loses_half_loses_no_message() {
    let matches = if whole() { 500 } else { 10 };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = world(backend).await;
        let receiver = Receiver::start(Behaviour::LoseHalf).await;
        let players = [world.guest("Ann").await, world.guest("Ben").await];
        hooked(&players[0], &receiver.url("/"), json!(["match.started"])).await;
        let mut pairs = Vec::new();
        for _ in 0..matches {
            pairs.push(Pair::of(players.clone(), json!({})).await);
        }
        let told = || {
            let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for received in receiver.all() {
                let about = received.json()["data"]["match_id"].as_str().unwrap().to_owned();
                told.entry(about).or_default().insert(received.header("webhook-id").to_owned());
            }
            told
        };
        // The moment of the first that waits.
        let first = async || {
            let queues = world.operator("admin:read").get("/v1/admin/queues").await.ok()["items"].clone();
            let queues = queues.as_array().unwrap().iter();
            let waiting = queues.filter(|queue| matches!(queue["name"].as_str(), Some("notify" | "deliver")));
            waiting.filter_map(|queue| Timestamp::from_rfc3339(queue["oldest_at"].as_str()?)).min()
        };
        let (begun, mut before) = (Instant::now(), None);
        // Until nothing waits any more, over pauses of up to five hours by the schedule. The clock leaps to the next attempt
        // when nothing is due or under way: a lease must not end beneath its work.
        while let Some(next) = first().await {
            assert!(begun.elapsed() < Duration::from_secs(600), "{} of {matches}", told().len());
            let pause = next.0 - world.clock.now().0;
            if pause > 0 && before == Some(next) {
                world.clock.advance_seconds(u32::try_from(pause / 1000).unwrap().max(60) + 1);
            }
            before = Some(next);
            sleep(Duration::from_millis(100)).await;
        }
        let told = told();
        assert_eq!(told.len(), matches);
        assert!(told.values().all(|ids| ids.len() == 1), "{told:#?}");
        println!("{backend:?}: {matches} messages, {} received, none lost", receiver.count());
        world.stop().await;
    }
}
