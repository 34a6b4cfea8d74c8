//! JSON as request bodies may be: one value, no property twice in an object, bounded nesting.
//!
//! Invariant: an integral number is an integer, however it was written (`6`, `6.0`, `6e0`), because JSON Schema says
//! so and typed decoding would refuse the other forms.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Number, Value};

/// Integers up to here are exact in every JSON implementation.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Reads one JSON value and nothing after it. Nesting is bounded by the parser, at 128 levels.
///
/// # Errors
/// What is wrong, in one sentence with line and column.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, String> {
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    let value = Strict.deserialize(&mut parser).and_then(|value| parser.end().map(|()| value));
    value.map_err(|error| in_words(&error))
}

/// The error, without the words of the parser.
fn in_words(error: &serde_json::Error) -> String {
    match error.classify() {
        Category::Eof => "the body ends before its JSON does".to_owned(),
        // Said by [`Strict`].
        Category::Data => format!("the body is not usable JSON: {error}"),
        Category::Syntax | Category::Io => {
            format!("the body is not usable JSON from line {}, column {} on", error.line(), error.column())
        }
    }
}

struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        if value.fract() == 0.0 && value.abs() <= MAX_EXACT {
            return Ok(Value::from(value as i64));
        }
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Strict)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom("a property occurs twice in one object"));
            }
            let value = entries.next_value_seed(Strict)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn integral_floats_become_integers_and_others_stay() {
        let text = br#"{"a":6.0,"b":[-0.0,1e3,2.5],"c":18446744073709551615,"d":1e300}"#;
        let value = parse(text).unwrap();
        assert_eq!(value["a"].as_u64(), Some(6));
        assert_eq!(value["b"], json!([0, 1000, 2.5]));
        assert_eq!(value["c"].as_u64(), Some(u64::MAX));
        assert_eq!(value["d"].as_f64(), Some(1e300));
    }

    #[test]
    fn what_is_not_one_clean_value_is_refused() {
        let deep = [vec![b'['; 100_000], vec![b']'; 100_000]].concat();
        let cases: [&[u8]; 9] = [b"", b" ", b"{", b"{} {}", br#"{"a":1,"a":1}"#, b"\0", b"\"\0\"", b"\"\xff\"", &deep];
        for case in cases {
            assert!(parse(case).is_err(), "{:?}", String::from_utf8_lossy(&case[..case.len().min(20)]));
        }
    }

    #[test]
    fn an_escaped_nul_is_a_character_like_any_other() {
        assert_eq!(parse(br#""\u0000""#).unwrap(), json!("\0"));
    }
}
