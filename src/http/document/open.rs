//! Open enumerations: those to which a later release may add values, as their descriptions say ([`MORE`]).
//!
//! Invariant: every reference to one accepts any other text too, so a client generated today reads the values of a later
//! release. (The constructor of a union of objects opens the union.)

use std::collections::BTreeSet;

use utoipa::openapi::schema::{AnyOfBuilder, Type};
use utoipa::openapi::{Object, OpenApi, Ref, RefOr, Schema};

use super::walk::schemas_mut;

/// The sentence in the description of every open enumeration.
pub(super) const MORE: &str = "More may come: ignore one that you do not know.";

/// Has whatever refers to an open enumeration take other texts too.
pub(crate) fn open(document: &mut OpenApi) {
    let open: BTreeSet<String> = document
        .components
        .iter()
        .flat_map(|components| &components.schemas)
        .filter(|(_, schema)| is_open(schema))
        .map(|(name, _)| Ref::from_schema_name(name).ref_location)
        .collect();
    schemas_mut(document, &mut |schema| {
        match schema {
            RefOr::Ref(reference) if open.contains(&reference.ref_location) => *schema = opened(reference).into(),
            // "One of these or null" and what has just been opened are one choice.
            RefOr::T(Schema::AnyOf(choice)) => {
                choice.items = std::mem::take(&mut choice.items).into_iter().flat_map(parts).collect();
            }
            _ => {}
        }
    });
}

fn parts(schema: RefOr<Schema>) -> Vec<RefOr<Schema>> {
    match schema {
        RefOr::T(Schema::AnyOf(inner)) => inner.items,
        other => vec![other],
    }
}

fn is_open(schema: &RefOr<Schema>) -> bool {
    let RefOr::T(Schema::Object(Object { enum_values: Some(_), description: Some(text), .. })) = schema else {
        return false;
    };
    text.split_whitespace().collect::<Vec<_>>().join(" ").contains(MORE)
}

/// The schema that replaces a reference to an open enumeration.
fn opened(reference: &Ref) -> Schema {
    let (description, named) = (&reference.description, Ref::new(reference.ref_location.as_str()));
    let description = Some(description.clone()).filter(|text| !text.is_empty());
    let any = AnyOfBuilder::new().item(named).item(Object::with_type(Type::String)).description(description);
    Schema::AnyOf(any.build())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use utoipa::openapi::Components;
    use utoipa::{PartialSchema, ToSchema};

    use super::*;
    use crate::document::mend::mend;

    /// Why. More may come: ignore one that you do not know.
    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Why {
        Because,
        Therefore,
    }

    /// Which. These are all.
    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Which {
        This,
        That,
    }

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Answer {
        /// The reason.
        why: Why,
        #[schema(required)]
        perhaps: Option<Why>,
        which: Which,
    }

    #[test]
    fn what_refers_to_an_open_enumeration_takes_other_texts() {
        let mut components = Components::new();
        components.schemas.extend([("Answer".to_owned(), Answer::schema()), ("Why".to_owned(), Why::schema())]);
        components.schemas.insert("Which".to_owned(), Which::schema());
        let mut document = OpenApi::default();
        document.components = Some(components);
        mend(&mut document);
        open(&mut document);
        let document: Value = serde_json::to_value(&document).unwrap();
        let properties = &document["components"]["schemas"]["Answer"]["properties"];
        let why = json!({"$ref": "#/components/schemas/Why"});
        assert_eq!(properties["why"], json!({"description": "The reason.", "anyOf": [why, {"type": "string"}]}));
        assert_eq!(properties["perhaps"], json!({"anyOf": [why, {"type": "string"}, {"type": "null"}]}));
        assert_eq!(properties["which"], json!({"$ref": "#/components/schemas/Which"}));
    }
}
