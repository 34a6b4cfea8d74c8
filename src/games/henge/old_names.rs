//! The names that Henge had in store and on the wire before they became whole words: of events and their fields, of the
//! entries of the stack, of what a stored state holds, and of figures in results. What was stored or exported under
//! them is read by this table.
//!
//! Invariants: a value with the names of today is left as it is, so nothing need say of what age a value is; no name of
//! today was the old name of something else in the same list. Numbers and ids mean what they meant.

use serde_json::{Map, Value};

/// Types of events.
pub const EVENTS: &[(&str, &str)] = &[
    ("upgrade", "first_upgrade_taken"),
    ("round", "henge_round_begun"),
    ("turn", "henge_turn_begun"),
    ("moved", "pawn_moved"),
    ("transported", "stones_transported"),
    ("coins", "coins_gained"),
    ("vp", "victory_points_scored"),
    ("luck", "luck_card_played"),
    ("luckdraw", "luck_cards_drawn"),
    ("discard", "luck_card_discarded"),
    ("track", "luck_card_given_up"),
    ("eogdraw", "end_of_game_cards_drawn"),
    ("drop", "bonus_card_dropped"),
    ("choice", "option_chosen"),
    ("quarried", "stone_bought"),
    ("carved", "stone_carved"),
    ("druid", "druid_placed"),
    ("installed", "stone_installed"),
    ("levelup", "privilege_raised"),
    ("levelend", "privilege_end_gained"),
    ("reward", "reward_taken"),
    ("tokens", "travel_tokens_taken"),
    ("mark", "spring_marked"),
    ("refill", "quarry_refilled"),
    ("chits", "rewards_refilled"),
    ("reshuffle", "henge_deck_reshuffled"),
    ("spent", "luck_cards_settled"),
    ("bot", "hengebot_moved"),
    ("botdruid", "hengebot_druid_placed"),
    ("botinstall", "hengebot_stone_installed"),
    ("botnothing", "hengebot_did_nothing"),
    ("trigger", "end_triggered"),
    ("delivery", "stones_delivered"),
    ("decision", "henge_decision_due"),
];

/// Fields, wherever they stand.
pub const FIELDS: &[(&str, &str)] = &[
    ("place", "chair"),
    ("vp", "victory_points"),
    ("stone_vp", "stone_victory_points"),
    ("slot_vp", "slot_victory_points"),
    ("card_vp", "card_victory_points"),
    ("unit_vp", "unit_victory_points"),
    ("is_sub", "is_sub_action"),
    ("carve_up", "carve_token_up"),
    ("eog", "end_of_game_cards"),
    ("drops", "dropped"),
    // Of stored states alone.
    ("rules", "equipment"),
    ("places", "chairs"),
    ("tokens", "travel_tokens"),
    ("eog_deck", "end_of_game_deck"),
    ("eog_drawn", "end_of_game_drawn"),
];

/// Entries of the stack, which were told apart by `kind`.
const FRAMES: &[(&str, &str)] = &[
    ("move", "move"),
    ("act", "action"),
    ("discard", "discard"),
    ("drop", "drop"),
    ("reward", "reward"),
    ("level", "level"),
    ("choose", "choose"),
    ("track", "track"),
    ("effects", "effects"),
    ("luck_draws", "luck_draws"),
    ("bonus_draws", "bonus_draws"),
    ("end", "end_of_turn"),
    ("bot", "hengebot"),
    ("scoring", "scoring"),
];

/// Words in the fields `deck`, and in the `kind` of a source.
const WORDS: &[(&str, &str)] = &[("eog", "end_of_game"), ("level_end", "privilege_end")];

/// Figures of results.
pub const FIGURES: &[(&str, &str)] = &[("eog", "end_of_game"), ("eog_cards", "end_of_game_cards")];

fn present(names: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    names.iter().find(|(old, _)| *old == name).map(|(_, present)| *present)
}

/// An event of any age with the names of today. It may be of the match's life, which can tell a result.
pub fn event(mut event: Value) -> Value {
    if let Some(Value::String(kind)) = event.get_mut("type")
        && let Some(name) = present(EVENTS, kind)
    {
        name.clone_into(kind);
    }
    told(event)
}

/// A state of form 1 in form 2.
pub fn state(state: Value) -> Value {
    let mut state = renamed(state, FIELDS, stored);
    if let Some(Value::Array(stack)) = state.get_mut("stack") {
        for frame in stack {
            match frame {
                Value::String(kind) => {
                    if let Some(name) = present(FRAMES, kind) {
                        name.clone_into(kind);
                    }
                }
                other => *other = renamed(std::mem::take(other), FRAMES, |_, inner| inner),
            }
        }
    }
    state
}

/// The object or list with its fields renamed; `inner` makes what a field holds.
fn renamed(value: Value, names: &[(&str, &'static str)], inner: fn(&str, Value) -> Value) -> Value {
    match value {
        Value::Object(map) => {
            let field = |(name, value): (String, Value)| {
                let value = inner(&name, value);
                (present(names, &name).map_or(name, str::to_owned), value)
            };
            Value::Object(map.into_iter().map(field).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(|item| renamed(item, names, inner)).collect()),
        other => other,
    }
}

/// What a field of a stored state holds. The set's id and the stack have no old fields.
fn stored(name: &str, value: Value) -> Value {
    match name {
        "rules" | "stack" => value,
        _ => renamed(value, FIELDS, stored),
    }
}

fn told(value: Value) -> Value {
    renamed(value, FIELDS, field_told)
}

/// What a field of an event holds.
fn field_told(name: &str, value: Value) -> Value {
    match (name, value) {
        ("figures", figures) => renamed(figures, FIGURES, |_, inner| inner),
        ("deck" | "kind", Value::String(word)) => Value::String(present(WORDS, &word).map_or(word, str::to_owned)),
        ("stack", Value::Array(stack)) => Value::Array(stack.into_iter().map(frame).collect()),
        (_, inner) => told(inner),
    }
}

/// An entry of the stack. That of an action held its numbers in an object of their own.
fn frame(frame: Value) -> Value {
    let Value::Object(mut frame) = frame else { return frame };
    if let Some(Value::String(kind)) = frame.remove("kind") {
        let name = present(FRAMES, &kind).map_or(kind, str::to_owned);
        frame.insert("type".to_owned(), Value::String(name));
    }
    if let Some(Value::Object(action)) = frame.remove("act") {
        frame.extend(action);
    }
    told(Value::Object(frame))
}
