//! Conformance of JSON with the shape that a schema of the document gives it, as strictly as the service means it.

use serde_json::{Map, Value};

/// Returns the target of a reference, or the thing itself.
pub fn resolved<'a>(document: &'a Value, node: &'a Value) -> &'a Value {
    match node["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} leads nowhere")),
        None => node,
    }
}

/// Says where and how the value differs from the schema.
pub fn check(document: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let schema = resolved(document, schema);
    if let Some(tag) = schema["discriminator"]["propertyName"].as_str() {
        return check(document, part(schema, tag, value)?, value).map_err(|fault| format!("{}: {fault}", value[tag]));
    }
    if let Some(parts) = schema["anyOf"].as_array() {
        return check_any(document, parts, value);
    }
    let values = ["enum", "x-extensible-enum"].iter().all(|listed| among(&schema[*listed], value));
    if schema.get("const").is_some_and(|only| only != value) || !values {
        return Err(format!("{value} is not one of the values"));
    }
    if !has_type(&schema["type"], value) {
        return Err(format!("{value} is no {}", schema["type"]));
    }
    match value {
        Value::Object(object) => check_object(document, schema, object),
        Value::Array(items) => items.iter().enumerate().try_for_each(|(index, item)| {
            check(document, &schema["items"], item).map_err(|fault| format!("[{index}]{fault}"))
        }),
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            let low = schema["minimum"].as_f64().is_some_and(|least| number < least);
            let high = schema["maximum"].as_f64().is_some_and(|most| number > most);
            if low || high { Err(format!(" {number} is out of bounds")) } else { Ok(()) }
        }
        Value::String(text) => check_time(schema, text),
        _ => Ok(()),
    }
}

/// Times have three fractional digits, whatever they are named.
fn check_time(schema: &Value, text: &str) -> Result<(), String> {
    let form: String = text.chars().map(|it| if it.is_ascii_digit() { '0' } else { it }).collect();
    let begins_so = form.starts_with("0000-00-00T00:00:00");
    if (begins_so || schema["format"] == "date-time") && form != "0000-00-00T00:00:00.000Z" {
        return Err(format!(" {text} is no time with milliseconds"));
    }
    Ok(())
}

/// The known part of a union that the value says it is. The open part is nothing that a service says of itself: its name
/// is its tag.
fn part<'a>(union: &'a Value, tag: &str, value: &Value) -> Result<&'a Value, String> {
    let known = value[tag].as_str().filter(|told| !told.starts_with("Other"));
    let reference = known.and_then(|told| union["discriminator"]["mapping"][told].as_str());
    let part = reference.and_then(|reference| {
        union["oneOf"].as_array().unwrap().iter().find(|part| part["$ref"].as_str() == Some(reference))
    });
    part.ok_or_else(|| format!("{} is no {tag} that the document knows", value[tag]))
}

fn check_any(document: &Value, parts: &[Value], value: &Value) -> Result<(), String> {
    let mut faults = Vec::new();
    for part in parts {
        match check(document, part, value) {
            Ok(()) => return Ok(()),
            Err(fault) => faults.push(fault),
        }
    }
    Err(faults.join(" and "))
}

fn check_object(document: &Value, schema: &Value, object: &Map<String, Value>) -> Result<(), String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|name| !object.contains_key(*name)) {
        return Err(format!(".{missing} is missing"));
    }
    let others = &schema["additionalProperties"];
    let free = schema["properties"].is_null() || *others == Value::Bool(true);
    for (name, value) in object {
        let fault = match schema["properties"].get(name) {
            Some(property) => check(document, property, value),
            None if others.is_object() => check(document, others, value),
            None if free => Ok(()),
            None => Err(" is not documented".to_owned()),
        };
        fault.map_err(|fault| format!(".{name}{fault}"))?;
    }
    Ok(())
}

fn among(values: &Value, value: &Value) -> bool {
    values.as_array().is_none_or(|values| values.contains(value))
}

fn has_type(kinds: &Value, value: &Value) -> bool {
    let is = |kind: &Value| match kind.as_str().unwrap() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the document has a type {other}"),
    };
    match kinds {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(is),
        kind => is(kind),
    }
}

/// Shapes that a client would accept, and that must not come from the service.
#[test]
fn what_the_service_does_not_document_is_noticed() {
    let document = super::document();
    let named = |name: &str| &document["components"]["schemas"][name];
    let event = serde_json::json!({"type": "draw_offered", "seat": 1});
    assert_eq!(check(document, named("MatchEvent"), &event), Ok(()));
    let faults = [
        ("MatchEvent", serde_json::json!({"type": "comet_fell"})),
        ("MatchEvent", serde_json::json!({"type": "OtherMatchEvent"})),
        ("MatchEvent", serde_json::json!({"type": "draw_offered", "seat": 9})),
        ("MatchEvent", serde_json::json!({"type": "draw_offered", "seat": 1, "mood": "sad"})),
        ("MatchEvent", serde_json::json!({"type": "draw_offered"})),
        ("MatchEvent", serde_json::json!({"type": "match_aborted", "reason": "rain"})),
        ("ContiguityMove", serde_json::json!({"type": "rondel", "steps": 1})),
    ];
    for (name, value) in faults {
        assert!(check(document, named(name), &value).is_err(), "{value}");
    }
}
