//! Cleaning of short texts that people write and others read: names, titles.
//!
//! Invariant: a cleaned text has no white space at its ends, only single spaces inside, at least one visible character,
//! and no character that hides, reorders or breaks what stands around it.
//!
//! Deliberately absent: normalisation and any judgement of the words.

/// The reason why a text was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextError {
    /// Nothing is left after cleaning.
    #[error("it is empty")]
    Empty,
    /// It has more characters than allowed.
    #[error("it has {length} characters; at most {max} are allowed")]
    TooLong {
        /// Its length in Unicode scalar values, after cleaning.
        length: usize,
        /// The most that is allowed.
        max: usize,
    },
    /// It has a control character.
    #[error("it has the control character U+{:04X}", u32::from(*.0))]
    Control(char),
    /// It has a character that changes the direction of writing.
    #[error("it has U+{:04X}, which changes the direction of writing", u32::from(*.0))]
    Direction(char),
    /// It has a character that cannot be seen.
    #[error("it has the invisible character U+{:04X}", u32::from(*.0))]
    Invisible(char),
}

impl TextError {
    /// The stable code of the reason.
    pub const fn code(&self) -> &'static str {
        match self {
            TextError::Empty => "empty",
            TextError::TooLong { .. } => "too_long",
            TextError::Control(_) => "control_character",
            TextError::Direction(_) => "direction_character",
            TextError::Invisible(_) => "invisible_character",
        }
    }
}

/// `text` without white space at its ends and with every stretch of white space (line breaks too) made one space; 1 to
/// `max` Unicode scalar values long.
///
/// # Errors
/// If nothing is left, it is too long, or it has a character that no text may have.
pub fn clean(text: &str, max: usize) -> Result<String, TextError> {
    text.chars().try_for_each(check)?;
    let mut cleaned = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !cleaned.is_empty() {
            cleaned.push(' ');
        }
        cleaned.push_str(word);
    }
    match cleaned.chars().count() {
        0 => Err(TextError::Empty),
        length if length > max => Err(TextError::TooLong { length, max }),
        _ => Ok(cleaned),
    }
}

fn check(character: char) -> Result<(), TextError> {
    match character {
        space if space.is_whitespace() => Ok(()),
        control if control.is_control() => Err(TextError::Control(control)),
        // Marks, embeddings and overrides, isolates.
        '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            Err(TextError::Direction(character))
        }
        // Soft hyphen, joiners, fillers, separators, zero-width spaces, invisible operators, annotation marks, tags.
        '\u{00AD}'
        | '\u{034F}'
        | '\u{115F}'
        | '\u{1160}'
        | '\u{17B4}'
        | '\u{17B5}'
        | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200D}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{FEFF}'
        | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E007F}' => Err(TextError::Invisible(character)),
        _ => Ok(()),
    }
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
    fn length_counts_scalar_values_after_cleaning() {
        assert!(clean(&"石".repeat(32), 32).is_ok());
        assert_eq!(clean(&"石".repeat(33), 32), Err(TextError::TooLong { length: 33, max: 32 }));
        assert!(clean(&format!("   a{}b   ", " ".repeat(40)), 3).is_ok());
    }

    #[test]
    fn controls_are_refused() {
        for control in ['\0', '\u{7}', '\u{1B}', '\u{7F}', '\u{80}', '\u{9F}'] {
            assert_eq!(clean(&format!("a{control}b"), 32), Err(TextError::Control(control)));
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
        for point in [0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x3164, 0x2800, 0xE0041] {
            let character = char::from_u32(point).unwrap();
            assert_eq!(clean(&format!("a{character}b"), 32), Err(TextError::Invisible(character)));
            assert_eq!(clean(&character.to_string(), 32), Err(TextError::Invisible(character)));
        }
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
