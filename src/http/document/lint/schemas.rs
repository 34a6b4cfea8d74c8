//! Schemas: what generators need to make good types of them.

use serde_json::{Map, Value};

use super::walks::{schemas, visit_definitions};
use crate::document::open::MORE;

/// What is wrong with the schemas.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, schema) in schemas(document) {
        let mut named = schema.clone();
        let own = named.as_object_mut().and_then(|named| named.remove("enum"));
        // An open enumeration may begin with one value: its references take other texts too.
        let open = schema["description"].as_str().is_some_and(|text| text.contains(MORE));
        if !open && own.is_some_and(|values| values.as_array().is_none_or(|values| values.len() < 2)) {
            faults.push(format!("{name} has one value: that is a constant"));
        }
        faults.extend(untold_value(schema).map(|value| format!("{name} does not say what {value} means")));
        visit_definitions(&named, &mut |node| {
            faults.extend(enum_fault(node).map(|fault| format!("in {name} {fault}")))
        });
    }
    for part in ["paths", "components"].iter().filter_map(|part| document.get(*part)) {
        visit_definitions(part, &mut |node| {
            faults.extend(hidden_text(node));
            faults.extend(lost_reference(document, node));
        });
    }
    visit_definitions(&document["paths"], &mut |node| faults.extend(enum_fault(node)));
    faults
}

/// An enumeration has a name of its own: generators make a type of each that they find, for every place where it is
/// found. (What a value is not is no type.)
fn enum_fault(node: &Map<String, Value>) -> Option<String> {
    let values = node.get("enum").filter(|values| values.is_array() && node.contains_key("type"))?;
    Some(format!("an enumeration has no name: {values}"))
}

/// A value of the enumeration that its description does not speak of, as `value`: and what it means.
fn untold_value(schema: &Value) -> Option<&str> {
    let told = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut values = schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    values.find(|value| !told.contains(&format!("`{value}`: ")))
}

/// A reference leads somewhere.
fn lost_reference(document: &Value, node: &Map<String, Value>) -> Option<String> {
    let reference = node.get("$ref").and_then(Value::as_str)?;
    let found = reference.strip_prefix('#').and_then(|pointer| document.pointer(pointer));
    found.is_none().then(|| format!("{reference} leads nowhere"))
}

/// Text within a part of a choice is lost: it belongs beside the choice.
fn hidden_text(node: &Map<String, Value>) -> Option<String> {
    let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|key| node.get(*key)?.as_array()).flatten();
    let hides = |part: &&Value| part.get("$ref").is_some() && part.get("description").is_some();
    parts.into_iter().find(hides).map(|part| format!("a description stands within a choice: {part}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of_property(property: Value) -> Vec<String> {
        let words = json!({"type": "string", "enum": ["a", "b"], "description": "Two.\n- `a`: One.\n- `b`: Other."});
        faults(&json!({"components": {"schemas": {"Words": words, "O": {"properties": {"x": property}}}}}))
    }

    #[test]
    fn an_enumeration_has_a_name() {
        assert_eq!(of_property(json!({"$ref": "#/components/schemas/Words"})), Vec::<String>::new());
        assert_eq!(of_property(json!({"type": "string", "not": {"enum": ["a"]}})), Vec::<String>::new());
        assert_eq!(of_property(json!({"type": "string", "enum": ["a", "b"]})).len(), 1);
        let schema = json!({"type": "string", "enum": ["a"]});
        assert_eq!(faults(&json!({"paths": {"/x": {"get": {"parameters": [{"schema": schema}]}}}})).len(), 1);
    }

    #[test]
    fn a_constant_is_no_enumeration() {
        let one = json!({"type": "string", "enum": ["a"], "description": "`a`: All."});
        assert_eq!(faults(&json!({"components": {"schemas": {"One": one}}})).len(), 1);
        let open = json!({"type": "string", "enum": ["a"], "description": format!("{MORE} `a`: One.")});
        assert_eq!(faults(&json!({"components": {"schemas": {"Open": open}}})), Vec::<String>::new());
        assert_eq!(of_property(json!({"type": "string", "const": "a"})), Vec::<String>::new());
    }

    #[test]
    fn every_value_is_described() {
        let untold = json!({"type": "string", "enum": ["a", "b"], "description": "Two.\n- `a`: One."});
        assert_eq!(faults(&json!({"components": {"schemas": {"Words": untold}}})), ["Words does not say what b means"]);
    }

    #[test]
    fn text_stands_beside_a_choice() {
        let words = "#/components/schemas/Words";
        assert_eq!(of_property(json!({"anyOf": [{"$ref": words, "description": "Text."}, {"type": "null"}]})).len(), 1);
        assert_eq!(of_property(json!({"anyOf": [{"$ref": words}], "description": "Text."})), Vec::<String>::new());
    }

    #[test]
    fn a_reference_leads_somewhere() {
        assert_eq!(of_property(json!({"$ref": "#/components/schemas/Nothing"})).len(), 1);
    }
}
