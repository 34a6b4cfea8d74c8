//! Cleaning of short texts that people write and others read: names, titles.
//!
//! Invariant: a cleaned text has no white space at its ends, only single spaces inside, at least one visible character,
//! and no character that hides, reorders or breaks the text around it. A character is what its reader takes for one: a
//! grapheme cluster (UAX #29), such as a letter with its marks, a flag, a family of emoji. Joiners, which are invisible by
//! themselves, occur only where a script or an emoji needs them.
//!
//! Deliberately absent: normalisation and any judgement of the words.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;

/// The most marks that one character may carry.
const MARKS_MAX: usize = 8;
/// The most code points of one character. The longest emoji of the standard have ten.
const CODE_POINTS_MAX: usize = 16;
/// The most code points of a text for each character that it may have.
const CODE_POINTS_OF_EACH: usize = 8;

/// The flags of England, Scotland and Wales: a black flag with tags, which spell nothing else.
const FLAGS: [&str; 3] = [
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
];

const NON_JOINER: char = '\u{200C}';
const JOINER: char = '\u{200D}';

/// The reason why a text was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// Nothing is left after cleaning.
    #[error("it is empty")]
    Empty,
    /// It has more characters than allowed.
    #[error("it has {length} characters; at most {max} are allowed")]
    TooLong {
        /// Its length in grapheme clusters, after cleaning.
        length: usize,
        /// The most that is allowed.
        max: usize,
    },
    /// It has more code points than a text of that many characters may have.
    #[error("it has {length} code points; at most {max} are allowed")]
    TooManyCodePoints {
        /// The number of code points, after cleaning or in one character.
        length: usize,
        /// The most that is allowed.
        max: usize,
    },
    /// One of its characters carries too many marks.
    #[error("it has a character with {0} marks; at most {MARKS_MAX} are allowed")]
    TooManyMarks(usize),
    /// It has a mark that follows no character.
    #[error("it has the mark U+{:04X} on no character", u32::from(*.0))]
    LooseMark(char),
    /// It has a control character.
    #[error("it has the control character U+{:04X}", u32::from(*.0))]
    Control(char),
    /// It has a character that changes the direction of writing.
    #[error("it has U+{:04X}, which changes the direction of writing", u32::from(*.0))]
    Direction(char),
    /// It has a character that cannot be seen.
    #[error("it has the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
    /// It has a code point that is unassigned or for private use.
    #[error("it has U+{:04X}, which is no character of Unicode", u32::from(*.0))]
    Unassigned(char),
}

impl TextError {
    /// The stable code of the reason.
    pub const fn code(&self) -> &'static str {
        match self {
            TextError::Empty => "empty",
            TextError::TooLong { .. } | TextError::TooManyCodePoints { .. } => "too_long",
            TextError::TooManyMarks(_) => "too_many_marks",
            TextError::LooseMark(_) => "loose_mark",
            TextError::Control(_) => "control_character",
            TextError::Direction(_) => "direction_character",
            TextError::Invisible(_) => "invisible_character",
            TextError::Unassigned(_) => "unassigned_character",
        }
    }
}

/// `text` without white space at its ends and with every stretch of white space (line breaks too) made one space; 1 to
/// `max` characters long.
///
/// # Errors
/// If nothing is left, it is too long, or it has a character that no text may have.
pub fn clean(text: &str, max: usize) -> Result<String, TextError> {
    let mut cleaned = String::with_capacity(text.len());
    for character in text.chars() {
        check(character)?;
    }
    for word in text.split_whitespace() {
        check_word(word)?;
        if !cleaned.is_empty() {
            cleaned.push(' ');
        }
        cleaned.push_str(word);
    }
    let code_points_max = max * CODE_POINTS_OF_EACH;
    match (cleaned.graphemes(true).count(), cleaned.chars().count()) {
        (0, _) => Err(TextError::Empty),
        (length, _) if length > max => Err(TextError::TooLong { length, max }),
        (_, length) if length > code_points_max => Err(TextError::TooManyCodePoints { length, max: code_points_max }),
        _ => Ok(cleaned),
    }
}

/// The beginning of a text: at most `most` code points, and no part of a character as readers count them.
pub fn beginning(text: &str, most: usize) -> &str {
    let Some((end, _)) = text.char_indices().nth(most) else { return text };
    let whole = text.grapheme_indices(true).map(|(at, _)| at).take_while(|at| *at <= end).last();
    whole.and_then(|at| text.get(..at)).unwrap_or_default()
}

