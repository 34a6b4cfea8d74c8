//! Payloads and options that several games share. Moves and events of all games form one flat union each, so a name has one
//! meaning everywhere.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use strum::{Display, EnumString};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{
    AdditionalProperties, KnownFormat, ObjectBuilder, RefBuilder, Schema, SchemaFormat, Type,
};
use utoipa::{PartialSchema, ToSchema};

use sarsen_rules::reading::{integer_or_nearest, read};
use sarsen_rules::{Refusal, Schemas};

/// The forms of a type with a method `text`, which is shown, written and read; `$expected` says what a reader wants.
macro_rules! text_forms {
    ($type:ident, $expected:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.text())
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.text())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.text())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct Text;
                impl serde::de::Visitor<'_> for Text {
                    type Value = $type;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($expected)
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    };
}
pub(crate) use text_forms;

/// Passes: gives up the turn, or the right to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Pass {}

/// Between what bounds the option `turn_limit` of a game lies, both included, and the ruling that says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TurnLimits {
    pub(crate) lowest: u16,
    /// The most turns.
    pub(crate) highest: u16,
    pub(crate) rule: &'static str,
}

impl TurnLimits {
    /// Reads a limit. One that is out of range stays out of it, for [`TurnLimits::check`] to refuse.
    ///
    /// # Errors
    /// Anything that is not an integer.
    pub(crate) fn read<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<u16, D::Error> {
        let limit = integer_or_nearest(deserializer, self.lowest.into()..=self.highest.into())?;
        Ok(u16::try_from(limit).unwrap_or(u16::MAX))
    }

    /// Refuses a limit out of range.
    ///
    /// # Errors
    /// With a refusal that names `turn_limit`.
    pub(crate) fn check(self, limit: u16) -> Result<(), Refusal> {
        let TurnLimits { lowest, highest, rule } = self;
        if (lowest..=highest).contains(&limit) {
            return Ok(());
        }
        let detail = format!("the turn limit is {lowest} to {highest}");
        Err(Refusal::new("turn_limit_out_of_range", rule, Some("turn_limit"), detail))
    }
}

/// Returns whether a move's JSON has this property, but as something that does not read as a `T`. What is missing
/// altogether is another fault.
pub(crate) fn misread<T: DeserializeOwned>(json: &Value, property: &str) -> bool {
    json.get(property).is_some_and(|value| read::<T>(value).is_err())
}

/// Returns whether a list in a move's JSON names something twice.
pub(crate) fn named_twice(json: &Value, property: &str) -> bool {
    let items = json.get(property).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().enumerate().any(|(index, item)| items[..index].contains(item))
}

/// The schema name of every `choose`.
pub(crate) const CHOOSE: &str = "Choose";

/// A place in the order of turns.
///
/// - `first`: Before the opponent.
/// - `second`: After the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display, EnumString, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TurnOrder {
    /// Before the opponent.
    First,
    /// After the opponent.
    Second,
}

/// The schema of every `choose`: what there is to choose differs by game, and each game has one of the properties. Its
/// own type accepts no other.
pub(crate) fn choose_schema() -> RefOr<Schema> {
    let order = RefBuilder::new()
        .ref_location_from_schema_name(TurnOrder::name())
        .description(Some("In Contiguity: when the lowest bidder moves. First is white, second is red."));
    let option = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
        .minimum(Some(1))
        .maximum(Some(99))
        .description(Some("In Henge: which of the alternatives, counted from 1."));
    ObjectBuilder::new()
        .description(Some("Chooses between alternatives. Each game has just one of these properties."))
        .property("order", order)
        .property("option", option)
        .min_properties(Some(2))
        .max_properties(Some(2))
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(false)))
        .into()
}

/// The schemas that [`choose_schema`] refers to.
pub(crate) fn choose_schemas(schemas: &mut Schemas) {
    schemas.push((TurnOrder::name().into_owned(), TurnOrder::schema()));
}
