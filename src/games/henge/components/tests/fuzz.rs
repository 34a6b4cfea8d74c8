//! No file makes the validator panic, and it never says nothing.

use proptest::prelude::*;
use serde_json::{Value, json};
use test_kit::environment::PROPTEST_CASES;

use super::super::ComponentSet;
use super::super::testing::reference_json;

/// Returns how many nodes lie below and including this one.
fn size(json: &Value) -> usize {
    1 + match json {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(map) => map.values().map(size).sum(),
        _ => 0,
    }
}

/// The node at this place of a walk, the root being 0.
fn node(json: &mut Value, mut at: usize) -> Option<&mut Value> {
    if at == 0 {
        return Some(json);
    }
    at -= 1;
    let children: Vec<&mut Value> = match json {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => Vec::new(),
    };
    for child in children {
        let below = size(child);
        if at < below {
            return node(child, at);
        }
        at -= below;
    }
    None
}

fn change(json: &mut Value, at: usize, how: usize, other: usize) {
    let nodes = size(json);
    let copied = node(json, other % nodes).cloned();
    let Some(node) = node(json, at % nodes) else { return };
    let scalars =
        [json!(null), json!(0), json!(255), json!(70_000), json!(-1), json!(1.5), json!(""), json!("any"), json!([])];
    match (how, node) {
        (0, Value::Array(items)) => drop(items.pop()),
        (0, Value::Object(map)) => {
            let key = map.keys().nth(other % map.len().max(1)).cloned();
            key.map(|key| map.remove(&key));
        }
        (1, Value::Array(items)) => items.extend(items.first().cloned()),
        (1, Value::Object(map)) => drop(map.insert("new".into(), json!(1))),
        (2, Value::Array(items)) => items.reverse(),
        (2, Value::Number(number)) => *number = (number.as_u64().unwrap_or(0) + 1).into(),
        (3, node) => *node = copied.unwrap_or_default(),
        (how, node) => *node = scalars[how % scalars.len()].clone(),
    }
}

/// 128 files in an ordinary run, as many as the environment says in a full one.
fn cases() -> u32 {
    PROPTEST_CASES.value().unwrap_or(128)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_damage_is_answered(changes in prop::collection::vec((any::<usize>(), 0..13_usize, any::<usize>()), 1..5)) {
        let mut json = reference_json();
        for (at, how, other) in changes {
            change(&mut json, at, how, other);
        }
        match ComponentSet::load(&json.to_string()) {
            Ok(set) => prop_assert_eq!(set.stones.len(), 29),
            Err(faults) => prop_assert!(!faults.is_empty() && faults.iter().all(|fault| !fault.what.is_empty())),
        }
    }
}
