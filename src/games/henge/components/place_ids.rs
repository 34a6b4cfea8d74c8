//! Ids of the numbered places, as `/board` has them and moves, events and views name them: `step.7`, `area.3`,
//! `quarry.2`, `druid_track.1`, `luck_track.1`, `coin.0`.
//!
//! Invariant: the id is written. The number alone is read too, as component files have it.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserializer;
use serde::de::{Error, Visitor};

/// The id of such a place.
pub(crate) fn place_id(kind: &str, number: u8) -> String {
    [kind, ".", &number.to_string()].concat()
}

/// The ids of a kind that have numbers up to 31, which are the most of them.
macro_rules! texts {
    ($kind:literal) => {
        texts!($kind, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31)
    };
    ($kind:literal, $($number:literal)+) => {
        [$(concat!($kind, ".", $number)),+]
    };
}

/// Reads an id of any of these kinds, or a number; from 1 to 99, and what a `T` may be.
fn read<'de, T, D>(kinds: &[&'static str], deserializer: D) -> Result<T, D::Error>
where
    T: TryFrom<u8, Error: fmt::Display>,
    D: Deserializer<'de>,
{
    struct Numbered<'a, T>(&'a [&'static str], PhantomData<T>);

    impl<T: TryFrom<u8, Error: fmt::Display>> Visitor<'_> for Numbered<'_, T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let ids: Vec<String> = self.0.iter().map(|kind| place_id(kind, 1)).collect();
            write!(f, "the id of a place, such as {}", ids.join(" or "))
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
            let read = T::try_from(u8::try_from(number).unwrap_or(u8::MAX)).map_err(E::custom)?;
            match number {
                1..=99 => Ok(read),
                _ => Err(E::custom(format_args!("{number} is not the number of such a place"))),
            }
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
            self.visit_u64(u64::try_from(number).unwrap_or_default())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            let wrong = || E::custom(format_args!("{text:?} is not {}", &self as &dyn serde::de::Expected));
            let (kind, digits) = text.rsplit_once('.').ok_or_else(wrong)?;
            let canonical = self.0.contains(&kind) && digits.len() <= 2 && !digits.starts_with(['0', '+']);
            let number: Option<u8> = digits.parse().ok().filter(|_| canonical);
            number.and_then(|number| T::try_from(number).ok()).ok_or_else(wrong)
        }
    }

    deserializer.deserialize_any(Numbered(kinds, PhantomData))
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident: $kind:literal),+ $(,)?) => {$(
        $(#[$meta])*
        pub mod $name {
            use std::borrow::Cow;

            use serde::{Deserializer, Serializer};

            use crate::henge::components::place_ids::{place_id, read};

            /// The beginning of its ids.
            pub const KIND: &str = $kind;

            const TEXTS: [&str; 32] = texts!($kind);

            /// The id of such a place.
            pub fn id(number: u8) -> Cow<'static, str> {
                match TEXTS.get(usize::from(number)) {
                    Some(text) => Cow::Borrowed(text),
                    None => Cow::Owned(place_id(KIND, number)),
                }
            }

            /// Writes the id.
            ///
            /// # Errors
            /// The serializer's.
            pub fn serialize<T: Copy + Into<u8>, S: Serializer>(number: &T, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&id((*number).into()))
            }

            /// Reads an id, or the number alone.
            ///
            /// # Errors
            /// A value that is neither.
            pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
            where
                T: TryFrom<u8, Error: std::fmt::Display>,
                D: Deserializer<'de>,
            {
                read(&[KIND], deserializer)
            }
        }
    )+};
}

kinds! {
    /// An area of the henge. For `#[serde(with)]`, as the others.
    area: "area",
    /// A step of the rondel.
    step: "step",
    /// A position of the quarry.
    quarry: "quarry",
    /// A step of the Luck track.
    luck_track: "luck_track",
    /// A space of the druid track.
    druid_track: "druid_track",
}

/// A space of the druid track or a step of the Luck track: what is written needs its kind, what is read does not.
///
/// # Errors
/// A value that is neither id nor number.
pub(crate) fn either_track<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    read(&[druid_track::KIND, luck_track::KIND], deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Named {
        #[serde(with = "super::step")]
        step: u8,
    }

    #[test]
    fn ids_are_written_and_read_and_numbers_are_read_too() {
        let named = Named { step: 7 };
        assert_eq!(serde_json::to_value(&named).unwrap(), json!({"step": "step.7"}));
        for read in [json!({"step": "step.7"}), json!({"step": 7})] {
            assert_eq!(serde_json::from_value::<Named>(read).unwrap(), named);
        }
    }

    #[test]
    fn ids_of_all_numbers_are_made_alike() {
        for number in 0..=u8::MAX {
            assert_eq!(super::quarry::id(number), super::place_id("quarry", number));
        }
    }

    #[test]
    fn nothing_else_is_an_id() {
        let wrong = ["step.07", "step.", "step", "7", "area.7", "step.7.", "step.+7", "step.100", "Step.7", "step.0"];
        for wrong in wrong.map(|text| json!(text)).into_iter().chain([json!(0), json!(100), json!(-1), json!(1.5)]) {
            let error = serde_json::from_value::<Named>(json!({"step": wrong})).unwrap_err().to_string();
            assert!(!error.is_empty());
        }
        let error = serde_json::from_value::<Named>(json!({"step": "area.1"})).unwrap_err().to_string();
        assert_eq!(error, "\"area.1\" is not the id of a place, such as step.1");
    }
}
