//! A view as lines of text: every fact of its JSON, without the marks of JSON and without what is null, false or empty.
//!
//! Invariant: it is made of the view alone, so it says no more than the view.

use serde_json::{Map, Value};

/// The most items of a list that are shown: the last ones, which are the newest.
const ITEMS_MAX: usize = 30;

/// The facts of a view, a line each.
pub(super) fn facts(view: &Value) -> String {
    let mut text = String::new();
    for (name, value) in view.as_object().into_iter().flatten().filter(|(name, _)| *name != "game") {
        if !says_something(value) {
            continue;
        }
        match value {
            Value::Array(items) if items.iter().any(Value::is_object) => match table(items) {
                Some((head, rows)) => text.push_str(&format!("{name} ({head}): {rows}\n")),
                None => {
                    text.push_str(&format!("{name}:\n"));
                    for item in items.iter().filter(|item| says_something(item)) {
                        text.push_str(&format!("- {}\n", told(item)));
                    }
                }
            },
            value => text.push_str(&format!("{name}: {}\n", told(value))),
        }
    }
    text
}

/// Objects of the same few plain properties, as their names and then a row each.
fn table(items: &[Value]) -> Option<(String, String)> {
    let first = items.first()?.as_object()?;
    let names: Vec<&str> = first.keys().map(String::as_str).collect();
    let row = |item: &Value| {
        let properties = item.as_object().filter(|properties| properties.keys().eq(names.iter()))?;
        let values = properties.values().map(|value| match value {
            Value::Array(_) | Value::Object(_) => None,
            Value::Null => Some("-".to_owned()),
            value => Some(told(value)),
        });
        Some(values.collect::<Option<Vec<String>>>()?.join(" "))
    };
    let rows = items.iter().map(row).collect::<Option<Vec<String>>>()?;
    Some((names.join(" "), rows.join("; ")))
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(properties) => properties.values().any(says_something),
        Value::String(text) => !text.is_empty(),
        Value::Bool(true) | Value::Number(_) => true,
    }
}

/// The value in one line.
fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => list(items),
        Value::Object(properties) => object(properties),
        other => other.to_string(),
    }
}

fn list(items: &[Value]) -> String {
    let left_out = items.len().saturating_sub(ITEMS_MAX);
    let item = |item: &Value| if item.is_object() { format!("({})", told(item)) } else { told(item) };
    let shown: Vec<String> = items.iter().skip(left_out).map(item).collect();
    match left_out {
        0 => shown.join(" "),
        _ => format!("({left_out} earlier) {}", shown.join(" ")),
    }
}

fn object(properties: &Map<String, Value>) -> String {
    let says = properties.iter().filter(|(_, value)| says_something(value));
    let one = |(name, value): (&String, &Value)| match value {
        Value::Bool(true) => name.clone(),
        Value::Object(inner) => {
            // Of what lies so deep, zeros are left out.
            let counts = inner.iter().filter(|(_, value)| value.as_i64() != Some(0));
            let counts = counts.map(|(name, value)| (name.clone(), value.clone())).collect();
            format!("{name} ({})", object(&counts))
        }
        value => format!("{name} {}", told(value)),
    };
    says.map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn facts_are_those_of_the_view_that_say_something() {
        let view = json!({
            "game": "henge", "ending": null, "built": [], "pawn": "step.1", "quarry": ["S07", "S03"],
            "players": [{"chair": 0, "mat": {"coins": 12, "marks": 0, "spring": true}, "seat": 0}, {"seat": null}],
            "pits": [{"colour": "green", "owner": 0, "pit": "D5"}, {"colour": "red", "owner": null, "pit": "N7"}],
            "set": {"name": "x", "version": ""},
        });
        let expected = "pawn: step.1\npits (colour owner pit): green 0 D5; red - N7\n\
            players:\n- chair 0, mat (coins 12, spring), seat 0\nquarry: S07 S03\nset: name x\n";
        assert_eq!(facts(&view), expected);
        let moves: Vec<u32> = (0..40).collect();
        assert!(facts(&json!({"moves": moves})).starts_with("moves: (10 earlier) 10 11 "));
        assert_eq!(facts(&Value::Null), "");
    }
}
