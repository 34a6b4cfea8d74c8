//! Many matches with bots at once beside people: everybody gets on, and the people are not kept waiting. And matches against
//! the levels that think, to their end.
//!
//! One client that makes as many matches with the slowest bots as it may keeps nobody from theirs, and a machine on which
//! every core is busy plays as well as an idle one.
//!
//! In an ordinary run there are a few of each. `tests/full.sh bots-load` makes 200 matches with bots beside 64 people,
//! compares how long a person's move takes while eight hard searches run with how long it takes while none does, and the
//! moves of 64 people beside 100 reviews with those beside none, and plays every game that has a seat for a bot to its end
//! against medium and hard ones.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use test_kit::environment::BOTS_LOAD;
use tokio::time::Instant;

use crate::bots::{play_on, replayed_bots};
use crate::client::Client;
use crate::metrics::Scraped;
use crate::reviews::once;
use crate::tables::{Pair, WIN};
use crate::world::{Backend, Settings, World};

/// Returns true if everything is done at full size.
fn whole() -> bool {
    BOTS_LOAD.text().as_deref() == Some("whole")
}

/// The move of this number of two who make moves that undo each other.
pub fn step(number: usize) -> String {
    match (number % 2, number / 2 % 26) {
        (0, step) if step < 13 => format!("{}b-{}b", 29 - step, 28 - step),
        (0, step) => format!("{}b-{}b", 16 + step - 13, 17 + step - 13),
        (_, step) if step < 13 => format!("{}b-{}b", 2 + step, 3 + step),
        (_, step) => format!("{}b-{}b", 15 + 13 - step, 14 + 13 - step),
    }
}

/// Two who make moves that undo each other; how long each move took.
pub async fn walk(pair: &Pair, moves: usize) -> Vec<Duration> {
    let white = pair.turn().await.seat;
    let mut took = Vec::with_capacity(moves);
    for number in 0..moves {
        let (seat, version) = ((white + number) % 2, 2 + number);
        let begun = Instant::now();
        let answer = pair.players[seat].play(&pair.id, &format!("{version}.{seat}"), &step(number)).await;
        took.push(begun.elapsed());
        if answer.status != 201 {
            // The third time that a position occurs, or the like: what was timed counts.
            took.pop();
            break;
        }
    }
    took
}

pub fn p99(mut took: Vec<Duration>) -> f64 {
    took.sort();
    took[(took.len() * 99).div_ceil(100) - 1].as_secs_f64() * 1000.0
}

