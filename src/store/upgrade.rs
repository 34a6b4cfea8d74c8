//! Stored forms: this release reads the values that earlier ones have written.
//!
//! Each stored JSON value says its form, as a number. Invariants:
//! - A value of the present form is decoded directly from its bytes; older forms cost it nothing.
//! - A value of an older form is taken through every step from its form to the present one, and then decoded.
//! - A value of an unknown form, which a newer release has written, is refused and never guessed at.
//! - No error quotes the stored value, which has secrets in it.
//!
//! A change of a form adds a step here and, in `tests/fixtures`, a value as the form before wrote it, which a test
//! reads for good. Forms are never removed.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::StoreError;

/// Upgrades a value from one form to the next. It leaves the number of the form to its caller, and leaves what it
/// cannot understand as it is, which the decoding then refuses.
pub type Upgrade = fn(&mut Map<String, Value>);

/// The forms that one kind of value has had.
pub struct Forms {
    /// The name of the kind, for errors.
    pub kind: &'static str,
    /// The property that holds the number of the form.
    pub property: &'static str,
    /// The upgrades from form 1 to 2, from 2 to 3, and so on to the present one.
    pub steps: &'static [Upgrade],
}

impl Forms {
    /// Returns the number of the present form.
    pub const fn present(&self) -> u16 {
        self.steps.len() as u16 + 1
    }
}

/// A stored value that has forms: the type is the present one.
pub trait Formed: DeserializeOwned {
    /// All its forms.
    const FORMS: Forms;

    /// Returns the form that this value says it has.
    fn form(&self) -> u16;

    /// Reads a stored value as [`decode`] does.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`], which quotes nothing.
    fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        Ok(decode(bytes)?)
    }

    /// Writes the value as stored.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] where it has no JSON form.
    fn encode(&self) -> Result<Vec<u8>, StoreError>
    where
        Self: Serialize,
    {
        encode(self, Self::FORMS.kind)
    }
}

/// Implements [`Formed`] for a type whose field `form` holds the number of its form.
#[macro_export]
macro_rules! formed {
    ($stored:ty, $kind:literal, $property:literal, $steps:expr) => {
        impl $crate::upgrade::Formed for $stored {
            const FORMS: $crate::upgrade::Forms =
                $crate::upgrade::Forms { kind: $kind, property: $property, steps: $steps };

            fn form(&self) -> u16 {
                self.form
            }
        }
    };
}

/// Writes a value of this kind as stored.
///
/// # Errors
/// [`StoreError::Corrupt`] where it has no JSON form.
pub fn encode(value: &impl Serialize, kind: &str) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Corrupt(format!("a {kind} cannot be written: {error}")))
}

/// Reads a stored value of this kind, which has no forms.
///
/// # Errors
/// [`StoreError::Corrupt`], which quotes nothing.
pub fn read<T: DeserializeOwned>(bytes: &[u8], kind: &str) -> Result<T, StoreError> {
    let unreadable = |error: serde_json::Error| format!("a {kind} with a {:?} error", error.classify());
    serde_json::from_slice(bytes).map_err(|error| StoreError::Corrupt(unreadable(error)))
}

/// The reason why a stored value cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormError {
    /// A newer release has written it.
    #[error("a {kind} of form {found}; this release knows forms up to {known}")]
    Unknown {
        /// The name of its kind.
        kind: &'static str,
        /// The number of its form.
        found: u64,
        /// The newest form that is known.
        known: u16,
    },
    /// The value does not fit the form that it says it has.
    #[error("a {kind} with a {category:?} error at byte {at}")]
    Unreadable {
        /// The name of its kind.
        kind: &'static str,
        /// The category of the error.
        category: serde_json::error::Category,
        /// The column of the error, in bytes.
        at: usize,
    },
}

/// Reads a stored value of any form up to the present.
///
/// # Errors
/// If a newer release has written it, or it is damaged.
pub fn decode<T: Formed>(bytes: &[u8]) -> Result<T, FormError> {
    match serde_json::from_slice::<T>(bytes) {
        Ok(value) if value.form() == T::FORMS.present() => Ok(value),
        direct => upgrade(bytes, direct.err()),
    }
}

