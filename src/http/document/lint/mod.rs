//! Checks of every operation and every schema of the document. Many exist because a generator of clients failed without
//! them.
//!
//! It is run by tests alone. An example is not required: the games on offer may not be able to show an operation.

mod examples;
mod schemas;
mod unions;
mod walks;

use serde_json::{Map, Value, json};

/// The longest description of the whole document, in characters: generators head each of hundreds of files with it.
const DESCRIPTION_MAX: usize = 200;

/// Returns the faults, one sentence each.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    let mut ids = Vec::new();
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object().into_iter().flatten() {
            let name = format!("{} {path}", method.to_uppercase());
            let id = operation.get("operationId").and_then(Value::as_str);
            if id.is_none_or(|id| ids.contains(&id)) {
                faults.push(format!("{name} has no operationId of its own"));
            }
            ids.extend(id);
            let parameters = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            for segment in path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')) {
                let is_it = |known: &Value| known["in"] == "path" && known["name"] == segment;
                if !parameters.iter().any(|known| is_it(resolved(document, known))) {
                    faults.push(format!("{name} does not document {{{segment}}}"));
                }
            }
            // What cannot be an id names nothing.
            if path.contains('{') && operation["responses"].get("404").is_none() {
                faults.push(format!("{name} does not document 404"));
            }
            faults.extend(
                operation_faults(document, method, operation).into_iter().map(|fault| format!("{name} {fault}")),
            );
        }
    }
    let description = document["info"]["description"].as_str().map_or(0, |text| text.chars().count());
    if description > DESCRIPTION_MAX {
        faults.push(format!("the document's description has {description} characters"));
    }
    faults.extend(unions::faults(document));
    faults.extend(schemas::faults(document));
    faults.extend(examples::faults(document));
    faults
}

fn operation_faults(document: &Value, method: &str, operation: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    if operation.get("summary").and_then(Value::as_str).is_none_or(str::is_empty) {
        faults.push("has no summary".to_owned());
    }
    match operation.get("security").and_then(Value::as_array) {
        None => faults.push("does not say what security it has".to_owned()),
        Some(rules) if !rules.is_empty() && rules.iter().all(|rule| *rule == json!({})) => {
            faults.push("says by an empty rule, not by an empty list, that it needs no token".to_owned());
        }
        Some(_) => {}
    }
    if operation.get("tags").and_then(Value::as_array).is_none_or(|tags| tags.len() != 1) {
        faults.push("has not exactly one tag".to_owned());
    }
    if method == "post" && !speaks_of_keys(document, operation) {
        faults.push("neither takes an Idempotency-Key nor says that it is ignored".to_owned());
    }
    if operation.get("requestBody").is_some() && matches!(method, "get" | "delete") {
        faults.push("takes a body".to_owned());
    }
    let none = Map::new();
    let responses = operation.get("responses").and_then(Value::as_object).unwrap_or(&none);
    if !responses.keys().any(|status| status.starts_with('2')) {
        faults.push("has no answer for success".to_owned());
    }
    for (status, response) in responses {
        let response = resolved(document, response);
        if response.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
            faults.push(format!("does not describe status {status}"));
        }
        if response.get("content").is_none() && !matches!(status.as_str(), "202" | "204" | "304") {
            faults.push(format!("says nothing with status {status}"));
        }
    }
    faults
}

/// Returns true if an operation takes an idempotency key or speaks of it.
fn speaks_of_keys(document: &Value, operation: &Value) -> bool {
    const KEY: &str = "Idempotency-Key";
    let parameters = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let description = operation.get("description").and_then(Value::as_str).unwrap_or_default();
    parameters.iter().any(|parameter| resolved(document, parameter)["name"] == KEY) || description.contains(KEY)
}

/// Resolves a reference, or returns the node itself if it is none.
fn resolved<'a>(document: &'a Value, node: &'a Value) -> &'a Value {
    let reference = node.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
    reference.and_then(|pointer| document.pointer(pointer)).unwrap_or(node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::openapi;
    use sarsen_games::{GameSettings, Games};

    #[test]
    fn the_document_of_this_release_has_no_faults() {
        let document = openapi::document(&Games::standard(GameSettings::default())).unwrap();
        assert_eq!(faults(&serde_json::to_value(&document).unwrap()), Vec::<String>::new());
    }

    fn sound() -> Value {
        json!({
            "paths": {"/x": {"post": {
                "operationId": "make_x", "summary": "Make", "security": [], "tags": ["t"],
                "parameters": [{"in": "header", "name": "Idempotency-Key"}],
                "requestBody": {"content": {"application/json": {}}},
                "responses": {"204": {"description": "Made."}}
            }}}
        })
    }

    #[test]
    fn a_sound_document_has_no_faults() {
        assert_eq!(faults(&sound()), Vec::<String>::new());
    }

    #[test]
    fn a_path_segment_without_documentation_is_missed() {
        let mut document = sound();
        let item = document["paths"]["/x"].take();
        document["paths"] = json!({"/x/{id}": item});
        let expected = ["POST /x/{id} does not document {id}", "POST /x/{id} does not document 404"];
        assert_eq!(faults(&document), expected);
    }

    #[test]
    fn a_description_is_short() {
        let mut document = sound();
        for (characters, expected) in [(DESCRIPTION_MAX, 0), (DESCRIPTION_MAX + 1, 1)] {
            document["info"] = json!({"description": "é".repeat(characters)});
            assert_eq!(faults(&document).len(), expected, "{characters}");
        }
    }

    #[test]
    fn whatever_is_taken_away_is_missed() {
        for key in ["operationId", "summary", "security", "tags", "parameters", "responses"] {
            let mut document = sound();
            document["paths"]["/x"]["post"].as_object_mut().unwrap().remove(key);
            assert_eq!(faults(&document).len(), 1, "{key}");
        }
    }

    #[test]
    fn an_empty_rule_alone_is_no_way_to_say_that_no_token_is_needed() {
        let mut document = sound();
        document["paths"]["/x"]["post"]["security"] = json!([{}]);
        assert_eq!(faults(&document).len(), 1);
        document["paths"]["/x"]["post"]["security"] = json!([{}, {"bearer": []}]);
        assert_eq!(faults(&document), Vec::<String>::new());
    }
}
