//! The name a player goes by.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;

use sarsen_base::text::{self, TextError};

/// The longest name, in characters (grapheme clusters).
pub(crate) const MAX_NAME_LENGTH: usize = 40;

/// More code points than a name has, white space included.
const CODE_POINTS_READ: usize = 1000;

/// The reason why a name was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this cannot be a name: {0}")]
pub struct NameError(pub TextError);

/// A name: cleaned text of 1 to [`MAX_NAME_LENGTH`] characters in the normalization form NFKC, so that what looks the same
/// is mostly written the same. Names are not unique.
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

    /// A name that was accepted once: it stays valid even if it breaks today's rules.
    pub(super) fn accepted_before(name: String) -> PlayerName {
        PlayerName(name)
    }
}

impl FromStr for PlayerName {
    type Err = NameError;
    fn from_str(text: &str) -> Result<PlayerName, NameError> {
        // What normalization makes longer than any name is not waited for.
        let normalized: String = text.nfkc().take(CODE_POINTS_READ).collect();
        text::clean(&normalized, MAX_NAME_LENGTH).map(PlayerName).map_err(NameError)
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

    /// A name as it is written, and as it is shown or why it is refused.
    type Case = (&'static str, Result<&'static str, &'static str>);

    /// Issue 31.19: names in thirty scripts, and those that are refused.
    #[test]
    fn names_in_thirty_scripts() {
        let same = [
            "Rowan",
            "Ωνάσης",
            "Ольга",
            "Արամ",
            "თამარ",
            "שָׁלוֹם",
            "علی\u{200C}رضا",
            "ܡܪܝܡ",
            "ދިވެހި",
            "ߒߞߏ",
            "श्रीनिवास",
            "রহিম",
            "ਗੁਰਪ੍ਰੀਤ",
            "ગીતા",
            "ଗୀତା",
            "தமிழ்",
            "సీత",
            "ರಾಜ್\u{200C}ಕುಮಾರ್",
            "അവൻ",
            "ශ්\u{200D}රී",
            "สมชาย",
            "ສົມໄຊ",
            "བཀྲ་ཤིས་",
            "မြန်မာ",
            "ភាសាខ្មែរ",
            "ምኒልክ",
            "ᏣᎳᎩ",
            "ᐃᓄᒃ",
            "ᠮᠣᠩᠭᠣᠯ",
            "花子",
            "さくら",
            "カタカナ",
            "김철수",
            "ꦗꦮ",
            "ⴰⵎⴰⵣⵉⵖ",
            "𞤀𞤣𞤤𞤢𞤥",
            "Nguyễn Thị Hồng",
            "O'Brien-Łuczak",
            "🇫🇮 Aino 👩🏽‍🚀",
        ];
        let cases: [Case; 18] = [
            // NFKC: compatibility forms and marks written apart.
            ("Ｒｏｗａｎ", Ok("Rowan")),
            ("ﬁona", Ok("fiona")),
            ("Ame\u{301}lie", Ok("Amélie")),
            ("ｶﾀｶﾅ", Ok("カタカナ")),
            ("각", Ok("각")),
            ("①②", Ok("12")),
            ("a\u{A0}b", Ok("a b")),
            // Refused.
            ("", Err("empty")),
            ("\u{3000}", Err("empty")),
            ("a\u{7}", Err("control_character")),
            ("a\u{202E}b", Err("direction_character")),
            ("pay\u{200B}pal", Err("invisible_character")),
            ("a\u{200D}b", Err("invisible_character")),
            ("\u{3164}", Err("invisible_character")),
            ("\u{E000}", Err("unassigned_character")),
            ("\u{378}", Err("unassigned_character")),
            ("\u{301}\u{302}", Err("loose_mark")),
            ("ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ", Err("too_long")),
        ];
        for (text, expected) in same.map(|name| (name, Ok(name))).into_iter().chain(cases) {
            let read = text.parse::<PlayerName>();
            let read = read.as_ref().map(PlayerName::as_str).map_err(|error| error.0.code());
            assert_eq!(read, expected, "{text:?}");
            // What is shown is taken as it is.
            assert!(read.is_err() || read.unwrap().parse::<PlayerName>().is_ok_and(|again| read == Ok(again.as_str())));
        }
    }
}
