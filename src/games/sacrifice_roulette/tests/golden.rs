//! One whole match for each number of seats, as everyone sees it, under `tests/golden/sacrifice_roulette/`.
//!
//! After each move: the events as a spectator is shown them, and where a seat is shown more, what; the changes of the
//! spectator's view; and for each seat whatever in its view the spectator does not see. `SARSEN_GOLDEN=write` rewrites
//! the files.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;
use test_kit::golden;

use super::*;

/// A view as a list of places in it and what stands there.
fn facts(state: &State, viewer: Viewer) -> BTreeMap<String, String> {
    let mut view = serde_json::to_value(SacrificeRoulette.view(state, viewer)).unwrap();
    let pits = view["pits"].take();
    let mut facts = BTreeMap::new();
    for pit in pits.as_array().unwrap() {
        facts.insert(format!("pit {}", pit["pit"].as_str().unwrap()), pit["colour"].to_string());
    }
    let players = view["players"].take();
    for (seat, player) in players.as_array().unwrap().iter().enumerate() {
        for (name, value) in player.as_object().unwrap() {
            facts.insert(format!("{seat}.{name}"), value.to_string());
        }
    }
    let rest = view.as_object().unwrap().iter().filter(|(_, value)| **value != Value::Null);
    facts.extend(rest.map(|(name, value)| (name.clone(), value.to_string())));
    facts
}

/// Returns what is in `now` and not, or otherwise, in `before`.
fn changes(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> String {
    let gone = before.keys().filter(|name| !now.contains_key(*name)).map(|name| format!("no {name}"));
    let new = now.iter().filter(|(name, value)| before.get(*name) != Some(value));
    gone.chain(new.map(|(name, value)| format!("{name}={value}"))).collect::<Vec<_>>().join("; ")
}

fn playthrough(count: u8) -> String {
    let (mut dice, mut choice) = (dice(100), dice(200 + u32::from(count)));
    let mut text = format!("Sacrifice Roulette, {count} seats, random moves\n");
    let (mut state, mut events) = SacrificeRoulette.setup(&Options {}, seats(count), &mut dice);
    settle(&SacrificeRoulette, &mut state, &mut dice, &mut events);
    let mut before = BTreeMap::new();
    for number in 1.. {
        for event in &events {
            let seen = |viewer| SacrificeRoulette.redact(event, viewer);
            let json = |event: &Option<Event>| serde_json::to_string(event).unwrap();
            let public = seen(Viewer::Spectator);
            writeln!(text, "  {}", json(&public)).unwrap();
            for seat in seats(count).seats().filter(|seat| seen(Viewer::Seat(*seat)) != public) {
                writeln!(text, "    to seat {seat}: {}", json(&seen(Viewer::Seat(seat)))).unwrap();
            }
        }
        let now = facts(&state, Viewer::Spectator);
        writeln!(text, "  spectator: {}", changes(&before, &now)).unwrap();
        for seat in seats(count).seats() {
            writeln!(text, "  seat {seat} besides: {}", changes(&now, &facts(&state, Viewer::Seat(seat)))).unwrap();
        }
        before = now;
        let Some(actor) = state.actor() else { break };
        let moves = SacrificeRoulette.legal_moves(&state, actor).moves;
        let mv = moves[choice.index(moves.len()).unwrap()];
        writeln!(text, "{number}. seat {actor}: {} (of {})", SacrificeRoulette.notation(&mv), moves.len()).unwrap();
        events = play(&SacrificeRoulette, &mut state, actor, mv, &mut dice).unwrap().events;
    }
    let Status::Over(outcome) = state.status() else { panic!("it goes on") };
    writeln!(text, "{}", serde_json::to_string(&outcome).unwrap()).unwrap();
    text
}

#[test]
fn golden_playthroughs_are_as_they_were() {
    for count in 2..=5 {
        golden::compare(SacrificeRoulette::INFO.id, &count.to_string(), &playthrough(count));
    }
}
