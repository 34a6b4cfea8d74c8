//! Faults of JSON that a client sent.
//!
//! Invariant: a fault names its place and the permitted values, in the words of the contract; the names of types
//! of this service never occur.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};

/// A fault in a client's input, and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misread {
    /// Names joined by points, places in lists in brackets; empty for the whole.
    place: String,
    said: Said,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    /// The value has to be of this kind.
    HasToBe(String),
    /// Another fault of the value.
    Is(String),
    /// A sentence of the type that was read.
    Sentence(String),
}

impl Misread {
    fn of(said: Said) -> Misread {
        Misread { place: String::new(), said }
    }

    pub(super) fn has_to_be(what: impl fmt::Display) -> Misread {
        Misread::of(Said::HasToBe(what.to_string()))
    }

    /// The value has to be one of these names.
    pub fn none_of(names: &[&str]) -> Misread {
        Misread::has_to_be(format_args!("one of {}", quoted(names)))
    }

    /// The place of the fault, such as `options.jump` or `cards[1]`; `.` for the whole.
    pub fn place(&self) -> &str {
        if self.place.is_empty() { "." } else { &self.place }
    }

    /// The first name of the place; `None` for the whole.
    pub fn property(&self) -> Option<&str> {
        self.place.split(['.', '[']).next().filter(|name| !name.is_empty())
    }

    /// The same fault, within the property `name`.
    #[must_use]
    pub fn under(mut self, name: &str) -> Misread {
        let point = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{name}{point}{}", self.place);
        self
    }
}

fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.said, self.place.is_empty()) {
            (Said::HasToBe(what), true) => write!(f, "this has to be {what}"),
            (Said::HasToBe(what), false) => write!(f, "`{}` has to be {what}", self.place),
            (Said::Is(what), true) => write!(f, "this {what}"),
            (Said::Is(what), false) => write!(f, "`{}` {what}", self.place),
            (Said::Sentence(sentence), true) => f.write_str(sentence),
            (Said::Sentence(sentence), false) => write!(f, "`{}`: {sentence}", self.place),
        }
    }
}

impl std::error::Error for Misread {}

impl Error for Misread {
    fn custom<T: fmt::Display>(sentence: T) -> Misread {
        Misread::of(Said::Sentence(sentence.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Misread {
        Misread::has_to_be(in_words(expected))
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Misread {
        Misread::has_to_be(in_words(expected))
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Misread {
        Misread::has_to_be(in_words(expected))
    }

    fn unknown_variant(_: &str, names: &'static [&'static str]) -> Misread {
        Misread::none_of(names)
    }

    fn unknown_field(name: &str, names: &'static [&'static str]) -> Misread {
        let known = if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", quoted(names)) };
        // What a client calls a property may be as long as its body.
        let short: String = name.chars().take(NAME_SHOWN).collect();
        Misread::of(Said::Is(format!("is not known here; {known}"))).under(&short)
    }

    fn missing_field(name: &'static str) -> Misread {
        Misread::of(Said::Is("is missing".to_owned())).under(name)
    }

    fn duplicate_field(name: &'static str) -> Misread {
        Misread::of(Said::Is("is given more than once".to_owned())).under(name)
    }
}

/// The most characters of an unknown name that an answer repeats.
const NAME_SHOWN: usize = 60;

/// Returns the expectation of a reader: its own words, or those of the contract in place of serde's words for plain types.
pub(super) fn in_words(expected: &dyn Expected) -> String {
    let own = expected.to_string();
    let integer = |least: i128, most: i128| format!("an integer from {least} to {most}");
    match own.as_str() {
        "u8" => integer(0, u8::MAX.into()),
        "u16" => integer(0, u16::MAX.into()),
        "u32" => integer(0, u32::MAX.into()),
        "i8" => integer(i8::MIN.into(), i8::MAX.into()),
        "i16" => integer(i16::MIN.into(), i16::MAX.into()),
        "i32" => integer(i32::MIN.into(), i32::MAX.into()),
        // What is greater no JSON parser need read exactly.
        "u64" | "usize" => integer(0, EXACT),
        "i64" | "isize" => integer(-EXACT, EXACT),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "a borrowed string" | "a character" => "a string".to_owned(),
        "unit" => "null".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" | "newtype variant" | "tuple variant" | "struct variant" => "an object".to_owned(),
        _ if own.starts_with("struct ") => "an object".to_owned(),
        _ if own.starts_with("tuple ") || own.starts_with("a tuple ") => "a list".to_owned(),
        _ => own,
    }
}

/// The greatest integer that every JSON parser reads exactly: 2^53 - 1.
const EXACT: i128 = (1 << 53) - 1;
