//! Unions: what tells their parts apart, and room for the parts of later releases.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::walks::{SCHEMAS, answered, schemas, visit};

/// Returns the faults of the unions.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let answered = answered(document);
    for (name, schema) in schemas(document) {
        visit(schema, &mut |node| {
            let Some(parts) = node.get("oneOf").and_then(Value::as_array) else { return };
            let Some(discriminator) = node.get("discriminator").and_then(Value::as_object) else {
                return faults.push(format!("the schema {name} has a union without discriminator"));
            };
            let fault = parts_fault(document, discriminator, parts, answered.contains(name.as_str()));
            faults.extend(fault.map(|fault| format!("the union of {name} {fault}")));
        });
    }
    faults
}

/// Returns the fault of a union that has a discriminator: a required constant identifies each part; only the last of an
/// `open` one is any other object, and has its own name.
fn parts_fault(document: &Value, by: &Map<String, Value>, parts: &[Value], open: bool) -> Option<String> {
    let property = by.get("propertyName").and_then(Value::as_str)?;
    let mapping = by.get("mapping").and_then(Value::as_object)?;
    let listed: BTreeSet<&str> = parts.iter().filter_map(|part| part.get("$ref")?.as_str()).collect();
    if listed != mapping.values().filter_map(Value::as_str).collect() || listed.len() != parts.len() {
        return Some("does not list the parts of its mapping".to_owned());
    }
    let mut others = Vec::new();
    for (tag, part) in mapping {
        let part = part.as_str()?;
        let schema = document.pointer(part.trim_start_matches('#'))?;
        let required = schema.get("required").and_then(Value::as_array);
        if !required.is_some_and(|all| all.contains(&property.into())) {
            return Some(format!("has the part {tag}, which does not require {property}"));
        }
        match &schema["properties"][property]["const"] {
            told if told == tag => {}
            Value::Null if part == format!("{SCHEMAS}{tag}") => others.push(part),
            _ => return Some(format!("has the part {tag}, which is not told by a constant")),
        }
    }
    let last = parts.last().and_then(|part| part.get("$ref")?.as_str());
    match (open, others.as_slice()) {
        (true, [other]) if last == Some(*other) => None,
        (false, []) => None,
        (true, _) => Some("has no open last part, and a service of a later release answers it".to_owned()),
        (false, _) => Some("is open, though only clients say it".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn part(tag: &str) -> Value {
        json!({"type": "object", "required": ["type"], "properties": {"type": {"const": tag}}})
    }

    /// A union that is answered, and one that is asked for.
    fn sound() -> Value {
        let [a, b, o] = ["A", "B", "O"].map(|name| format!("{SCHEMAS}{name}"));
        json!({
            "paths": {"/x": {"get": {"responses": {"200": {"schema": {"items": [{"$ref": "#/components/schemas/L"}]}}}}}},
            "components": {"schemas": {
                "A": part("a"), "B": part("b"), "O": {"required": ["type"], "properties": {"type": {"type": "string"}}},
                "L": {"properties": {"u": {"$ref": "#/components/schemas/U"}}},
                "U": {"oneOf": [{"$ref": a}, {"$ref": b}, {"$ref": o}],
                      "discriminator": {"propertyName": "type", "mapping": {"a": a, "b": b, "O": o}}},
                "R": {"oneOf": [{"$ref": a}, {"$ref": b}],
                      "discriminator": {"propertyName": "type", "mapping": {"a": a, "b": b}}},
                "N": {"anyOf": [{"type": "null"}, {"$ref": a}]}
            }}
        })
    }

    #[test]
    fn a_sound_union_has_no_faults() {
        assert_eq!(faults(&sound()), Vec::<String>::new());
    }

    #[test]
    fn a_union_without_discriminator_is_missed() {
        let mut document = sound();
        document["components"]["schemas"]["R"].as_object_mut().unwrap().remove("discriminator");
        assert_eq!(faults(&document), ["the schema R has a union without discriminator"]);
    }

    #[test]
    fn what_is_answered_is_open_and_what_is_asked_is_not() {
        let swapped = |from: &str, to: &str| {
            let mut document = sound();
            document["components"]["schemas"][to] = document["components"]["schemas"][from].clone();
            faults(&document)
        };
        assert_eq!(
            swapped("R", "U"),
            ["the union of U has no open last part, and a service of a later release answers it"]
        );
        assert_eq!(swapped("U", "R"), ["the union of R is open, though only clients say it"]);
        let mut document = sound();
        document["components"]["schemas"]["U"]["oneOf"].as_array_mut().unwrap().swap(0, 2);
        assert_eq!(faults(&document).len(), 1);
    }

    #[test]
    fn a_part_is_listed_and_told_by_a_required_constant() {
        for missing in ["A/required", "A/properties/type/const", "U/discriminator/mapping/a", "U/oneOf/0/$ref"] {
            let mut document = sound();
            *document.pointer_mut(&format!("/components/schemas/{missing}")).unwrap() = Value::Null;
            assert!(!faults(&document).is_empty(), "{missing}");
        }
    }
}
