//! Laws of round trips: a value that is written and read back is the same.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::to_raw_value;

use crate::Game;

/// Writes and reads back.
pub(super) fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(&back, value, "{text}");
    back
}

/// Writes a state and reads it back, as between two moves.
pub(super) fn stored_and_loaded<G: Game>(game: &G, state: &G::State) -> G::State {
    let stored = to_raw_value(state).unwrap();
    let loaded = game.load(&stored).unwrap_or_else(|why| panic!("{why}: {stored}"));
    assert_eq!(&loaded, state, "{stored}");
    loaded
}
