//! The name a player goes by.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use sarsen_base::text::{self, TextError};

/// The longest name, in characters (grapheme clusters).
pub const MAX_NAME_LENGTH: usize = 40;

/// The reason why a name was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this cannot be a name: {0}")]
pub struct NameError(pub TextError);

/// A name: cleaned text of 1 to [`MAX_NAME_LENGTH`] characters. Names are not unique.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(transparent)]
pub struct PlayerName(String);

impl PlayerName {
    /// The name as shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text of it.
    pub fn into_string(self) -> String {
        self.0
    }

    /// A name that was accepted once and stays valid, whatever today's rules say.
    pub(super) fn accepted_before(name: String) -> PlayerName {
        PlayerName(name)
    }
}

impl FromStr for PlayerName {
    type Err = NameError;
    fn from_str(text: &str) -> Result<PlayerName, NameError> {
        text::clean(text, MAX_NAME_LENGTH).map(PlayerName).map_err(NameError)
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_and_what_is_wrong_is_said() {
        let name: PlayerName = "  Ada   Lovelace\n".parse().unwrap();
        assert_eq!(name.as_str(), "Ada Lovelace");
        let long = "x".repeat(41);
        for (text, code, sentence) in [
            ("   ", "empty", "this cannot be a name: it is empty"),
            (&long, "too_long", "this cannot be a name: it has 41 characters; at most 40 are allowed"),
            ("a\u{1B}[2J", "control_character", "this cannot be a name: it has the control character U+001B"),
            (
                "a\u{202E}b",
                "direction_character",
                "this cannot be a name: it has U+202E, which changes the direction of writing",
            ),
            ("a\u{200B}b", "invisible_character", "this cannot be a name: it has the invisible character U+200B"),
        ] {
            let error = text.parse::<PlayerName>().unwrap_err();
            assert_eq!((error.0.code(), error.to_string().as_str()), (code, sentence));
        }
    }
}
