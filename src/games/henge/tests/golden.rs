//! Golden playthroughs: one random match for each kind of table, showing after each move what happened as a spectator
//! sees it, and what each seat sees beyond that. Written anew with `SARSEN_GOLDEN=write`.

use std::fmt::Write;

use serde_json::Value;

use super::*;
use crate::games::golden;
use crate::rules::{Status, Viewer, play, settle};

const TABLES: [&str; 7] = ["hbb", "hbh", "hhh", "hhbb", "hhhb", "hhhh", "hhhhh"];

/// The type first, then the other properties without quotes.
fn brief(event: &Event) -> String {
    let json = serde_json::to_value(event).unwrap();
    let mut text = json["type"].as_str().unwrap().to_owned();
    let is_told = |name: &str| name != "type" && (name != "place" || json["seat"].is_null());
    for (name, value) in json.as_object().unwrap().iter().filter(|(name, _)| is_told(name)) {
        write!(text, " {name}={}", plain(value)).unwrap();
    }
    text
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "?".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(" ")),
        Value::Object(map) => {
            let parts: Vec<String> = map.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
            format!("({})", parts.join(" "))
        }
        other => other.to_string(),
    }
}

fn name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => format!("seat {seat}"),
        Viewer::Spectator => "spectator".to_owned(),
        Viewer::Omniscient => "all".to_owned(),
    }
}

/// What the hidden part of each viewer's view holds: hands, bonus cards, drops.
fn hidden(state: &State, viewer: Viewer) -> String {
    let mats = state.view(viewer).places.into_iter().filter_map(|place| place.mat.map(|mat| (place.place, mat)));
    let cards = |cards: &Option<Vec<super::super::set::Id>>, count: u8| match cards {
        None => "?".repeat(usize::from(count)),
        Some(cards) => cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    let of = |(place, mat): (u8, super::super::view::HengeMat)| {
        format!(
            "{place}: luck {} spring {} eog {} dropped {}",
            cards(&mat.hand, mat.hand_count),
            mat.spring.map_or("-".to_owned(), |card| card.to_string()),
            cards(&mat.eog, mat.eog_count),
            cards(&mat.drops, mat.drops_count),
        )
    };
    mats.map(of).collect::<Vec<_>>().join(" | ")
}

fn told(text: &mut String, events: &[Event], viewers: &[Viewer]) {
    for event in events.iter().filter(|event| !matches!(event, Event::DecisionDue(_))) {
        let public = Henge::redact(event, Viewer::Spectator).unwrap();
        writeln!(text, "    {}", brief(&public)).unwrap();
        for viewer in viewers {
            let seen = Henge::redact(event, *viewer).unwrap();
            if seen != public {
                writeln!(text, "      to {}: {}", name(*viewer), brief(&seen)).unwrap();
            }
        }
    }
}

fn playthrough(table: &str, number: u8) -> String {
    let (mut dice, mut choice) = (dice(number), super::dice(number + 100));
    let (mut state, mut events) = Henge::setup(&options(table), people(table), &mut dice);
    settle::<Henge>(&mut state, &mut dice, &mut events);
    let viewers: Vec<Viewer> = state.count().seats().map(Viewer::Seat).collect();
    let mut text = format!("{table}\n");
    told(&mut text, &events, &viewers);
    let mut shown: Vec<String> = Vec::new();
    while let Status::ToAct(seats) = state.status() {
        let acting: Vec<Seat> = seats.iter().collect();
        let actor = acting[choice.index(acting.len()).unwrap()];
        let moves = state.legal(actor);
        let mv = moves[choice.index(moves.len()).unwrap()];
        writeln!(text, "{actor} {} (of {})", Henge::notation(&mv), moves.len()).unwrap();
        let events = play::<Henge>(&mut state, actor, mv, &mut dice).unwrap().events;
        told(&mut text, &events, &viewers);
        let now: Vec<String> =
            viewers.iter().chain([&Viewer::Spectator]).map(|viewer| hidden(&state, *viewer)).collect();
        let is_round = events.iter().any(|event| matches!(event, Event::RoundBegun(_)));
        if (is_round || matches!(mv, Move::Spring(_))) && now != shown {
            for (viewer, line) in viewers.iter().chain([&Viewer::Spectator]).zip(&now) {
                writeln!(text, "  {} sees {line}", name(*viewer)).unwrap();
            }
            shown = now;
        }
    }
    text
}

#[test]
fn matches_go_as_recorded() {
    for (number, table) in TABLES.into_iter().enumerate() {
        golden::compare(Henge::INFO.id, table, &playthrough(table, number as u8 + 1));
    }
}
