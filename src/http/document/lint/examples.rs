//! Examples are data: a `$ref` in one is followed by generators and linters, and leads nowhere.

use serde_json::Value;

use super::walks::visit;

/// The keywords whose values are data.
const DATA: [&str; 4] = ["example", "examples", "default", "const"];

/// What is wrong with the examples.
pub(crate) fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    visit(document, &mut |object| {
        for (key, value) in object.iter().filter(|(key, _)| DATA.contains(&key.as_str())) {
            // Examples by name are objects of their own, which may stand elsewhere: then the reference is no data.
            let named = value.as_object().filter(|_| key == "examples");
            let data =
                named.map_or_else(|| vec![value], |named| named.values().filter_map(|it| it.get("value")).collect());
            if data.into_iter().any(refers) {
                faults.push(format!("an {key} holds a $ref: {:.60}", value.to_string()));
            }
        }
    });
    faults
}

fn refers(data: &Value) -> bool {
    let mut found = false;
    visit(data, &mut |object| found |= object.contains_key("$ref"));
    found
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
}
