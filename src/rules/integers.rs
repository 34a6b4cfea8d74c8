//! The schema of integers in the document: all as `int64`, the one integer format that every generator of clients
//! knows, with the bounds of their type.
//!
//! Invariant: a declared bound is kept; the type gives only missing bounds.

use utoipa::Number;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, SchemaType, Type};
use utoipa::openapi::{KnownFormat, Object, RefOr, Schema, SchemaFormat};

/// The greatest integer that every JSON parser reads exactly: 2^53 - 1.
const GREATEST: usize = 9_007_199_254_740_991;

/// Gives every integer in `schema` the format `int64`, and the least and the greatest value of its type where it has
/// none of its own. References are left alone.
pub fn bound_integers(schema: &mut RefOr<Schema>) {
    if let RefOr::T(schema) = schema {
        bound(schema);
    }
}

fn bound(schema: &mut Schema) {
    match schema {
        Schema::Object(object) => {
            if is_integer(&object.schema_type) {
                bound_integer(object);
            }
            object.properties.values_mut().for_each(bound_integers);
            if let Some(AdditionalProperties::RefOr(others)) = object.additional_properties.as_deref_mut() {
                bound_integers(others);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                bound_integers(items);
            }
            array.prefix_items.iter_mut().for_each(bound);
        }
        Schema::OneOf(one) => one.items.iter_mut().for_each(bound_integers),
        Schema::AllOf(all) => all.items.iter_mut().for_each(bound_integers),
        Schema::AnyOf(any) => any.items.iter_mut().for_each(bound_integers),
        _ => {}
    }
}

fn is_integer(kind: &SchemaType) -> bool {
    match kind {
        SchemaType::Type(kind) => *kind == Type::Integer,
        SchemaType::Array(kinds) => kinds.contains(&Type::Integer),
        SchemaType::AnyValue => false,
    }
}

fn bound_integer(integer: &mut Object) {
    // An integer without a format is a `usize`; one that is described as signed says itself what it may be.
    let greatest = match &integer.format {
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt8)) => Some(u8::MAX.into()),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt16)) => Some(u16::MAX.into()),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt32)) => Some(u32::MAX as usize),
        Some(SchemaFormat::KnownFormat(KnownFormat::UInt64)) | None => Some(GREATEST),
        Some(_) => None,
    };
    if let Some(greatest) = greatest {
        integer.minimum.get_or_insert(Number::UInt(0));
        integer.maximum.get_or_insert(Number::UInt(greatest));
    }
    integer.format = Some(SchemaFormat::KnownFormat(KnownFormat::Int64));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Counts {
        small: u8,
        large: Option<u64>,
        index: usize,
        #[schema(minimum = 1, maximum = 99)]
        bounded: u32,
        below_zero: i64,
        list: Vec<u16>,
    }

    fn counts() -> Value {
        let mut schema = Counts::schema();
        bound_integers(&mut schema);
        serde_json::to_value(schema).unwrap()["properties"].take()
    }

    #[test]
    fn an_integer_has_the_bounds_of_its_type() {
        let counts = counts();
        let integer = |maximum: u64| json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": maximum});
        assert_eq!(counts["small"], integer(255));
        assert_eq!(counts["index"], integer(9_007_199_254_740_991));
        assert_eq!(counts["list"]["items"], integer(65_535));
        assert_eq!(counts["large"]["type"], json!(["integer", "null"]));
        assert_eq!(counts["large"]["maximum"], json!(9_007_199_254_740_991_u64));
    }

    #[test]
    fn declared_bounds_stand() {
        let counts = counts();
        assert_eq!(counts["bounded"], json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": 99}));
        assert_eq!(counts["below_zero"], json!({"type": "integer", "format": "int64"}));
    }
}
