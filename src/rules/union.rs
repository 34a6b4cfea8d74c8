//! Unions of types that cross the wire, which code generators understand.
//!
//! Invariant: a union is of objects, told apart by one string property; each part has a schema name of its own. The
//! OpenAPI builder joins the parts of all games into one flat union and refuses two different parts of one name.
//!
//! A union in answers is open: its last part is any other object with such a property, so that a client
//! generated today can read the answers of a later release. A union that only clients send is
//! closed.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{AdditionalProperties, Discriminator, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Object, Ref, RefOr, Schema};

use super::reading::Misread;

/// Named schemas, in the order of their making.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// A union of objects told apart by the property `type`. Build it with [`tagged_union!`](crate::tagged_union).
pub trait WireUnion: Serialize + DeserializeOwned + Clone + Debug + Send + Sync + 'static {
    /// The parts, in declaration order.
    fn parts() -> Vec<Part>;

    /// Reads a client's value, more strictly than a stored one.
    ///
    /// # Errors
    /// The first fault.
    fn read(json: &Value) -> Result<Self, Misread>;
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
        let nested = nested.into_iter().map(|(name, schema)| (name, joined(schema))).collect();
        Part { tag, name: T::name().into_owned(), schema: joined(T::schema()), nested }
    }

    /// The payload's schema with the tag as its first, required property, called `property`.
    ///
    /// # Errors
    /// If the payload is not a plain object, or has such a property of its own.
    pub fn tagged(&self, property: &str) -> Result<Object, NotAPart> {
        let RefOr::T(Schema::Object(object)) = &self.schema else { return Err(NotAPart::NotAnObject) };
        if !is_plain(object) {
            return Err(NotAPart::NotAnObject);
        }
        if object.properties.contains_key(property) {
            return Err(NotAPart::TagTaken);
        }
        let mut object = object.clone();
        object.properties.shift_insert(0, property.to_owned(), one_value(self.tag).into());
        object.required.insert(0, property.to_owned());
        Ok(object)
    }
}

/// The reason why a type cannot be part of a union.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAPart {
    /// It is not a plain object.
    NotAnObject,
    /// It has a property of the tag's name.
    TagTaken,
}

fn is_plain(object: &Object) -> bool {
    object.schema_type == SchemaType::Type(Type::Object)
}

/// A text that has one value only.
pub fn one_value(value: &str) -> Object {
    keyword(ObjectBuilder::new().schema_type(Type::String).build(), "const", json!(value))
}

/// The schema with one keyword of JSON Schema that the builder does not know.
fn keyword(mut schema: Object, name: &str, value: Value) -> Object {
    schema.extensions = Some(Extensions::from_iter([(name, value)]));
    schema
}

