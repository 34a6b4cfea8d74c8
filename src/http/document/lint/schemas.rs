//! Schemas: what generators need to make good types of them.

use serde_json::{Map, Value};

use super::walks::{answered, schemas, visit_definitions};
use crate::document::open::VALUES;
use crate::document::unions::pascal;

/// Names that generators of some language give another name, because the language or its standard library has them.
const RESERVED: [&str; 22] = [
    "Array",
    "Boolean",
    "Character",
    "Class",
    "Data",
    "Date",
    "Enum",
    "Error",
    "Exception",
    "File",
    "Function",
    "List",
    "Map",
    "Number",
    "Object",
    "Option",
    "Result",
    "Set",
    "String",
    "Task",
    "Type",
    "Version",
];

/// Returns the faults of the schemas.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, schema) in schemas(document) {
        let mut named = schema.clone();
        let own = named.as_object_mut().and_then(|named| named.remove("enum"));
        if own.is_some_and(|values| values.as_array().is_none_or(|values| values.len() < 2)) {
            faults.push(format!("{name} has one value: that is a constant"));
        }
        faults.extend(untold_value(schema).map(|value| format!("{name} does not say what {value} means")));
        for inner in named.as_object().into_iter().flat_map(Map::values) {
            visit_definitions(inner, &mut |node| {
                let fault = enum_fault(node).or_else(|| choice_fault(node));
                faults.extend(fault.map(|fault| format!("in {name} {fault}")))
            });
        }
        faults.extend(name_fault(document, name));
        faults.extend(property_fault(document, name, schema));
    }
    let closed = |name: &&str| document["components"]["schemas"][*name]["additionalProperties"] == false;
    let closed = answered(document).into_iter().filter(closed);
    faults.extend(closed.map(|name| format!("{name} is answered and forbids properties of later releases")));
    for part in ["paths", "components"].iter().filter_map(|part| document.get(*part)) {
        visit_definitions(part, &mut |node| {
            faults.extend(hidden_text(node));
            faults.extend(lost_reference(document, node));
            let default = node.get("default").filter(|default| default.is_object() || default.is_array());
            faults.extend(default.map(|default| format!("a default is no plain value: {default}")));
        });
    }
    visit_definitions(&document["paths"], &mut |node| faults.extend(enum_fault(node).or_else(|| choice_fault(node))));
    faults
}

/// A name that a generator takes for a constructor (`NewMove`), for the request or the answer of an operation or of
/// another schema, or for a word of its language.
fn name_fault(document: &Value, name: &str) -> Option<String> {
    let others = |stem: &str| !document["components"]["schemas"][stem].is_null() || is_operation(document, stem);
    let makes = |word: &str| name.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    let twin = ["Request", "Response"].iter().any(|word| name.strip_suffix(word).is_some_and(others));
    let fault = if RESERVED.contains(&name) {
        "is a word of some language"
    } else if makes("New") || makes("Api") {
        "begins like what generators make of a name"
    } else if twin {
        "is what generators make of another name"
    } else {
        return None;
    };
    Some(format!("the name {name} {fault}"))
}

fn is_operation(document: &Value, name: &str) -> bool {
    let items = document["paths"].as_object().into_iter().flat_map(Map::values);
    let mut ids = items.filter_map(Value::as_object).flat_map(Map::values).filter_map(|it| it["operationId"].as_str());
    ids.any(|id| pascal(&format!("{}{}", id[..1].to_uppercase(), &id[1..])) == name)
}

/// A choice between something and null whose name, which generators make of the parent's and the property's, is that of a
/// schema: then the type holds itself.
fn property_fault(document: &Value, name: &str, schema: &Value) -> Option<String> {
    let properties = schema.get("properties")?.as_object()?;
    let choices = properties.iter().filter(|(_, it)| it.get("oneOf").or(it.get("anyOf")).is_some());
    let mut made = choices.map(|(property, _)| format!("{name}{}", pascal(property)));
    let taken = made.find(|made| !document["components"]["schemas"][made].is_null())?;
    Some(format!("a choice in {name} is called like {taken}"))
}

