//! The schema of a game's options as a document of its own.
//!
//! Invariant: it refers to nothing outside itself, and holds no reference at all.

use std::collections::HashMap;

use serde::ser::Error as _;
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};

use sarsen_rules::{Part, bound_integers};

/// The payload's schema as a document of its own: each referenced schema replaces its reference, so that a reader needs
/// nothing else.
pub(crate) fn standalone_schema(part: &Part) -> Result<Value, serde_json::Error> {
    let written = |schema: &RefOr<Schema>| {
        let mut schema = schema.clone();
        bound_integers(&mut schema);
        serde_json::to_value(schema)
    };
    let nested = part.nested.iter().map(|(name, schema)| Ok((name.as_str(), written(schema)?)));
    let nested: HashMap<&str, Value> = nested.collect::<Result<_, serde_json::Error>>()?;
    let mut schema = inlined(written(&part.schema)?, &nested, nested.len())?;
    if let Value::Object(root) = &mut schema {
        root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    }
    Ok(schema)
}

/// The schema without references; properties beside a reference override those of the referenced schema. `depth` is the
/// longest chain of references: only a schema that contains itself needs more than there are schemas.
fn inlined(schema: Value, nested: &HashMap<&str, Value>, depth: usize) -> Result<Value, serde_json::Error> {
    match schema {
        Value::Object(mut object) => {
            let Some(Value::String(reference)) = object.remove("$ref") else {
                let inner = object.into_iter().map(|(key, value)| Ok((key, inlined(value, nested, depth)?)));
                return Ok(Value::Object(inner.collect::<Result<_, serde_json::Error>>()?));
            };
            let name = reference.strip_prefix("#/components/schemas/").unwrap_or(&reference);
            let meant = nested.get(name).filter(|_| depth > 0);
            let lost =
                || serde_json::Error::custom(format!("the options refer to {name}, which cannot be written out"));
            let mut meant = inlined(meant.ok_or_else(lost)?.clone(), nested, depth - 1)?;
            if let Value::Object(meant) = &mut meant {
                meant.extend(object);
            }
            Ok(meant)
        }
        Value::Array(items) => {
            let inner = items.into_iter().map(|value| inlined(value, nested, depth));
            Ok(Value::Array(inner.collect::<Result<_, _>>()?))
        }
        plain => Ok(plain),
    }
}
