//! Golden playthroughs: three whole matches with different players, as the seat and a spectator see them. What a
//! viewer may not see is printed on lines of its own, so that a leak strikes the eye.
//!
//! `SARSEN_GOLDEN=write cargo test --lib golden` rewrites them.

use std::fmt::Write;

use serde_json::{Map, Value};
use test_kit::golden;

use super::*;

/// The members of `now` that differ from `before`.
fn changes(before: &Value, now: &Value) -> Value {
    let members = now.as_object().unwrap().iter();
    let changed = members.filter(|(name, value)| before.get(name.as_str()) != Some(value));
    Value::Object(changed.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
}

fn show(text: &mut String, state: &State, events: &[Event], before: &mut [Value; 2]) {
    let viewers = [("seat 0", Viewer::Seat(seat())), ("spectator", Viewer::Spectator)];
    let seen = viewers.map(|(name, viewer)| {
        let events: Vec<Option<Event>> =
            events.iter().map(|event| ThiefOfTheSacredFire.redact(event, viewer)).collect();
        (name, events, serde_json::to_value(ThiefOfTheSacredFire.view(state, viewer)).unwrap())
    });
    let same = seen[0].1 == seen[1].1 && seen[0].2 == seen[1].2;
    for ((name, events, view), before) in seen.into_iter().zip(before) {
        if name != "spectator" || !same {
            writeln!(text, "{}:", if same { "everyone" } else { name }).unwrap();
            for event in &events {
                writeln!(text, "  {}", event.as_ref().map_or("withheld".into(), |e| serde_json::to_string(e).unwrap()))
                    .unwrap();
            }
            writeln!(text, "  view {}", changes(before, &view)).unwrap();
        }
        *before = view;
    }
    let deck: Vec<String> = state.pile.cards().iter().rev().map(Card::to_string).collect();
    writeln!(text, "nobody:\n  deck {}", deck.join(" ")).unwrap();
}

fn playthrough(seed: u32, player: players::Player) -> String {
    let (mut state, events, mut chance) = created(seed);
    state.options.turn_limit = 40;
    let mut choice = dice(seed + 500);
    let mut text = format!("# Thief of the Sacred Fire, rules version {}\n", ThiefOfTheSacredFire::INFO.rules_version);
    let mut before = [Value::Null, Value::Null];
    show(&mut text, &state, &events, &mut before);
    while let Status::ToAct(_) = state.status() {
        let moves = ThiefOfTheSacredFire.legal_moves(&state, seat()).moves;
        let mv = player(&state, &mut choice);
        let notations: Vec<String> = moves.iter().map(|mv| ThiefOfTheSacredFire.notation(mv)).collect();
        writeln!(text, "\n# {} legal: {}", moves.len(), notations.join(", ")).unwrap();
        writeln!(text, "> {}", ThiefOfTheSacredFire.notation(&mv)).unwrap();
        let events = play(&ThiefOfTheSacredFire, &mut state, seat(), mv, &mut chance).unwrap().events;
        show(&mut text, &state, &events, &mut before);
    }
    let Status::Over(outcome) = state.status() else { panic!("it goes on") };
    writeln!(text, "\noutcome {}", serde_json::to_string(&outcome).unwrap()).unwrap();
    text
}

#[test]
fn playthroughs_are_as_recorded() {
    let players: [(&str, u32, players::Player); 3] =
        [("random", 1, players::random), ("hurried", 2, players::hurried), ("cautious", 3, players::cautious)];
    for (name, seed, player) in players {
        golden::compare(ThiefOfTheSacredFire::INFO.id, name, &playthrough(seed, player));
    }
}
