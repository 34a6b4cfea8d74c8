//! Time to draw a picture: each game in random matches of the most seats, drawn for everyone who may look, with
//! everything marked that can be. The bar is 5 ms a picture.

#![expect(clippy::unwrap_used, reason = "a benchmark stops at the first thing that is wrong")]

#[path = "../pictures/matches.rs"]
#[expect(dead_code, reason = "the tests of pictures use the rest")]
mod matches;

use std::hint::black_box;

use matches::Table;
use sarsen::games::{GameSettings, Games};
use sarsen::pictures::Ask;
use serde_json::Value;
use tokio::time::{Duration, Instant};

const MATCHES: u8 = 5;
const MOVES_OF_A_MATCH: usize = 200;
/// After each so many moves everybody looks.
const LOOK_EVERY: usize = 7;
const BAR: Duration = Duration::from_millis(5);

/// Prints a line a game.
pub fn measure() {
    println!("a picture: middle, 99 of 100, slowest; the bar is {} ms", BAR.as_millis());
    for game in Games::standard(GameSettings::default()).iter() {
        let mut times = Vec::new();
        for seed in 0..MATCHES {
            let mut table = Table::new(&**game, &Value::Null, game.info().max_seats, seed);
            for moves in 0..MOVES_OF_A_MATCH {
                if moves % LOOK_EVERY == 0 {
                    for viewer in table.viewers() {
                        let ask = Ask { coordinates: true, ..Ask::default() };
                        let began = Instant::now();
                        black_box(table.drawn(viewer, ask));
                        times.push(began.elapsed());
                    }
                }
                if !table.step() {
                    break;
                }
            }
        }
        times.sort_unstable();
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
        let over = times.iter().filter(|time| **time > BAR).count();
        let (middle, most, slowest) = (at(0.5), at(0.99), at(1.0));
        let id = game.info().id;
        println!(
            "{id:<24} {middle:>8.2} ms, {most:.2} ms, {slowest:.2} ms; {over} of {} are over the bar",
            times.len()
        );
    }
}
