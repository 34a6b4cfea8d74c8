//! Idempotency keys on the wire: the header that carries one, the fingerprint that tells a repetition from another
//! request, and the header that marks an answer given before.
//!
//! Invariant: two bodies that are read alike have one fingerprint. Some clients change the order of properties in each
//! repetition.
//!
//! Operations that take a key say so by `x-idempotent` in their declaration; the document tells the rest.

use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponseBuilder};
use aws_lc_rs::digest::{Context, SHA256};
use serde_json::{Map, Value};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::strict_json;
use sarsen_matches::idempotency::Idempotency;

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

const KEY_MAX: usize = 255;
/// The length of the part of the digest that tells requests apart, in bytes.
const FINGERPRINT_BYTES: usize = 16;

/// The meaning of a property of a body that is null.
#[derive(Clone, Copy)]
pub(crate) enum Nulls {
    /// The same as one that is left out.
    AreNothing,
    /// Something else than one that is left out, where its name is one of the first, or where one of the second has a value
    /// in the same object.
    Count(&'static [&'static str], &'static [&'static str]),
}

impl Nulls {
    /// Returns true if a property of this name that is null means something.
    fn count(self, name: &str, object: &Map<String, Value>) -> bool {
        let Nulls::Count(names, beside) = self else { return false };
        names.contains(&name) || beside.iter().any(|other| object.get(*other).is_some_and(|value| !value.is_null()))
    }
}

/// The key of a request, if it has one. `operation`, with the parts of the request outside of the body, and `body`
/// distinguish the request from any other.
///
/// # Errors
/// `idempotency_key_invalid`.
pub(crate) fn idempotency(
    request: &HttpRequest,
    operation: &[&str],
    body: &[u8],
    nulls: Nulls,
) -> Result<Option<Idempotency>, Problem> {
    let mut given = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(key) = given.next() else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=KEY_MAX).contains(&key.len()));
    match (key, given.next()) {
        (Some(key), None) if key.bytes().all(|byte| (0x20..0x7f).contains(&byte)) => {
            Ok(Some(Idempotency { key: key.to_owned(), fingerprint: fingerprint(operation, body, nulls) }))
        }
        _ => Err(Code::IdempotencyKeyInvalid.into()),
    }
}

fn fingerprint(operation: &[&str], body: &[u8], nulls: Nulls) -> String {
    let mut digest = Context::new(&SHA256);
    for part in operation {
        digest.update(part.as_bytes());
        digest.update(b"\n");
    }
    let mut read = String::new();
    match strict_json::parse(body) {
        Ok(value) => write_as_read(&value, nulls, &mut read),
        // A body that may be left out is then read as one without properties.
        Err(_) if body.is_empty() => read.push_str("{}"),
        // What cannot be read is refused in any case.
        Err(_) => digest.update(body),
    }
    digest.update(read.as_bytes());
    hex::encode(&digest.finish().as_ref()[..FINGERPRINT_BYTES])
}

/// Writes the value in the one form for all that are read alike: properties in order, no blanks.
fn write_as_read(value: &Value, nulls: Nulls, text: &mut String) {
    match value {
        Value::Object(object) => {
            let mut properties: Vec<(&String, &Value)> =
                object.iter().filter(|(name, value)| !value.is_null() || nulls.count(name, object)).collect();
            properties.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (place, (name, value)) in properties.into_iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                write_as_read(value, nulls, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (place, item) in items.iter().enumerate() {
                text.push_str(if place > 0 { "," } else { "" });
                write_as_read(item, nulls, text);
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

/// Marks an answer that was given before.
pub(crate) fn mark_replayed(answer: &mut HttpResponseBuilder, replayed: bool) {
    if replayed {
        answer.insert_header((IDEMPOTENT_REPLAYED, "true"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_are_read_alike_have_one_fingerprint() {
        let of = |body: &str| fingerprint(&["makeMove"], body.as_bytes(), Nulls::AreNothing);
        let same = [
            r#"{"decision_id":"1.0","move":{"type":"place","at":20,"to":["a","b"]}}"#,
            r#"{ "move" : {"to":["a","b"],"at":20.0,"type":"pl\u0061ce"} , "decision_id":"1.0", "notation":null }"#,
            "{\"decision_id\":\"1.0\",\n\"move\":{\"at\":2e1,\"to\":[\"a\",\"b\"],\"type\":\"place\",\"by\":null}}",
        ];
        assert!(same.iter().all(|body| of(body) == of(same[0])));
        let others = [
            r#"{"decision_id":"1.0","move":{"type":"place","at":20,"to":["b","a"]}}"#,
            r#"{"decision_id":"1.0","move":{"type":"place","at":"20","to":["a","b"]}}"#,
            r#"{"decision_id":"1.0","move":{"type":"place","at":20,"to":["a","b",null]}}"#,
            r#"{"decision_id":"1.0","move":{"type":"place","at":20.5,"to":["a","b"]}}"#,
            r#"{"decision_id":"1.0"}"#,
            "",
            "not JSON",
        ];
        let mut all: Vec<String> = others.iter().chain(&same[..1]).map(|body| of(body)).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), others.len() + 1);
        assert_eq!(of(""), of("{}"), "a body that may be left out");
        assert_ne!(of("{}"), fingerprint(&["resignMatch"], b"{}", Nulls::AreNothing));
    }

    #[test]
    fn null_is_something_where_it_counts() {
        let of = |body: &str| fingerprint(&["createMatch"], body.as_bytes(), Nulls::Count(&["seat"], &["like"]));
        let plain = of(r#"{"game":"henge"}"#);
        assert_ne!(of(r#"{"game":"henge","seat":null}"#), plain);
        assert_eq!(of(r#"{"game":"henge","seat":null}"#), of(r#"{"seat":null, "game":"henge"}"#));
        assert_eq!(of(r#"{"game":"henge","clock":null,"like":null}"#), plain);
        assert_ne!(of(r#"{"like":"m_1","clock":null}"#), of(r#"{"like":"m_1"}"#));
        assert_eq!(of(r#"{"items":[{"like":"m_1"},{"clock":null}]}"#), of(r#"{"items":[{"like":"m_1"},{}]}"#));
    }
}
