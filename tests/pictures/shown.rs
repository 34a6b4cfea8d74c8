//! The pictures that the README shows, in `openapi/pictures`: made again here and compared.
//!
//! `SARSEN_GOLDEN=write cargo test --test pictures shown` rewrites them.

use std::path::Path;

use sarsen::bots::{Bots, Level, SearchMeans};
use sarsen::games::GameSettings;
use sarsen::pictures::{Ask, Chart, ChartMark, ChartPoint, Svg};
use sarsen::rules::{Seat, Status, Viewer, verdicts};
use serde_json::Value;
use test_kit::environment::GOLDEN;

use crate::pictures::games;
use crate::pictures::matches::Table;

/// Game, seats, moves.
const SHOWN: [(&str, u8, usize); 3] = [("contiguity", 2, 14), ("absolution", 3, 38), ("henge", 3, 60)];

#[test]
fn the_pictures_that_are_shown_are_those_of_this_release() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/pictures");
    let names = ["Ann", "Ben", "Cat"].map(|name| Some(name.to_owned())).to_vec();
    let games = games();
    for (id, seats, moves) in SHOWN {
        let game = games.newest(id).unwrap();
        let table = Table::new(&**game, &Value::Null, seats, 3).steps(moves);
        let ask = Ask { names: names.clone(), ..Ask::default() };
        let drawn = table.drawn(Viewer::Seat(Seat::new(0).unwrap()), ask).into_text();
        is_shown(&folder.join(id).with_extension("svg"), &drawn);
    }
    is_shown(&folder.join("review.svg"), &reviewed().into_text());
}

/// Holds a picture against its file.
fn is_shown(path: &Path, drawn: &str) {
    if GOLDEN.text().is_some_and(|what| what == "write") {
        std::fs::write(path, drawn).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(committed == drawn, "{} is out of date: SARSEN_GOLDEN=write rewrites it", path.display());
}

/// The chart of a match of Contiguity between a bot that slips and one that does not, as the second judges both.
fn reviewed() -> Svg {
    let (games, bots) = (games(), Bots::standard(GameSettings::default()));
    let (game, bot) = (games.newest("contiguity").unwrap(), bots.of("contiguity").unwrap());
    let means = SearchMeans { threads: 1, is_over: &|| false };
    let mut table = Table::new(&**game, &Value::Null, 2, 3);
    let mut judged = Vec::new();
    while let Status::ToAct(acting) = table.state.status() {
        let (seat, version) = (acting.first().unwrap(), judged.len() as u64 + 3);
        let (observation, seed) = (table.state.observe(seat), [version as u8; 32]);
        let level = if seat.number() == 0 { Level::Strength4 } else { Level::Medium };
        let made = bot.rank(level, &observation, seed, &means).unwrap().moves.swap_remove(0).notation;
        let found = bot.assess(Level::Medium, &observation, &made, seed, &means).unwrap();
        judged.push((version, seat, made.clone(), found));
        table.make(seat, made);
    }
    let points = judged.iter().filter_map(|(version, seat, made, found)| {
        let found = found.as_ref()?;
        let mark = match found.loss {
            ..1000 => None,
            1000..2000 => Some(ChartMark::Mistake),
            _ => Some(ChartMark::Blunder),
        };
        let marked = mark.map(|mark| (made.as_str(), mark));
        Some(ChartPoint { version: *version, seat: *seat, value: found.best[0].1 - found.loss, marked })
    });
    let points = points.collect();
    let results = match table.state.status() {
        Status::Over(outcome) => {
            outcome.standings.iter().map(|it| (it.seat, verdicts(&outcome)[it.seat.index()])).collect()
        }
        Status::ToAct(_) | Status::Chance => Vec::new(),
    };
    let last = judged.len() as u64 + 2;
    let chart = Chart { game: "Contiguity", together: false, sums: Vec::new(), last, points, results };
    chart.draw(&Ask { names: ["Ann", "Ben"].map(|name| Some(name.to_owned())).to_vec(), ..Ask::default() })
}
