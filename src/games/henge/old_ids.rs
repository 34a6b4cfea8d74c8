//! The ids that moves and events had before places were named as the board names them: numbers of areas, steps and
//! positions. What was stored or exported with them is read by the types of today, which take those numbers too; here it
//! is written as they write it.
//!
//! Invariant: a value of today is left as it is.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Event, Move};

/// An event with the ids of today. It may be of the match's life, one of which tells of a move.
pub fn event(mut event: Value) -> Value {
    if event["type"] == "move_made" {
        if let Some(mv) = event.get_mut("move") {
            *mv = written_again::<Move>(mv.take());
        }
        return event;
    }
    written_again::<Event>(event)
}

/// As a `T` of today is written; as it stands if it is none.
fn written_again<T: Serialize + DeserializeOwned>(value: Value) -> Value {
    let read = T::deserialize(&value).ok().and_then(|read| serde_json::to_value(read).ok());
    read.unwrap_or(value)
}
