//! One whole match for each number of seats as text: after each move the events as a spectator and each seat read them,
//! and what has changed in what they see. A reviewer can look for leaks in it, and a test sees any change.
//!
//! `SARSEN_GOLDEN=write` rewrites the files.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use test_kit::golden;

use super::*;

/// A view as its parts: `seats.0.hand` and so on, lists of plain values whole.
type Parts = BTreeMap<String, String>;

fn parts(path: &str, value: &Value, found: &mut Parts) {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| parts(&inner(key), value, found)),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().enumerate().for_each(|(index, value)| parts(&inner(&index.to_string()), value, found));
        }
        plain => {
            found.insert(path.to_owned(), plain.to_string().replace('"', ""));
        }
    }
}

fn seen(state: &State, viewer: Viewer) -> Parts {
    let mut found = Parts::new();
    parts("", &serde_json::to_value(Absolution.view(state, viewer)).unwrap(), &mut found);
    found
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap().replace('"', "")
}

/// Writes down what each viewer is told and sees.
struct Scribe {
    text: String,
    /// The last view of a spectator, and the differences of each seat's.
    open: Parts,
    own: Vec<Parts>,
}

impl Scribe {
    fn write(&mut self, state: &State, title: &str, events: &[Event]) {
        let text = &mut self.text;
        writeln!(text, "# {title}").unwrap();
        for event in events {
            let open = Absolution.redact(event, Viewer::Spectator);
            writeln!(text, "all  > {}", self::text(&open.as_ref().unwrap())).unwrap();
            for seat in state.seats().seats() {
                let own = Absolution.redact(event, Viewer::Seat(seat));
                if own != open {
                    writeln!(text, "{seat}    > {}", self::text(&own.unwrap())).unwrap();
                }
            }
        }
        let open = seen(state, Viewer::Spectator);
        changes(text, "all", &self.open, &open);
        for seat in state.seats().seats() {
            let mut own = seen(state, Viewer::Seat(seat));
            own.retain(|path, value| open.get(path) != Some(value));
            assert!(own.keys().all(|path| *path == format!("seats.{seat}.hand")), "seat {seat} sees {own:?}");
            changes(text, &seat.to_string(), &self.own[seat.index()], &own);
            self.own[seat.index()] = own;
        }
        self.open = open;
    }
}

/// One line with every part that is new, other than before, or gone.
fn changes(text: &mut String, who: &str, before: &Parts, after: &Parts) {
    let mut line = String::new();
    for (path, value) in after.iter().filter(|(path, value)| before.get(*path) != Some(value)) {
        write!(line, " {path}={value}").unwrap();
    }
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        write!(line, " -{path}").unwrap();
    }
    if !line.is_empty() {
        writeln!(text, "{who:<4} ={line}").unwrap();
    }
}

fn playthrough(seats: u8) -> String {
    let mut dice = dice(100 + seats);
    let (mut state, events) = start(Options::default(), seats, &mut dice);
    let own = vec![Parts::new(); usize::from(seats)];
    let mut scribe = Scribe { text: String::new(), open: Parts::new(), own };
    scribe.write(&state, &format!("set-up for {seats} seats"), &events);
    let mut talk = ["wish 14 blue", "ready night 5 great", "wish 30", "ready day 30 poor"].iter().cycle();
    while let Status::ToAct(acting) = Absolution.status(&state) {
        let actor = acting.iter().last().unwrap();
        let (speaker, mv) = match dice.below(12) {
            0 => (seat(dice.below(u32::from(seats)) as u8), Absolution.parse(talk.next().unwrap()).unwrap()),
            1 => (actor, players::random(&state, actor, &mut dice)),
            _ => (actor, players::matcher(&state, actor, &mut dice)),
        };
        let title = format!("{speaker} {}", Absolution.notation(&mv));
        if let Ok(played) = play(&Absolution, &mut state, speaker, mv, &mut dice) {
            scribe.write(&state, &title, &played.events);
        }
    }
    scribe.text
}

#[test]
fn golden_playthroughs() {
    for seats in 2..=5 {
        golden::compare(Absolution::INFO.id, &seats.to_string(), &playthrough(seats));
    }
}