/// A match against four bots.
async fn alone_among_bots(world: &World, number: usize) -> (Client, String) {
    let client = world.guest("Ann").await;
    let places: Vec<Value> = (1..5).map(|seat| json!({"seat": seat, "bot": "easy"})).collect();
    let game = ["absolution", "sacrifice_roulette"][number % 2];
    let made = client.post("/v1/matches", json!({"game": game, "seats": 5, "places": places})).await.ok();
    (client, made["match"]["id"].as_str().unwrap().to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_matches_with_bots_are_played_beside_people() {
    let (matches, pairs) = if whole() { (200, 32) } else { (6, 2) };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::start(backend).await;
        let mut tables = Vec::new();
        for number in 0..matches {
            tables.push(alone_among_bots(&world, number).await);
        }
        let mut people = Vec::new();
        for _ in 0..pairs {
            people.push(Pair::seated(&world, json!({})).await);
        }
        let begun = Instant::now();
        let played = tables.iter().enumerate().map(|(number, (client, id))| play_on(client, id, number as u8, 1000));
        let walked = people.iter().map(|pair| walk(pair, 50));
        let (over, took) = tokio::join!(join_all(played), join_all(walked));
        assert!(over.iter().all(|over| over["match"]["status"] == "finished"));
        let took: Vec<Duration> = took.into_iter().flatten().collect();
        let (moves, seconds) = (took.len(), begun.elapsed().as_secs_f64());
        println!(
            "{backend:?}: {matches} matches with bots in {seconds:.0} s; p99 of {moves} moves of people {:.1} ms",
            p99(took)
        );
        for (client, id) in tables.iter().take(4) {
            assert!(replayed_bots(client, id).await.1.found > 3);
        }
        world.stop().await;
    }
}

/// A person plays at random against bots of each of `levels` until the match is over; each move of the bots is found again.
/// Answers a line about each match.
async fn to_the_end(world: &World, levels: &[&str], tables: &[Value]) -> Vec<String> {
    let mut played = Vec::new();
    for level in levels {
        for (number, table) in tables.iter().enumerate() {
            let person = world.guest("Ann").await;
            let mut asked = table.clone();
            let seats = table["seats"].as_u64().unwrap_or(2);
            asked["places"] = (1..seats).map(|seat| json!({"seat": seat, "bot": level})).collect();
            let made = person.post("/v1/matches", asked).await.ok();
            let id = made["match"]["id"].as_str().unwrap();
            let begun = Instant::now();
            let over = play_on(&person, id, number as u8, usize::MAX).await;
            let outcome = &over["match"]["outcome"];
            assert!(over["match"]["status"] == "finished" && outcome["ending"] != "resignation", "{outcome}");
            let (record, again) = replayed_bots(&person, id).await;
            // Beside other tests a search may take too long; it is marked then.
            let cut = record.steps.iter().filter(|step| step.cut_short).count();
            assert!(
                again.found + again.cut_short > 0 && (again.cut_short, again.passed_over) == (cut, 0),
                "{} {level}: {again:?}",
                record.game
            );
            assert!(!whole() || cut == 0, "{} {level}: {cut} searches took too long", record.game);
            let seconds = begun.elapsed().as_secs_f64();
            played.push(format!("{} against {level}: {} moves of bots, {seconds:.1} s", record.game, again.found));
        }
    }
    played
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_that_think_play_to_the_end() {
    let short = json!({"game": "contiguity", "options": {"turn_limit": 20}});
    let [pair, absolution, roulette, henge] =
        [("contiguity", 2), ("absolution", 5), ("sacrifice_roulette", 5), ("henge", 4)]
            .map(|(game, seats)| json!({"game": game, "seats": seats}));
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::start(backend).await;
        let played = if whole() {
            let tables = [pair.clone(), absolution.clone(), roulette.clone(), henge.clone()];
            to_the_end(&world, &["medium", "hard"], &tables).await
        } else {
            to_the_end(&world, &["medium"], &[short.clone(), absolution.clone()]).await
        };
        println!("{backend:?}: {played:#?}");
        world.stop().await;
    }
}

/// Eight matches in which it is a hard bot's turn again as soon as it has moved.
async fn search_on(world: &World, until: &tokio_util::sync::CancellationToken) {
    let searches = (0..8).map(|number| async move {
        let client = world.guest("Ben").await;
        while !until.is_cancelled() {
            let made = client.create(json!({"places": [{"seat": 1, "bot": "hard"}]})).await;
            let id = made["match"]["id"].as_str().unwrap().to_owned();
            tokio::select! {
                _ = play_on(&client, &id, number, 1000) => {}
                () = until.cancelled() => drop(client.act(&id, "resign").await),
            }
        }
    });
    join_all(searches).await;
}

/// The 99th percentile of the time of a person's move, in milliseconds.
pub async fn person(world: &World, moves: usize) -> f64 {
    let mut took = Vec::new();
    while took.len() < moves {
        took.extend(walk(&Pair::seated(world, json!({})).await, 50).await);
    }
    p99(took)
}

/// In an ordinary run, where others use the machine too, it is seen that people get on at all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_hard_searches_do_not_hold_up_a_persons_move() {
    let (pairs, moves) = if whole() { (8, 1000) } else { (1, 50) };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut world = World::start(backend).await;
        person(&world, moves).await;
        let (mut ratios, mut slowest) = (Vec::new(), 0.0_f64);
        for pair in 0..pairs {
            let without = person(&world, moves).await;
            let until = tokio_util::sync::CancellationToken::new();
            let (with, ()) = tokio::join!(
                async {
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    let with = person(&world, moves).await;
                    until.cancel();
                    with
                },
                search_on(&world, &until)
            );
            println!(
                "{backend:?}, pair {pair}: p99 {without:.2} ms alone, {with:.2} ms beside eight hard searches: {:.2}",
                with / without
            );
            ratios.push(with / without);
            slowest = slowest.max(with);
        }
        ratios.sort_by(f64::total_cmp);
        let median = (ratios[(pairs - 1) / 2] + ratios[pairs / 2]) / 2.0;
        println!("{backend:?}, median of {pairs} pairs: {median:.2}");
        assert!(slowest < 5_000.0, "a move of a person took {slowest:.0} ms");
        assert!(!whole() || median <= 1.25, "{ratios:.2?}");
        world.stop().await;
    }
}

