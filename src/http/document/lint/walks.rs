//! Going through a document.

use serde_json::{Map, Value};

/// The named schemas.
pub(super) fn schemas(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten()
}

/// Shows `act` every object in `node`, itself included.
pub(super) fn visit(node: &Value, act: &mut impl FnMut(&Map<String, Value>)) {
    match node {
        Value::Object(object) => {
            act(object);
            object.values().for_each(|value| visit(value, act));
        }
        Value::Array(items) => items.iter().for_each(|value| visit(value, act)),
        _ => {}
    }
}

/// The same without the examples, which are data.
pub(super) fn visit_definitions(node: &Value, act: &mut impl FnMut(&Map<String, Value>)) {
    match node {
        Value::Object(object) => {
            act(object);
            let definitions = object.iter().filter(|(key, _)| !key.starts_with("example"));
            definitions.for_each(|(_, value)| visit_definitions(value, act));
        }
        Value::Array(items) => items.iter().for_each(|value| visit_definitions(value, act)),
        _ => {}
    }
}
