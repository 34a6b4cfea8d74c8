//! Sets for tests: the reference with changes. They can be found by their id like any other, so that states with
//! them can be stored and read.

use std::sync::Mutex;

use serde_json::Value;

use super::registry::{Components, REFERENCE};
use super::{ComponentSet, Faults};

static SETS: Mutex<Vec<Components>> = Mutex::new(Vec::new());

/// The reference file as JSON.
pub fn reference_json() -> Value {
    serde_json::from_str(REFERENCE).unwrap()
}

/// What loading the reference with a change answers.
pub fn load_changed(change: impl FnOnce(&mut Value)) -> Result<ComponentSet, Faults> {
    let mut json = reference_json();
    change(&mut json);
    ComponentSet::load(&json.to_string())
}

/// The reference with a change, under a name of its own. The result must be sound.
pub fn changed(name: &str, change: impl FnOnce(&mut Value)) -> Components {
    let set = load_changed(|json| {
        json["meta"]["name"] = name.into();
        change(json);
    });
    let set = set.unwrap_or_else(|faults| panic!("{faults}"));
    let mut sets = SETS.lock().unwrap();
    if let Some(known) = sets.iter().find(|known| known.id() == set.id()) {
        return *known;
    }
    let set = Components(Box::leak(Box::new(set)));
    sets.push(set);
    set
}

/// The sets made so far.
pub fn sets() -> Vec<Components> {
    SETS.lock().unwrap().clone()
}