/// The 99th percentile of the time of a move of so many pairs of people, in milliseconds.
async fn people(world: &World, pairs: usize, times: usize) -> f64 {
    let mut took = Vec::new();
    for _ in 0..times {
        let seated = join_all((0..pairs).map(|_| Pair::seated(world, json!({})))).await;
        took.extend(join_all(seated.iter().map(|pair| walk(pair, 50))).await.into_iter().flatten());
    }
    p99(took)
}

/// Reviews are made behind all else. In an ordinary run it is seen that both get on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reviews_do_not_hold_up_people() {
    let (rounds, reviews, pairs, times) = if whole() { (8, 100, 32, 4) } else { (1, 3, 2, 1) };
    for backend in [Backend::Embedded, Backend::Redis] {
        let mut ratios = Vec::new();
        for round in 0..rounds {
            let mut world = World::start(backend).await;
            let mut over = Vec::new();
            for _ in 0..reviews {
                let pair = Pair::seated(&world, json!({})).await;
                pair.play_all(&WIN).await;
                over.push(pair);
            }
            let without = people(&world, pairs, times).await;
            for pair in &over {
                let order = format!("/v1/matches/{}/review", pair.id);
                pair.players[0].post(&order, json!({"level": "medium"})).await.ok();
            }
            let (first, last) = (&over[0], &over[reviews - 1]);
            once(&first.players[0], &first.id, &["running", "done"]).await;
            let with = people(&world, pairs, times).await;
            let waits = once(&last.players[0], &last.id, &["queued", "running", "done"]).await["state"].clone();
            println!(
                "{backend:?}, round {round}: p99 {without:.2} ms alone, {with:.2} ms beside {reviews} reviews, of which the \
                 last is {waits}: {:.2}",
                with / without
            );
            ratios.push(with / without);
            if whole() {
                assert_eq!(waits, "queued", "the reviews were done before the people");
            } else {
                once(&last.players[0], &last.id, &["done"]).await;
            }
            world.stop().await;
        }
        ratios.sort_by(f64::total_cmp);
        let median = (ratios[(rounds - 1) / 2] + ratios[rounds / 2]) / 2.0;
        println!("{backend:?}, median of {rounds} rounds: {median:.2}");
        assert!(!whole() || median <= 1.25, "{ratios:.2?}");
    }
}

/// Moves that hard Henge bots have made.
async fn henge_moves(world: &World) -> f64 {
    Scraped::of(&world.nobody()).await.value("sarsen_bot_moves_total{game=\"henge\",level=\"hard\"}")
}

