//! Reads the input of clients, JSON and the texts of queries, as strictly as the schemas.
//!
//! Invariants: the name of one of several values is a string and nothing else, though a variant with content is an
//! object; a struct is an object, never a list; an integer is one, in JSON by its digits and in a query by its text. A fault
//! is a [`Misread`].
//!
//! Deliberately absent: stored values, which serde reads by itself.

mod fault;
mod given;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use serde_json::{Map, Value};

pub use serde_json::Value as Json;

pub use fault::Misread;
use given::{Entries, Given};

/// Reads JSON as a `T`.
///
/// # Errors
/// The first fault.
pub fn read<'de, T: Deserialize<'de>>(json: &'de Value) -> Result<T, Misread> {
    T::deserialize(Given::Json(json))
}

/// Reads an object as a `T`, as if it had no property of this name.
///
/// # Errors
/// The first fault.
pub fn read_without<'de, T: Deserialize<'de>>(
    object: &'de Map<String, Value>,
    name: &'static str,
) -> Result<T, Misread> {
    let entries = object.iter().filter(move |(key, _)| *key != name);
    T::deserialize(Entries(entries.map(|(key, value)| (key.as_str(), Given::Json(value)))))
}

/// An object and its property `type`, which tells the parts of a union apart.
///
/// # Errors
/// Anything that is not an object, or has no such property.
pub fn tagged(json: &Value) -> Result<(&str, &Map<String, Value>), Misread> {
    let object = json.as_object().ok_or_else(|| Misread::has_to_be("an object"))?;
    let tag = object.get("type").ok_or_else(|| Misread::missing_field("type"))?;
    let tag = tag.as_str().ok_or_else(|| Misread::has_to_be("a string").under("type"))?;
    Ok((tag, object))
}

/// Reads the parameters of a query as a `T`, each of which is a text.
///
/// # Errors
/// The first fault.
pub fn read_parameters<'de, T: Deserialize<'de>>(parameters: &'de [(String, String)]) -> Result<T, Misread> {
    let entries = parameters.iter();
    T::deserialize(Entries(entries.map(|(name, text)| (name.as_str(), Given::Text(text)))))
}

/// Reads an integer of this range, for types that hold no other.
///
/// # Errors
/// Anything that is not an integer, and what is out of the range.
pub fn integer<'de, D: Deserializer<'de>>(deserializer: D, range: RangeInclusive<i64>) -> Result<i64, D::Error> {
    deserializer.deserialize_i64(Integer { range, or_nearest: false })
}

/// Reads an integer; one out of the range becomes the one just outside it, so that a rule can refuse it by its name.
///
/// # Errors
/// Anything that is not an integer.
pub fn integer_or_nearest<'de, D: Deserializer<'de>>(
    deserializer: D,
    range: RangeInclusive<i64>,
) -> Result<i64, D::Error> {
    deserializer.deserialize_i64(Integer { range, or_nearest: true })
}

/// Reads a type that is an integer of this range, of which `new` makes it.
///
/// # Errors
/// Anything that is not an integer, and what is out of the range.
pub fn small_integer<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    range: RangeInclusive<u8>,
    new: impl FnOnce(u8) -> Option<T>,
) -> Result<T, D::Error> {
    let wide = i64::from(*range.start())..=i64::from(*range.end());
    let number = integer(deserializer, wide.clone())?;
    let refused = || D::Error::invalid_value(Unexpected::Signed(number), &Integer { range: wide, or_nearest: false });
    u8::try_from(number).ok().and_then(new).ok_or_else(refused)
}

struct Integer {
    range: RangeInclusive<i64>,
    or_nearest: bool,
}

impl Visitor<'_> for Integer {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an integer from {} to {}", self.range.start(), self.range.end())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        if self.range.contains(&number) {
            return Ok(number);
        }
        if self.or_nearest {
            return Ok(number.clamp(self.range.start().saturating_sub(1), self.range.end().saturating_add(1)));
        }
        Err(E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }
}
