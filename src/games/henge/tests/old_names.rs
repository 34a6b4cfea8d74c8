//! What was stored and exported under the names that Henge had before they became whole words, and what was stored under
//! whole words.
//!
//! The fixtures were made by the last release with the old names and are never to be edited: records of two finished
//! matches, in which every type of event occurs, and a stored state for every entry that the stack can have at rest. The
//! same states as they are stored today are to be edited only with [`Game::INFO`]'s `state_version`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};

use super::super::old_names;
use super::super::state::{Act, BotPiles, Built, Chits, LuckPiles, Person, Trigger};
use super::*;
use sarsen_rules::Part;

const RECORDS: [&str; 2] = [
    include_str!("../../../../tests/fixtures/henge_old_names_record_hbb.json"),
    include_str!("../../../../tests/fixtures/henge_old_names_record_hhb.json"),
];

const STATES: &str = include_str!("../../../../tests/fixtures/henge_states_1.json");
const STATES_TODAY: &str = include_str!("../../../../tests/fixtures/henge_states_3.json");

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
fn every_old_state_is_read_and_written_as_today() {
    let load = |state: &Value| Henge::default().load(&serde_json::value::to_raw_value(state).unwrap()).unwrap();
    let states: serde_json::Map<String, Value> = serde_json::from_str(STATES).unwrap();
    let mut written = serde_json::Map::new();
    for (top, old) in &states {
        let named = Henge::default().upgrade(1, old.clone()).unwrap();
        assert_eq!(Henge::default().upgrade(2, named.clone()), Some(named.clone()));
        let state = load(&named);
        let present = serde_json::to_value(&state).unwrap();
        assert_eq!(load(&present), state, "{top}");
        written.insert(top.clone(), present);
    }
    assert_eq!(Value::Object(written), serde_json::from_str::<Value>(STATES_TODAY).unwrap());
    // Hengebots' turns and the scoring are never left over between two moves.
    let kinds = ["move", "act", "discard", "drop", "reward", "level", "choose", "track", "effects", "luck_draws"];
    let kinds: BTreeSet<&str> = kinds.into_iter().chain(["bonus_draws", "end"]).collect();
    assert_eq!(states.keys().map(String::as_str).collect::<BTreeSet<_>>(), kinds);
    assert_eq!(Henge::default().upgrade(3, Value::Null), None);
}

/// What is written by place is read by name in the states of earlier releases: both name the same fields.
fn stands_by_place<T>(by_place: Value, by_name: Value)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let read: T = serde_json::from_value(by_place.clone()).unwrap();
    assert_eq!(read, serde_json::from_value(by_name).unwrap());
    assert_eq!(serde_json::to_value(&read).unwrap(), by_place);
}

#[test]
fn what_is_stored_by_place_stays_in_its_place() {
    stands_by_place::<Act>(
        json!(["luck", true, 1, 2, 3, 4, 5, 6, 7, 8, 9, false]),
        json!({"a": "luck", "s": true, "u": 1, "l": 2, "d": 3, "n": 4, "r": 5, "g": 6, "t": 7, "v": 8, "c": 9, "i": false}),
    );
    stands_by_place::<Person>(
        json!([1, 2, 3, [4, 5, 6, 7, 8], 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, [[19, 20, true]], [21]]),
        json!({
            "coins": 1, "travel_tokens": 2, "victory_points": 3, "levels": [4, 5, 6, 7, 8], "luck_steps": 9, "hand": 10,
            "offer": 11, "spring": 12, "marks": 13, "refused": 14, "end_of_game_cards": 15, "dropped": 16, "returned": 17,
            "end_of_game_drawn": 18, "stones": [{"s": 19, "a": 20, "c": true}], "installed": [21],
        }),
    );
    stands_by_place::<LuckPiles>(json!([1, [2], [3], 4]), json!({"deck": 1, "discards": [2], "spent": [3], "held": 4}));
    stands_by_place::<Chits>(json!([1, [2], [3]]), json!({"stack": 1, "face_up": [2], "used": [3]}));
    stands_by_place::<BotPiles>(json!([1, [2], [true]]), json!({"deck": 1, "discards": [2], "carve_token_up": [true]}));
    stands_by_place::<Built>(json!([1, 2]), json!({"p": 1, "s": 2}));
    stands_by_place::<Trigger>(json!([1, "deck"]), json!({"round": 1, "cause": "deck"}));
}

#[test]
fn an_old_frame_that_does_not_read_is_an_error() {
    let states: serde_json::Map<String, Value> = serde_json::from_str(STATES).unwrap();
    let frames = [json!({"act": null}), json!("act"), json!("nothing_of_ours")];
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
