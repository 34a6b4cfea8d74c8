//! Going through a document.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// The prefix of a reference to a schema.
pub(super) const SCHEMAS: &str = "#/components/schemas/";

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

/// The schemas that answers are made of, and each game's own names for them.
pub(super) fn answered(document: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let paths = document.get("paths").and_then(Value::as_object);
    let operations = paths.into_iter().flatten().flat_map(|(_, item)| item.as_object().into_iter().flatten());
    let mut queue: Vec<&Value> = operations.filter_map(|(_, operation)| operation.get("responses")).collect();
    queue.extend(document.pointer("/components/responses"));
    queue.extend(document.get("x-games"));
    while let Some(next) = queue.pop() {
        let Some(object) = next.as_object() else {
            queue.extend(next.as_array().into_iter().flatten());
            continue;
        };
        let reference = object.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(SCHEMAS));
        if let Some(name) = reference
            && found.insert(name)
        {
            queue.extend(document["components"]["schemas"].get(name));
        }
        queue.extend(object.iter().filter(|(key, _)| !key.starts_with("example")).map(|(_, value)| value));
    }
    found
}