/// The choice between named schemas by a property, whose value is the second of each pair: closed, for what clients send.
pub fn one_of(property: &str, description: &str, parts: &[(String, &'static str)]) -> Schema {
    choice(property, description, parts.iter().map(|(name, tag)| (name.as_str(), *tag)))
}

/// The choice of [`one_of`], open: its last part is [`open_part`], which the caller adds to the schemas. `name` is the
/// union's.
///
/// The discriminator maps the last part's own name to it, as it does by default (no value that is sent
/// is such a name): so generators of TypeScript tell it from the others by a constant, and `switch` narrows.
pub fn open_one_of(name: &str, property: &str, description: &str, parts: &[(String, &'static str)]) -> Schema {
    let description = format!("{description} Ignore one that you do not know: later releases may have more.");
    let (open, others) = (open_name(name), open_name(name));
    let parts = parts.iter().map(|(name, tag)| (name.as_str(), *tag)).chain([(open.as_str(), others.as_str())]);
    choice(property, &description, parts)
}

fn choice<'a>(property: &str, description: &str, parts: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Schema {
    let reference = |name: &str| Ref::from_schema_name(name);
    let mapping = parts.clone().map(|(name, tag)| (tag.to_owned(), reference(name).ref_location));
    let union = OneOfBuilder::new()
        .description(Some(description))
        .discriminator(Some(Discriminator::with_mapping(property, mapping)));
    Schema::OneOf(parts.fold(union, |union, (name, _)| union.item(reference(name))).build())
}

fn open_name(union: &str) -> String {
    format!("Other{union}")
}

/// The last part of an open union, with its name: an object that none of `parts` describes, so that the parts exclude
/// each other for validators too.
pub fn open_part(name: &str, property: &str, parts: &[(String, &'static str)]) -> (String, RefOr<Schema>) {
    let known: Vec<&str> = parts.iter().map(|(_, tag)| *tag).collect();
    let tag =
        ObjectBuilder::new().schema_type(Type::String).description(Some("A value that is not described here.")).build();
    let about = format!("A kind that a later release may add to `{name}`: ignore it, or show what you can of it.");
    let object = ObjectBuilder::new()
        .schema_type(Type::Object)
        .description(Some(about))
        .property(property, keyword(tag, "not", json!({"enum": known})))
        .required(property)
        .additional_properties(Some(AdditionalProperties::FreeForm(true)));
    (open_name(name), Schema::Object(object.build()).into())
}

/// The schema of a struct with flattened fields as it is on the wire: one object with the properties of all. (utoipa makes
/// it `allOf` of objects, each of which forbids the properties of the others.)
fn joined(schema: RefOr<Schema>) -> RefOr<Schema> {
    let RefOr::T(Schema::AllOf(all)) = &schema else { return schema };
    let mut joined = ObjectBuilder::new().schema_type(Type::Object).description(all.description.clone()).build();
    for item in &all.items {
        // A flattened field with a description of its own is once more `allOf`.
        let RefOr::T(Schema::Object(object)) = self::joined(item.clone()) else { return schema };
        if !is_plain(&object) {
            return schema;
        }
        joined.properties.extend(object.properties.clone());
        joined.required.extend(object.required.iter().cloned());
        if object.additional_properties.is_some() {
            joined.additional_properties.clone_from(&object.additional_properties);
        }
        if let (None, Some(description)) = (&joined.description, &object.description) {
            joined.description = Some(description.clone());
        }
    }
    Schema::Object(joined).into()
}

/// The schema of an open union within other types: its [`ToSchema`] is made of this and [`union_schemas`].
/// The schemas of the parts carry the names of their payloads.
pub fn union_schema<U: WireUnion + ToSchema>(description: &str) -> RefOr<Schema> {
    open_one_of(&U::name(), "type", description, &names(&U::parts())).into()
}

/// Adds the schemas of the parts of such a union, and those that they refer to. A type that is not a part is left out:
/// then the document refers to a schema that it does not have, which a test refuses.
pub fn union_schemas<U: WireUnion + ToSchema>(schemas: &mut Schemas) {
    part_schemas(&U::name(), U::parts(), schemas);
}

/// The names and tags of parts that have the names of their payloads.
pub fn names(parts: &[Part]) -> Vec<(String, &'static str)> {
    parts.iter().map(|part| (part.name.clone(), part.tag)).collect()
}

/// The same for the parts of a union, called `name`, that is only written.
pub fn part_schemas(name: &str, parts: Vec<Part>, schemas: &mut Schemas) {
    schemas.push(open_part(name, "type", &names(&parts)));
    for part in parts {
        if let Ok(object) = part.tagged("type") {
            schemas.push((part.name, Schema::Object(object).into()));
        }
        schemas.extend(part.nested);
    }
}

/// Declares a union by `type` of payload structs, with its serde form and its parts.
///
/// The payloads are plain structs that derive `Serialize`, `Deserialize` and `ToSchema` and carry
/// `#[serde(deny_unknown_fields)]`; one without properties is written `struct Pass {}`.
///
/// ```
/// use sarsen_rules::{WireUnion, tagged_union};
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

        impl $crate::WireUnion for $name {
            fn parts() -> Vec<$crate::Part> {
                vec![$($crate::Part::of::<$payload>($tag)),+]
            }

            fn read(
                json: &$crate::reading::Json,
            ) -> ::std::result::Result<Self, $crate::reading::Misread> {
                let (tag, object) = $crate::reading::tagged(json)?;
                match tag {
                    $($tag => $crate::reading::read_without(object, "type").map($name::$variant),)+
                    _ => Err($crate::reading::Misread::none_of(&[$($tag),+]).under("type")),
                }
            }
        }
    };
}
