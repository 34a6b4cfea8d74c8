//! Each constraint of section 1.4 broken in one way: the reference set with one change, and every fault it then has.

mod boards;
mod cards;
mod effects;

use serde_json::{Value, json};

use super::super::testing::load_changed;
use super::super::{ComponentSet, reference};

fn faults(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let faults = load_changed(change).err().map(|faults| faults.iter().map(ToString::to_string).collect());
    faults.unwrap_or_default()
}

/// Checks `cases` of a pointer into the file, the value put there, and the faults.
fn check(cases: &[(&str, Value, &[&str])]) {
    for (pointer, value, expected) in cases {
        let found = faults(|json| put(json, pointer, value.clone()));
        assert_eq!(&found, expected, "{pointer} = {value}");
    }
}

fn put(json: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    match json.pointer_mut(parent).unwrap() {
        Value::Object(map) => drop(map.insert(key.to_owned(), value)),
        list => list[key.parse::<usize>().unwrap()] = value,
    }
}

fn remove(json: &mut Value, list: &str, at: usize) {
    json.pointer_mut(list).unwrap().as_array_mut().unwrap().remove(at);
}
