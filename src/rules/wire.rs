//! Types that cross the wire, unions of them that code generators understand, and options as they arrive.
//!
//! Invariant: a union is of objects, told apart by one string property; each part has a schema name of its own. The
//! OpenAPI builder joins the parts of all games into one flat union and refuses two different parts of one name.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// A value that is JSON on the wire and has a schema.
pub trait Wire: Serialize + DeserializeOwned + ToSchema + Clone + Debug + Send + Sync + 'static {}

impl<T: Serialize + DeserializeOwned + ToSchema + Clone + Debug + Send + Sync + 'static> Wire for T {}

/// Options that are not of their schema.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct MalformedOptions {
    /// JSON path of the fault, `.` for the whole.
    pub path: String,
    /// One sentence.
    pub detail: String,
}

impl MalformedOptions {
    /// A fault at `path`.
    pub fn at(path: impl Into<String>, fault: impl ToString) -> MalformedOptions {
        MalformedOptions { path: path.into(), detail: fault.to_string() }
    }
}

/// Reads options whose defaults are those of their type; null means all defaults.
///
/// # Errors
/// The first fault, with its place.
pub fn read_options<T: DeserializeOwned + Default>(json: &Value) -> Result<T, MalformedOptions> {
    match json {
        Value::Null => Ok(T::default()),
        // Serde would take a list for a struct.
        Value::Array(_) => Err(MalformedOptions::at(".", "options are an object")),
        given => serde_path_to_error::deserialize(given)
            .map_err(|error| MalformedOptions::at(error.path().to_string(), error.inner())),
    }
}

/// A union of objects told apart by the property `type`. Build it with [`tagged_union!`].
pub trait WireUnion: Serialize + DeserializeOwned + Clone + Debug + Send + Sync + 'static {
    /// The parts, in declaration order.
    fn parts() -> Vec<Part>;
}

/// One part of a union.
#[derive(Clone)]
pub struct Part {
    /// The value of `type`.
    pub tag: &'static str,
    /// The schema name of the payload.
    pub name: String,
    /// The payload's schema, without `type`.
    pub schema: RefOr<Schema>,
    /// Schemas that the payload refers to, by name.
    pub nested: Vec<(String, RefOr<Schema>)>,
}

impl Part {
    /// The part whose payload is `T`.
    pub fn of<T: ToSchema>(tag: &'static str) -> Part {
        let mut nested = Vec::new();
        T::schemas(&mut nested);
        Part { tag, name: T::name().into_owned(), schema: T::schema(), nested }
    }
}

/// Declares a union by `type` of payload structs, with its serde form and its parts.
///
/// The payloads are plain structs that derive `Serialize`, `Deserialize` and `ToSchema` and carry
/// `#[serde(deny_unknown_fields)]`; one without properties is written `struct Pass {}`.
///
/// ```
/// use sarsen::rules::{WireUnion, tagged_union};
/// use serde::{Deserialize, Serialize};
/// use utoipa::ToSchema;
///
/// /// Does nothing this turn.
/// #[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
/// #[serde(deny_unknown_fields)]
/// pub struct Pass {}
///
/// tagged_union! {
///     /// A move.
///     pub enum Move {
///         "pass" => Pass(Pass),
///     }
/// }
///
/// assert_eq!(serde_json::to_string(&Move::Pass(Pass {})).unwrap(), r#"{"type":"pass"}"#);
/// assert_eq!(Move::parts()[0].tag, "pass");
/// ```
#[macro_export]
macro_rules! tagged_union {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$part_meta:meta])* $tag:literal => $variant:ident($payload:ty)),+ $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Debug, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(tag = "type")]
        $vis enum $name {
            $($(#[$part_meta])* #[doc = concat!("`", $tag, "`")] #[serde(rename = $tag)] $variant($payload)),+
        }

        impl $crate::rules::WireUnion for $name {
            fn parts() -> Vec<$crate::rules::Part> {
                vec![$($crate::rules::Part::of::<$payload>($tag)),+]
            }
        }
    };
}

pub use crate::tagged_union;
