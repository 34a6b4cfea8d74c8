//! Many matches with bots at once beside people: everybody gets on, and the people are not kept waiting. And matches against
//! the levels that think, to their end.
//!
//! In an ordinary run there are a few of each. `tests/full.sh bots-load` makes 200 matches with bots beside 64 people,
//! compares how long a person's move takes while eight hard searches run with how long it takes while none does, and plays
//! every game that has a seat for a bot to its end against medium and hard ones.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use test_kit::environment::BOTS_LOAD;
use tokio::time::Instant;

use crate::bots::{play_on, recomputed};
use crate::client::Client;
use crate::tables::Pair;
use crate::world::{Backend, World};

/// Whether everything is done at full size.
fn whole() -> bool {
    BOTS_LOAD.text().as_deref() == Some("whole")
}

/// Two who make moves that undo each other; how long each move took.
async fn walk(pair: &Pair, moves: usize) -> Vec<Duration> {
    let white = pair.turn().await.seat;
    let mut took = Vec::with_capacity(moves);
    for number in 0..moves {
        let (seat, version) = ((white + number) % 2, 2 + number);
        let notation = match (number % 2, number / 2 % 26) {
            (0, step) if step < 13 => format!("{}b-{}b", 29 - step, 28 - step),
            (0, step) => format!("{}b-{}b", 16 + step - 13, 17 + step - 13),
            (_, step) if step < 13 => format!("{}b-{}b", 2 + step, 3 + step),
            (_, step) => format!("{}b-{}b", 15 + 13 - step, 14 + 13 - step),
        };
        let begun = Instant::now();
        let answer = pair.players[seat].play(&pair.id, &format!("{version}.{seat}"), &notation).await;
        took.push(begun.elapsed());
        if answer.status != 201 {
            // The third time that a position occurs, or the like: what was timed counts.
            took.pop();
            break;
        }
    }
    took
}

fn p99(mut took: Vec<Duration>) -> f64 {
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
            assert!(recomputed(client, id).await.1.found > 3);
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
            let (record, again) = recomputed(&person, id).await;
            // Beside other tests a search may take too long; it is marked then.
            let cut = record.steps.iter().filter(|step| step.cut_short).count();
            assert!(
                again.found + again.passed_over > 0 && again.passed_over == cut,
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

/// How long a person's move takes, 99 of 100, in milliseconds.
async fn person(world: &World, moves: usize) -> f64 {
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