/// The flood of the issue: 100 matches of Henge with four hard bots each, of which as many are made as one player may have.
/// The wait of others is counted in moves of the flood, not in seconds: with a thread that is never free, everything that
/// waits in turn is behind a few of them. (What the queue does with all hundred, its own law shows.)
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_client_cannot_take_an_instance_from_the_others() {
    let settings = Settings { bot_matches_per_player: Some(20), ..Settings::default() };
    let mut world = World::with(Backend::Embedded, settings).await;
    let (flood, ben) = (world.guest("Eve").await, world.guest("Ben").await);
    let places: Vec<Value> = (1..5).map(|seat| json!({"seat": seat, "bot": "hard"})).collect();
    let table = json!({"game": "henge", "seats": 5, "options": {"table": "hhhhh"}, "places": places});
    let made = join_all((0..100).map(|_| flood.post("/v1/matches", table.clone()))).await;
    let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made.len(), 20);
    for answer in refused {
        answer.refused(409, "too_many_with_bots");
    }
    // The flood plays on at once whenever it is asked, so that its bots always have something to think about.
    let until = tokio_util::sync::CancellationToken::new();
    let on = made.iter().enumerate().map(|(number, made)| {
        let (flood, id, until) = (&flood, made.json()["match"]["id"].as_str().unwrap().to_owned(), until.clone());
        async move {
            tokio::select! {
                _ = play_on(flood, &id, number as u8, usize::MAX) => {}
                () = until.cancelled() => {}
            }
        }
    });
    let others = async {
        let waiting = async || Scraped::of(&world.nobody()).await.value("sarsen_queue_length{queue=\"bots\"}");
        world.eventually(async || waiting().await >= 10.0).await;
        // What the alert for a queue that is not worked off goes by.
        let age = async || Scraped::of(&world.nobody()).await.value("sarsen_queue_oldest_seconds{queue=\"bots\"}");
        world.eventually(async || age().await > 0.0).await;
        // A hint whose search is long, a batch of the sandbox, and the answers of an easy and of a hard bot.
        let solo = ben.post("/v1/matches", json!({"game": "thief_of_the_sacred_fire"})).await.ok();
        let solo = solo["match"]["id"].as_str().unwrap().to_owned();
        let batch = json!({"game": "henge", "count": 64, "views": "none", "legal": "none"});
        let against = async |level: &str| {
            let table = json!({"game": "contiguity", "seat": null, "places": [{"seat": 0, "bot": level}]});
            let made = ben.post("/v1/matches", table).await.ok();
            made["match"]["id"].as_str().unwrap().to_owned()
        };
        let (easy, hard) = (against("easy").await, against("hard").await);
        for round in 0..3 {
            let before = henge_moves(&world).await;
            ben.post(&format!("/v1/matches/{solo}/hint"), json!({"level": "hard"})).await.ok();
            let hinted = henge_moves(&world).await;
            ben.post("/v1/sandbox/positions", batch.clone()).await.ok();
            let stepped = henge_moves(&world).await;
            assert!(hinted - before <= 4.0, "round {round}: a hint waited for {} moves", hinted - before);
            assert!(stepped - hinted <= 4.0, "round {round}: the sandbox waited for {} moves", stepped - hinted);
        }
        for (id, most) in [(&easy, 3.0), (&hard, 6.0)] {
            let before = henge_moves(&world).await;
            let joined = ben.post(&format!("/v1/matches/{id}/join"), json!({})).await.ok();
            let mut waited = henge_moves(&world).await - before;
            if joined["decision"].is_null() {
                world.eventually(async || ben.read(id).await["decision"].is_object()).await;
                waited = henge_moves(&world).await - before;
            }
            assert!(waited <= most, "a bot of others waited for {waited} moves");
        }
        assert!(waiting().await >= 1.0, "the flood went on");
        until.cancel();
    };
    tokio::join!(join_all(on), others);
    world.stop().await;
}

/// Processes that keep every core busy, at a lower priority than the service.
struct Busy(Vec<std::process::Child>);

impl Busy {
    fn cores() -> Busy {
        let cores = std::thread::available_parallelism().unwrap().get();
        let burn = || {
            let mut command = std::process::Command::new("nice");
            command.args(["-n", "10", "sh", "-c", "while :; do :; done"]).spawn().unwrap()
        };
        Busy((0..cores).map(|_| burn()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for burning in &mut self.0 {
            burning.kill().unwrap();
            burning.wait().unwrap();
        }
    }
}

/// A busy machine answers later and plays as well: no search is cut short, and each move is the one that an idle machine
/// finds. At full size the times of all levels are printed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hard_bots_play_as_well_on_a_busy_machine() {
    if whole() {
        for (level, is_busy) in [("medium", false), ("medium", true), ("hard", false)] {
            plays_as_well(level, is_busy, 100).await;
        }
    }
    plays_as_well("hard", true, if whole() { 100 } else { 3 }).await;
}

async fn plays_as_well(level: &str, is_busy: bool, most: usize) {
    let mut world = World::start(Backend::Embedded).await;
    let busy = is_busy.then(Busy::cores);
    let (mut found, mut number) = (0, 0);
    while found < most {
        let person = world.guest("Ann").await;
        let made = person.create(json!({"places": [{"seat": 1, "bot": level}]})).await;
        let id = made["match"]["id"].as_str().unwrap();
        play_on(&person, id, number, most - found).await;
        let (record, again) = replayed_bots(&person, id).await;
        assert_eq!((record.steps.iter().filter(|step| step.cut_short).count(), again.passed_over), (0, 0));
        (found, number) = (found + again.found, number + 1);
    }
    drop(busy);
    let scraped = Scraped::of(&world.nobody()).await;
    let [sum, count] = ["sum", "count"].map(|part| scraped.value(&format!("sarsen_bot_search_seconds_{part}")));
    eprintln!("{level}, cores busy {is_busy}: {found} moves, none cut, {:.3} s a search", sum / count);
    world.stop().await;
}