/// Reads a value that is not of the present form, or that cannot be read as one for this reason.
fn upgrade<T: Formed>(bytes: &[u8], reason: Option<serde_json::Error>) -> Result<T, FormError> {
    let Forms { kind, property, steps } = T::FORMS;
    let known = T::FORMS.present();
    let unreadable =
        |error: serde_json::Error| FormError::Unreadable { kind, category: error.classify(), at: error.column() };
    let mut object: Map<String, Value> = serde_json::from_slice(bytes).map_err(unreadable)?;
    let found = object.get(property).and_then(Value::as_u64);
    let missing = found.and_then(|found| steps.get(usize::try_from(found).ok()?.checked_sub(1)?..));
    match (reason, found, missing) {
        // The value says no form, or it is of the present form and faulty.
        (Some(error), found, _) if found.is_none_or(|found| found == u64::from(known)) => Err(unreadable(error)),
        (_, found, None) => Err(FormError::Unknown { kind, found: found.unwrap_or_default(), known }),
        (_, _, Some(missing)) => {
            missing.iter().for_each(|step| step(&mut object));
            object.insert(property.to_owned(), known.into());
            // Decodes from bytes, so that raw JSON in the value is read as it always is.
            let bytes = serde_json::to_vec(&object).map_err(unreadable)?;
            serde_json::from_slice(&bytes).map_err(unreadable)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;
    use serde_json::value::RawValue;

    use super::*;

    /// Form 1 had a `nick`, form 2 called it `name`, form 3 has it in capitals and an age.
    #[derive(Deserialize, Debug)]
    struct Person {
        form: u16,
        name: Box<RawValue>,
        age: u8,
    }

    crate::formed!(Person, "person", "form", &[rename, capitals_and_age]);

    fn rename(person: &mut Map<String, Value>) {
        if let Some(nick) = person.remove("nick") {
            person.insert("name".to_owned(), nick);
        }
    }

    fn capitals_and_age(person: &mut Map<String, Value>) {
        if let Some(Value::String(name)) = person.get_mut("name") {
            *name = name.to_uppercase();
        }
        person.insert("age".to_owned(), 0.into());
    }

    fn read(value: Value) -> Result<(u16, String, u8), FormError> {
        let person: Person = decode(value.to_string().as_bytes())?;
        Ok((person.form, person.name.get().to_owned(), person.age))
    }

    #[test]
    fn every_form_is_read_as_the_present_one() {
        assert_eq!(read(json!({"form": 1, "nick": "Ada"})).unwrap(), (3, "\"ADA\"".to_owned(), 0));
        assert_eq!(read(json!({"form": 2, "name": "Ada"})).unwrap(), (3, "\"ADA\"".to_owned(), 0));
    }

    #[test]
    fn the_present_form_goes_through_no_step() {
        assert_eq!(read(json!({"form": 3, "name": "Ada", "age": 36})).unwrap(), (3, "\"Ada\"".to_owned(), 36));
    }

    #[test]
    fn a_form_that_is_not_known_is_refused_even_if_it_could_be_read() {
        for found in [0, 4, u64::MAX] {
            for value in [json!({"form": found, "name": "Ada", "age": 36}), json!({"form": found, "other": 1})] {
                assert_eq!(read(value), Err(FormError::Unknown { kind: "person", found, known: 3 }));
            }
        }
        let sentence = read(json!({"form": 4})).unwrap_err().to_string();
        assert_eq!(sentence, "a person of form 4; this release knows forms up to 3");
    }

    #[test]
    fn what_is_not_as_its_form_says_is_refused_without_quoting_it() {
        for wrong in [
            json!({"form": 3, "name": "Ada", "age": "hidden"}),
            json!({"form": 3, "name": "hidden"}),
            json!({"form": 1, "other": "hidden"}),
            json!({"form": "hidden", "name": "Ada", "age": 36}),
            json!({"name": "Ada", "age": 36}),
            json!("hidden"),
        ] {
            let sentence = read(wrong.clone()).map_or_else(|error| error.to_string(), |_| "hidden".to_owned());
            assert!(sentence.starts_with("a person with a Data error") && !sentence.contains("hidden"), "{wrong}");
        }
        assert!(matches!(decode::<Person>(b"{"), Err(FormError::Unreadable { .. })));
    }
}
