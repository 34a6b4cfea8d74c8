//! What was stored and exported under the names that Henge had before they became whole words.
//!
//! The fixtures were made by the last release with those names and are never to be edited: records of two finished
//! matches, in which every type of event occurs, and a stored state for every entry that the stack can have at rest.

use std::collections::BTreeSet;

use serde_json::Value;
use utoipa::openapi::{RefOr, Schema};

use super::super::old_names;
use super::*;
use crate::rules::Part;

const RECORDS: [&str; 2] = [
    include_str!("../../../../tests/fixtures/henge_old_names_record_hbb.json"),
    include_str!("../../../../tests/fixtures/henge_old_names_record_hhb.json"),
];

const STATES: &str = include_str!("../../../../tests/fixtures/henge_states_1.json");

/// The events of the game in both records.
fn old_events() -> Vec<Value> {
    let records = RECORDS.map(|record| serde_json::from_str::<Value>(record).unwrap());
    let steps = records.iter().flat_map(|record| record["steps"].as_array().unwrap());
    let events = steps.flat_map(|step| step["events"].as_array().unwrap());
    let life = ["match_", "player_", "entropy_", "move_made"];
    let of_game = |event: &&Value| !life.iter().any(|start| event["type"].as_str().unwrap().starts_with(start));
    events.filter(of_game).cloned().collect()
}

#[test]
fn every_old_event_is_read_with_the_names_of_today() {
    let mut kinds = BTreeSet::new();
    for old in old_events() {
        let present = Henge::default().upgrade_event(old.clone());
        let event: Event = serde_json::from_value(present.clone()).unwrap_or_else(|error| panic!("{error}: {old}"));
        assert_eq!(serde_json::to_value(&event).unwrap(), present);
        assert_eq!(Henge::default().upgrade_event(present.clone()), present, "an event of today is changed");
        kinds.insert(present["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds, Event::parts().iter().map(|part| part.tag.to_owned()).collect());
}

#[test]
fn every_old_state_is_read_and_written_with_the_names_of_today() {
    let states: serde_json::Map<String, Value> = serde_json::from_str(STATES).unwrap();
    for (top, old) in &states {
        let present = Henge::default().upgrade(1, old.clone()).unwrap();
        let state = Henge::default().load(&serde_json::value::to_raw_value(&present).unwrap()).unwrap();
        assert_eq!(serde_json::to_value(&state).unwrap(), present, "{top}");
    }
    // Hengebots' turns and the scoring are never left over between two moves.
    let kinds = ["move", "act", "discard", "drop", "reward", "level", "choose", "track", "effects", "luck_draws"];
    let kinds: BTreeSet<&str> = kinds.into_iter().chain(["bonus_draws", "end"]).collect();
    assert_eq!(states.keys().map(String::as_str).collect::<BTreeSet<_>>(), kinds);
    assert_eq!(Henge::default().upgrade(2, Value::Null), None);
}

#[test]
fn an_old_frame_that_does_not_read_is_an_error() {
    let states: serde_json::Map<String, Value> = serde_json::from_str(STATES).unwrap();
    let frames = [serde_json::json!({"act": null}), serde_json::json!("act"), serde_json::json!("nothing_of_ours")];
    for frame in frames {
        let mut old = states["move"].clone();
        old["stack"].as_array_mut().unwrap().push(frame.clone());
        let present = Henge::default().upgrade(1, old).unwrap();
        let read = Henge::default().load(&serde_json::value::to_raw_value(&present).unwrap());
        assert!(read.is_err(), "{frame}");
    }
}

/// The names of the properties in a schema, and of those within it.
fn properties(schema: &RefOr<Schema>, names: &mut BTreeSet<String>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            for (name, inner) in &object.properties {
                names.insert(name.clone());
                properties(inner, names);
            }
        }
        RefOr::T(Schema::OneOf(one)) => one.items.iter().for_each(|item| properties(item, names)),
        _ => {}
    }
}

#[test]
fn no_old_name_is_a_name_of_today() {
    let mut names = BTreeSet::new();
    for part in Event::parts().into_iter().chain([Part::of::<HengeView>("henge")]) {
        assert!(!old_names::EVENTS.iter().any(|(old, _)| *old == part.tag), "{}", part.tag);
        properties(&part.schema, &mut names);
        part.nested.iter().for_each(|(_, schema)| properties(schema, &mut names));
    }
    let old: Vec<&String> = names.iter().filter(|name| old_names::FIELDS.iter().any(|(old, _)| old == name)).collect();
    assert!(old.is_empty(), "{old:?}");
    for table in [old_names::EVENTS, old_names::FIELDS, old_names::FIGURES] {
        assert!(table.iter().all(|(_, present)| !table.iter().any(|(old, _)| old == present)));
    }
}
