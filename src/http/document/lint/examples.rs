//! Examples are data: a `$ref` in one is followed by generators and linters, and leads nowhere. Their times look like
//! those of the service, and those of a schema are of its type.

use serde_json::Value;

use super::walks::visit;
use sarsen_base::ambient::Timestamp;

/// The keywords whose values are data.
const DATA: [&str; 4] = ["example", "examples", "default", "const"];

/// Returns the faults of the examples.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    visit(document, &mut |object| {
        for (key, value) in object.iter().filter(|(key, _)| DATA.contains(&key.as_str())) {
            // Examples by name are objects of their own, which may stand elsewhere: then the reference is no data.
            let named = value.as_object().filter(|_| key == "examples");
            let data =
                named.map_or_else(|| vec![value], |named| named.values().filter_map(|it| it.get("value")).collect());
            if data.iter().copied().any(refers) {
                faults.push(format!("an {key} holds a $ref: {:.60}", value.to_string()));
            }
            let other = object.get("type").and_then(Value::as_str).filter(|_| key == "examples").map(|kind| {
                let examples = value.as_array().into_iter().flatten();
                examples.filter(|example| !is_a(example, kind)).map(move |it| format!("an example of a {kind} is {it}"))
            });
            faults.extend(other.into_iter().flatten());
            let odd = data.into_iter().filter_map(odd_time);
            faults.extend(odd.map(|time| format!("an {key} holds {time}, without three fractional digits")));
        }
    });
    faults
}

fn is_a(example: &Value, kind: &str) -> bool {
    match kind {
        "string" => example.is_string(),
        "integer" => example.is_i64() || example.is_u64(),
        "number" => example.is_number(),
        "boolean" => example.is_boolean(),
        "array" => example.is_array(),
        _ => example.is_object(),
    }
}

fn refers(data: &Value) -> bool {
    let mut found = false;
    visit(data, &mut |object| found |= object.contains_key("$ref"));
    found
}

/// A time in the data that is not written as the service writes times.
fn odd_time(data: &Value) -> Option<&str> {
    match data {
        Value::String(text) => {
            Timestamp::from_rfc3339(text).filter(|time| time.rfc3339() != *text).map(|_| text.as_str())
        }
        Value::Array(items) => items.iter().find_map(odd_time),
        Value::Object(object) => object.values().find_map(odd_time),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_in_an_example_is_found_and_one_to_an_example_is_not() {
        let sound = json!({"examples": {"a": {"$ref": "#/components/examples/A"}, "b": {"value": {"x": 1}}}});
        assert_eq!(faults(&sound), Vec::<String>::new());
        let own = [
            json!({"content": {"example": {"schema": {"$ref": "#/$defs/A"}}}}),
            json!({"content": {"examples": {"a": {"value": [{"$ref": "A"}]}}}}),
            json!({"schema": {"examples": [{"$ref": "A"}]}}),
        ];
        for document in own {
            assert_eq!(faults(&document).len(), 1, "{document}");
        }
    }

    #[test]
    fn an_example_of_a_schema_is_of_its_type() {
        let of = |kind: &str, example: serde_json::Value| {
            faults(&json!({"properties": {"a": {"type": kind, "examples": [example]}}}))
        };
        assert_eq!(of("integer", json!(1)), Vec::<String>::new());
        assert_eq!(of("integer", json!([1])), ["an example of a integer is [1]"]);
        assert_eq!(of("string", json!(["Robin"])).len(), 1);
        assert_eq!(of("array", json!(["Robin"])), Vec::<String>::new());
    }

    #[test]
    fn a_time_in_an_example_has_three_fractional_digits() {
        let of = |time: &str| faults(&json!({"example": {"items": [{"at": time}]}}));
        assert_eq!(of("2026-01-01T00:00:00.120Z"), Vec::<String>::new());
        assert_eq!(of("no time"), Vec::<String>::new());
        for odd in ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.12Z", "2026-01-01T00:00:00.1234Z"] {
            assert_eq!(of(odd).len(), 1, "{odd}");
        }
    }
}
