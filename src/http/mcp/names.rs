//! Other people's text, so that it cannot pass for anything else.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use sarsen_base::text::beginning;

/// The most code points of a name that an agent reads.
const NAME_MAX: usize = 40;

/// The text, cut as a name.
pub(super) fn cut(text: &str) -> String {
    cut_at(text, NAME_MAX)
}

/// The text, cut after `most` code points, with an ellipsis where something is missing.
pub(super) fn cut_at(text: &str, most: usize) -> String {
    let kept = beginning(text, most);
    format!("{kept}{}", if kept.len() < text.len() { "…" } else { "" })
}

/// The text, cut, in quotes: what is a quote or a line's end within it is escaped.
pub(super) fn quoted(text: &str) -> String {
    json!(cut(text)).to_string()
}

/// The JSON with each name in it cut.
pub(super) fn with_cut_names(mut json: Value) -> Value {
    match &mut json {
        Value::Object(fields) => {
            for (key, value) in fields {
                *value = match value.take() {
                    Value::String(name) if key == "name" => Value::String(cut(&name)),
                    other => with_cut_names(other),
                };
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = with_cut_names(item.take())),
        _ => {}
    }
    json
}

/// The event with the names and the organiser's reason in it quoted, for narration, which tells them as they stand.
pub(super) fn with_quoted_names(event: &RawValue) -> Option<Box<RawValue>> {
    let mut told: Value = serde_json::from_str(event.get()).ok()?;
    for player in ["player", "from", "to"] {
        if let Some(Value::String(name)) = told.get_mut(player).and_then(|player| player.get_mut("name")) {
            *name = quoted(name);
        }
    }
    // The reasons of other events are words of a closed list.
    if told["type"] == "match_adjudicated"
        && let Some(Value::String(reason)) = told.get_mut("reason")
    {
        *reason = quoted(reason);
    }
    serde_json::value::to_raw_value(&told).ok()
}
