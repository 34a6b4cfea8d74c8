//! Conformance of each answer with the document: every one that the tests receive is held against it.
//!
//! A client takes what it does not know; the service says nothing of the kind. So its own answers are held against the
//! known parts of open unions, the known values of open enumerations and the named properties of objects alone.

mod shape;

use std::sync::OnceLock;

use sarsen::games::{GameSettings, Games};
use sarsen::http::document::openapi;
use serde_json::Value;

use crate::client::Answer;

/// The document.
pub fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| {
        serde_json::from_str(&openapi::document_text(&Games::standard(GameSettings::default())).unwrap()).unwrap()
    })
}

/// The path as it is routed: with letters and digits as they are.
fn decoded(path: &str) -> String {
    let mut parts = path.split('%');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = part.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match byte.filter(u8::is_ascii_alphanumeric) {
            Some(byte) => decoded.extend([char::from(byte).to_string().as_str(), &part[2..]]),
            None => decoded.extend(["%", part]),
        }
    }
    decoded
}

/// The document's entry for a path, unless it has none.
fn path_item(path: &str) -> Option<&'static Value> {
    let path = decoded(path);
    let given: Vec<&str> = path.split('/').collect();
    let fits = |pattern: &str| {
        let parts: Vec<&str> = pattern.split('/').collect();
        let part = |(part, given): (&&str, &&str)| part == given || (part.starts_with('{') && !given.is_empty());
        parts.len() == given.len() && parts.iter().zip(&given).all(part)
    };
    document()["paths"].as_object()?.iter().find(|(pattern, _)| fits(pattern)).map(|(_, item)| item)
}

/// Fails unless the operation may answer so: with this status, this content type and, for a problem, this code. Other
/// methods and addresses may only be told that they are that.
pub fn check(method: &str, path: &str, answer: &Answer) {
    let what = || format!("{method} {path} is not documented to answer {} {}", answer.status, answer.text());
    assert!(answer.status < 500 || answer.status == 503, "{}", what());
    let method = if method == "HEAD" { "get" } else { &method.to_lowercase() };
    let operation = path_item(path).map(|item| &item[method]).filter(|operation| operation.is_object());
    let Some(operation) = operation else {
        assert!(method == "options" || matches!(answer.status, 404 | 405), "{}", what());
        return;
    };
    let response = shape::resolved(document(), &operation["responses"][answer.status.to_string()]);
    assert!(response.is_object(), "{}", what());
    if answer.status >= 400 && !answer.bytes.is_empty() {
        let code = answer.json()["code"].as_str().unwrap_or_default().to_owned();
        let content = &response["content"]["application/problem+json"];
        assert!(content["examples"][&code].is_object(), "{}", what());
        fits(&content["schema"], answer, &what);
    } else if let Some(kind) = answer.header("content-type").filter(|_| !answer.bytes.is_empty()) {
        let essence = kind.split(';').next().unwrap_or_default();
        // Events are streamed at their old addresses too, for whoever asks; the document has streams at their own alone.
        if essence == "text/event-stream" && path.ends_with("/events") {
            return;
        }
        assert!(response["content"][essence].is_object(), "{} as {kind}", what());
        // What is packed is what would have come unpacked.
        if essence == "application/json" && answer.header("content-encoding").is_none() {
            fits(&response["content"][essence]["schema"], answer, &what);
        }
    }
}

/// The same of an item of a stream, at whichever address it is followed.
pub fn check_item(path: &str, item: &Value) {
    let path = path.split('?').next().unwrap_or_default().replace("/events", "/stream");
    let content = &path_item(&path).expect("a stream")["get"]["responses"]["200"]["content"];
    if let Err(fault) = shape::check(document(), &content["text/event-stream"]["schema"], item) {
        panic!("{fault}: {path} is not documented to send {item}");
    }
}

fn fits(schema: &Value, answer: &Answer, what: &impl Fn() -> String) {
    if let Err(fault) = shape::check(document(), schema, &answer.json()) {
        panic!("{fault}: {}", what());
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = document();
    let operations =
        document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let mut checked = 0;
    for operation in operations {
        let answers = operation["responses"].as_object().unwrap().values();
        for body in answers.chain(operation.get("requestBody")).map(|body| shape::resolved(document, body)) {
            for content in body["content"].as_object().iter().flat_map(|content| content.values()) {
                let named = content["examples"].as_object().into_iter().flat_map(|named| named.values());
                let named = named.map(|example| &shape::resolved(document, example)["value"]);
                for example in content.get("example").into_iter().chain(named) {
                    let fits = shape::check(document, &content["schema"], example);
                    assert_eq!(fits, Ok(()), "{}: {example}", operation["operationId"]);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}