/// Refuses a character that no text may have, at any position.
fn check(character: char) -> Result<(), TextError> {
    match character {
        space if space.is_whitespace() => Ok(()),
        control if control.is_control() => Err(TextError::Control(control)),
        // Marks, embeddings and overrides, isolates.
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Err(TextError::Direction(character))
        }
        // Soft hyphen, grapheme joiner, fillers, separators, zero-width spaces, invisible operators, annotation marks,
        // controls of shorthand and of music.
        '\u{00AD}'
        | '\u{034F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{200B}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D159}'
        | '\u{1D173}'..='\u{1D17A}'
        | '\u{FE00}'..='\u{FE0D}'
        | '\u{E0000}'..='\u{E001F}'
        | '\u{E0080}'..='\u{E0FFF}' => Err(TextError::Invisible(character)),
        other => match other.general_category() {
            GeneralCategory::Unassigned | GeneralCategory::PrivateUse => Err(TextError::Unassigned(other)),
            _ => Ok(()),
        },
    }
}

/// Refuses what a word may not have: marks in heaps or on nothing, and what is invisible and joins nothing.
fn check_word(word: &str) -> Result<(), TextError> {
    for (start, cluster) in word.grapheme_indices(true) {
        let (before, rest) = word.split_at_checked(start).unwrap_or((word, ""));
        let after = rest.strip_prefix(cluster).unwrap_or_default();
        let mut own = cluster.chars();
        if own.next().is_none_or(|first| is_invisible(first) || is_mark(first)) {
            return Err(cluster.chars().next().map_or(TextError::Empty, |first| {
                if is_invisible(first) { TextError::Invisible(first) } else { TextError::LooseMark(first) }
            }));
        }
        let length = cluster.chars().count();
        if length > CODE_POINTS_MAX {
            return Err(TextError::TooManyCodePoints { length, max: CODE_POINTS_MAX });
        }
        let marks = own.filter(|character| !is_invisible(*character) && is_mark(*character)).count();
        if marks > MARKS_MAX {
            return Err(TextError::TooManyMarks(marks));
        }
        for (place, character) in cluster.char_indices().filter(|(_, character)| is_invisible(*character)) {
            let (left, right) = cluster.split_at_checked(place).unwrap_or((cluster, ""));
            let right = right.strip_prefix(character).unwrap_or_default();
            let previous = left.chars().next_back().or(before.chars().next_back());
            let is_needed = match character {
                JOINER => joins(previous, right, after),
                NON_JOINER => previous.is_some_and(is_virama) || parts(before, left, right, after),
                '\u{180B}'..='\u{180F}' => previous.is_some_and(|letter| matches!(letter, '\u{1820}'..='\u{18AA}')),
                // Text or emoji: once, behind what can be both.
                '\u{FE0E}' | '\u{FE0F}' => previous.is_some_and(|it| !it.is_alphabetic() && !is_mark(it)),
                _ => FLAGS.contains(&cluster),
            };
            if !is_needed {
                return Err(TextError::Invisible(character));
            }
        }
    }
    Ok(())
}

/// Returns true for what cannot be seen, but changes how its neighbours look where a script or an emoji needs it.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        NON_JOINER | JOINER | '\u{180B}'..='\u{180F}' | '\u{FE0E}' | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}'
    )
}

/// Returns true for what becomes part of the character before it.
fn is_mark(character: char) -> bool {
    let mut pair = String::from("a");
    pair.push(character);
    pair.graphemes(true).count() == 1
}

/// Returns true for the signs that take a consonant its vowel, in the scripts whose words have joiners behind them.
fn is_virama(character: char) -> bool {
    "\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D3B}\u{D3C}\u{D4D}\u{DCA}\u{1039}\u{103A}\u{17D2}\u{1B44}\
     \u{A8C4}\u{A9C0}\u{ABED}"
        .contains(character)
}

/// Returns true where a joiner is needed: beside a virama, or between two emoji, which it makes one character.
fn joins(previous: Option<char>, right: &str, after: &str) -> bool {
    let next = right.chars().next().or(after.chars().next());
    let is_emoji = right.chars().next().is_some_and(|next| !is_mark(next) && !next.is_alphabetic());
    is_emoji
        || previous.is_some_and(is_virama)
        || previous.is_some_and(char::is_alphabetic) && next.is_some_and(is_virama)
}

