//! Sets for tests: the reference with changes.

use serde_json::Value;

use super::fault::Faults;
use super::registry::{ComponentSets, Components, REFERENCE};
use super::set::ComponentSet;

/// The reference file as JSON.
pub(crate) fn reference_json() -> Value {
    serde_json::from_str(REFERENCE).unwrap()
}

/// Returns what loading the reference with a change answers.
///
/// # Errors
/// The faults that the validation finds.
pub(crate) fn load_changed(change: impl FnOnce(&mut Value)) -> Result<ComponentSet, Faults> {
    let mut json = reference_json();
    change(&mut json);
    ComponentSet::load(&json.to_string())
}

/// The reference with a change, under a name of its own. The result must be sound.
pub(crate) fn changed(name: &str, change: impl FnOnce(&mut Value)) -> Components {
    let set = load_changed(|json| {
        json["meta"]["name"] = name.into();
        change(json);
    });
    Components::new(set.unwrap_or_else(|faults| panic!("{faults}")))
}

/// These and the reference; the first is offered.
pub(crate) fn sets(named: &[&Components]) -> ComponentSets {
    let mut sets = ComponentSets::default();
    for set in named {
        sets.add(&set.id().name, (*set).clone());
    }
    sets
}