/// A choice that has no name, other than between something and null.
fn choice_fault(node: &Map<String, Value>) -> Option<String> {
    let parts = ["oneOf", "anyOf"].iter().find_map(|key| node.get(*key)?.as_array())?;
    let several = parts.iter().filter(|part| part["type"] != "null").count() > 1;
    several.then(|| format!("a choice has no name: {parts:?}"))
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
    let values = ["enum", VALUES].iter().filter_map(|key| schema.get(*key)?.as_array());
    let mut values = values.flatten().filter_map(Value::as_str);
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
        let open = json!({"type": "string", VALUES: ["a"], "description": "`a`: One."});
        assert_eq!(faults(&json!({"components": {"schemas": {"Open": open}}})), Vec::<String>::new());
        assert_eq!(of_property(json!({"type": "string", "const": "a"})), Vec::<String>::new());
    }

    #[test]
    fn every_value_is_described() {
        let untold = json!({"type": "string", "enum": ["a", "b"], "description": "Two.\n- `a`: One."});
        assert_eq!(faults(&json!({"components": {"schemas": {"Words": untold}}})), ["Words does not say what b means"]);
        let untold = json!({"type": "string", VALUES: ["a", "b"], "description": "Two.\n- `a`: One."});
        assert_eq!(faults(&json!({"components": {"schemas": {"Words": untold}}})), ["Words does not say what b means"]);
    }

    #[test]
    fn no_choice_is_called_like_a_schema() {
        let with = |property: &str| {
            let text = json!({"type": "object"});
            let choice = json!({"anyOf": [{"$ref": "#/components/schemas/ThingPartCount"}, {"type": "null"}]});
            let thing = json!({"type": "object", "properties": {property: choice}});
            faults(&json!({"components": {"schemas": {"ThingPartCount": text, "Thing": thing}}}))
        };
        assert_eq!(with("part"), Vec::<String>::new());
        assert_eq!(with("part_count"), ["a choice in Thing is called like ThingPartCount"]);
    }

    #[test]
    fn a_choice_has_a_name_and_a_default_is_plain() {
        let words = json!({"$ref": "#/components/schemas/Words"});
        assert_eq!(of_property(json!({"anyOf": [words, {"type": "null"}]})), Vec::<String>::new());
        assert_eq!(of_property(json!({"anyOf": [words, {"type": "string"}]})).len(), 1);
        assert_eq!(of_property(json!({"oneOf": [words, {"type": "string"}, {"type": "null"}]})).len(), 1);
        assert_eq!(of_property(json!({"type": "string", "default": ""})), Vec::<String>::new());
        assert_eq!(of_property(json!({"type": "object", "default": {}})).len(), 1);
    }

    #[test]
    fn no_schema_has_a_name_that_generators_make_or_change() {
        let named = |name: &str| {
            let document = json!({
                "paths": {"/x": {"post": {"operationId": "makeMove"}}},
                "components": {"schemas": {name: {"type": "object"}, "Ban": {"type": "object"}}}
            });
            faults(&document).len()
        };
        for sound in ["Newest", "MakeMove", "JoinRequest", "Move", "Ban"] {
            assert_eq!(named(sound), 0, "{sound}");
        }
        for wrong in ["NewMove", "BanRequest", "MakeMoveRequest", "MakeMoveResponse", "ApiMove", "Type", "Error"] {
            assert_eq!(named(wrong), 1, "{wrong}");
        }
    }

    #[test]
    fn an_answer_takes_properties_of_later_releases() {
        let document = |closed: Value| {
            let answer = json!({"description": "A.", "schema": {"$ref": "#/components/schemas/A"}});
            json!({
                "paths": {"/x": {"get": {"operationId": "x", "responses": {"200": answer}}}},
                "components": {"schemas": {"A": {"type": "object", "additionalProperties": closed}}}
            })
        };
        assert_eq!(faults(&document(json!(true))), Vec::<String>::new());
        assert_eq!(faults(&document(json!(false))).len(), 1);
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