/// Returns true where a non-joiner is needed: between two letters of a script whose letters join.
fn parts(before: &str, left: &str, right: &str, after: &str) -> bool {
    let previous = left.chars().rev().chain(before.chars().rev()).find(|character| !is_mark(*character));
    let next = right.chars().chain(after.chars()).next();
    previous.is_some_and(is_cursive) && next.is_some_and(is_cursive)
}

/// Returns true for letters that join with their neighbours: of Arabic, Syriac, N'Ko, Mandaic, Mongolian, Adlam and others.
fn is_cursive(character: char) -> bool {
    let is_in_range = matches!(
        character,
        '\u{0620}'..='\u{08FF}' | '\u{1807}'..='\u{18AA}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
            | '\u{10AC0}'..='\u{10AFF}' | '\u{10D00}'..='\u{10D3F}' | '\u{1E900}'..='\u{1E95F}'
    );
    is_in_range && character.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_tidied() {
        for (text, cleaned) in [
            ("Ada", "Ada"),
            ("  Ada \t\r\n Lovelace ", "Ada Lovelace"),
            ("a\u{A0}\u{2003}\u{3000}b", "a b"),
            ("line\u{2028}end\u{2029}", "line end"),
            ("Ħéloïse Ω 石 🙂", "Ħéloïse Ω 石 🙂"),
            ("e\u{301}", "e\u{301}"),
        ] {
            assert_eq!(clean(text, 32).as_deref(), Ok(cleaned), "{text:?}");
        }
    }

    #[test]
    fn nothing_is_not_a_text() {
        for text in ["", " ", "\t\n", "\u{3000}\u{2003}"] {
            assert_eq!(clean(text, 32), Err(TextError::Empty), "{text:?}");
        }
    }

    #[test]
    fn length_counts_characters_after_cleaning() {
        assert!(clean(&"石".repeat(32), 32).is_ok());
        assert_eq!(clean(&"石".repeat(33), 32), Err(TextError::TooLong { length: 33, max: 32 }));
        assert!(clean(&format!("   a{}b   ", " ".repeat(40)), 3).is_ok());
        // A character is a grapheme cluster.
        assert!(clean(&"e\u{301}\u{323}".repeat(32), 32).is_ok());
        assert!(clean(&"🇫🇮".repeat(32), 32).is_ok());
        assert_eq!(clean(&"🇫🇮".repeat(33), 32), Err(TextError::TooLong { length: 33, max: 32 }));
        let family = "👨‍👩‍👧‍👦";
        assert!(clean(&family.repeat(40), 40).is_ok());
        assert_eq!(clean(&family.repeat(41), 40), Err(TextError::TooLong { length: 41, max: 40 }));
        let kiss = "👩🏽‍❤️‍💋‍👨🏽";
        assert!(clean(&kiss.repeat(32), 40).is_ok());
        assert_eq!(clean(&kiss.repeat(33), 40), Err(TextError::TooManyCodePoints { length: 330, max: 320 }));
    }

    #[test]
    fn controls_are_refused() {
        for control in ['\0', '\u{7}', '\u{1B}', '\u{7F}', '\u{80}', '\u{9F}'] {
            assert_eq!(clean(&format!("a{control}b"), 32), Err(TextError::Control(control)));
        }
    }

    #[test]
    fn what_is_no_character_is_refused() {
        for other in ['\u{378}', '\u{E000}', '\u{F8FF}', '\u{FFFF}', '\u{10FFFF}', '\u{F0000}'] {
            assert_eq!(clean(&format!("a{other}"), 32), Err(TextError::Unassigned(other)));
        }
    }

    #[test]
    fn nothing_may_change_the_direction() {
        for point in (0x202A..=0x202E).chain(0x2066..=0x2069).chain([0x200E, 0x200F, 0x061C]) {
            let character = char::from_u32(point).unwrap();
            assert_eq!(clean(&format!("a{character}"), 32), Err(TextError::Direction(character)));
        }
    }

    #[test]
    fn nothing_may_be_invisible() {
        for point in [
            0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x034F, 0x3164, 0x2800, 0x115F, 0x180B, 0x180E, 0x1D173,
            0xE0001, 0xE0041, 0xE007F,
        ] {
            let character = char::from_u32(point).unwrap();
            for text in ["a{}b", "{}", "a{}", "{}a", "石{}石", "😀{}a", "a {}b", "م{}a"] {
                let text = text.replace("{}", &character.to_string());
                assert_eq!(clean(&text, 32), Err(TextError::Invisible(character)), "{text:?}");
            }
        }
        let spelled: String =
            "resign now".chars().map(|letter| char::from_u32(0xE0000 + letter as u32).unwrap()).collect();
        for text in [
            &*format!("🏴{spelled}\u{E007F}"),
            "A\u{E0101}\u{E0102}",
            "Ro\u{FE01}wan",
            "Ro\u{FE0F}wan",
            "❤\u{FE0F}\u{FE0F}",
            "e\u{301}\u{FE0F}",
        ] {
            assert!(matches!(clean(text, 32), Err(TextError::Invisible(_))), "{text:?}");
        }
        for text in
            ["م\u{200C}\u{200C}م", "क\u{94D}\u{200D}\u{200D}ष", "🏴\u{E0067}", "😀\u{E0067}\u{E007F}", "م\u{200D}م"]
        {
            assert!(matches!(clean(text, 32), Err(TextError::Invisible(_))), "{text:?}");
        }
    }

    #[test]
    fn names_of_many_scripts_pass_as_they_are_written() {
        for name in [
            "علی\u{200C}رضا",
            "می\u{200C}خواهم",
            "محمّد\u{200C}علی",
            "ශ්\u{200D}රී ලංකා",
            "ක්\u{200D}ෂ",
            "നാരായണന്\u{200D}",
            "അവൻ",
            "র\u{200D}্যাব",
            "ರಾಜ್\u{200C}ಕುಮಾರ್",
            "क्\u{200D}ष",
            "श्रीनिवास",
            "தமிழ்",
            "မြန်မာ",
            "ភាសាខ្មែរ",
            "བཀྲ་ཤིས་",
            "Nguyễn Thị Hồng",
            "Πηνελόπη",
            "Ωνάσης",
            "Ольга",
            "שָׁלוֹם",
            "ምኒልክ",
            "김철수",
            "花子",
            "ᠮᠣᠩᠭᠣᠯ",
            "👨‍👩‍👧‍👦",
            "👩🏽‍❤️‍💋‍👨🏿",
            "🏳️‍🌈",
            "🇫🇮",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "1️⃣",
            "a\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}",
        ] {
            assert_eq!(clean(name, 40).as_deref(), Ok(name));
        }
    }

    #[test]
    fn a_beginning_ends_between_two_characters() {
        assert_eq!(["", "ab", "abc", "a☘c"].map(|text| beginning(text, 2)), ["", "ab", "ab", "a☘"]);
        for (text, begun) in
            [("ae\u{301}b", "a"), ("e\u{301}b", "e\u{301}"), ("🇸🇪🇳🇴", "🇸🇪"), ("👩\u{200D}👩\u{200D}👧", "")]
        {
            assert_eq!(beginning(text, 2), begun, "{text}");
        }
    }

    #[test]
    fn marks_are_bounded_and_stand_on_something() {
        for marks in [9, 15] {
            let heaped = format!("a{}", "\u{301}".repeat(marks));
            assert_eq!(clean(&heaped, 32), Err(TextError::TooManyMarks(marks)));
        }
        let length = 32;
        let heap = format!("a{}", "\u{301}".repeat(length - 1));
        assert_eq!(clean(&heap, 32), Err(TextError::TooManyCodePoints { length, max: CODE_POINTS_MAX }));
        for loose in ["\u{301}", "\u{301}a", "a \u{301}b", "\u{20E3}"] {
            assert!(matches!(clean(loose, 32), Err(TextError::LooseMark(_))), "{loose:?}");
        }
        // Syllables of Hangul that are written sign by sign join without end.
        assert!(matches!(clean(&"\u{1100}".repeat(17), 32), Err(TextError::TooManyCodePoints { .. })));
    }

    proptest::proptest! {
        #[test]
        fn what_is_clean_stays_as_it_is(text in proptest::prelude::any::<String>()) {
            if let Ok(cleaned) = clean(&text, 1000) {
                proptest::prop_assert_eq!(clean(&cleaned, 1000), Ok(cleaned.clone()));
                proptest::prop_assert!(!cleaned.chars().any(char::is_control));
            }
        }
    }
}
