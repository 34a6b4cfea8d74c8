//! Openness: a later release may add values to an enumeration, and properties to an answer.
//!
//! Invariants: an enumeration whose description says so ([`MORE`]) is a plain text to generators, with its values in the
//! extension [`VALUES`]; no schema that the service answers forbids further properties. (The constructor of a union of
//! objects opens the union.)
//!
//! "One of these or any text" would say as much, but most generators make an empty class of it, or one that holds itself.

use std::collections::BTreeSet;

use serde_json::json;
use utoipa::openapi::schema::AdditionalProperties;
use utoipa::openapi::{Content, Object, OpenApi, RefOr, Schema};

use super::paths::operations_mut;
use super::walk::each;

/// The sentence in the description of every open enumeration.
pub(super) const MORE: &str = "More may come: ignore one that you do not know.";

/// The extension that lists the values of an open enumeration.
pub(super) const VALUES: &str = "x-extensible-enum";

/// Opens the enumerations that may grow, and all schemas of answers.
pub(crate) fn open(document: &mut OpenApi) {
    let named = document.components.iter_mut().flat_map(|components| components.schemas.values_mut());
    named.for_each(open_enumeration);
    open_answers(document);
}

fn open_enumeration(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::Object(Object { enum_values: values, description: Some(text), extensions, .. })) = schema
    else {
        return;
    };
    if text.split_whitespace().collect::<Vec<_>>().join(" ").contains(MORE)
        && let Some(values) = values.take()
    {
        extensions.get_or_insert_default().insert(VALUES.to_owned(), json!(values));
    }
}

/// The service refuses unknown properties of a type in whichever direction it goes, and its derived schema says so; but a
/// client must take those that a later release answers.
fn open_answers(document: &mut OpenApi) {
    let mut queue = Vec::new();
    for item in document.paths.paths.values_mut() {
        for (_, operation) in operations_mut(item) {
            for response in operation.responses.responses.values_mut() {
                let RefOr::T(response) = response else { continue };
                for content in response.content.values_mut() {
                    if let RefOr::T(Content { schema: Some(schema), .. }) = content {
                        open_schema(schema, &mut queue);
                    }
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    while let Some(name) = queue.pop() {
        if found.insert(name.clone())
            && let Some(schema) = document.components.iter_mut().find_map(|all| all.schemas.get_mut(&name))
        {
            open_schema(schema, &mut queue);
        }
    }
}

/// Opens what is declared within `schema`, and adds to `queue` the names that it refers to.
fn open_schema(schema: &mut RefOr<Schema>, queue: &mut Vec<String>) {
    each(schema, &mut |schema| match schema {
        RefOr::Ref(reference) => queue.extend(reference.ref_location.rsplit('/').next().map(str::to_owned)),
        RefOr::T(Schema::Object(object)) => {
            if object.additional_properties.as_deref() == Some(&AdditionalProperties::FreeForm(false)) {
                object.additional_properties = None;
            }
        }
        RefOr::T(_) => {}
    });
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use utoipa::openapi::path::{HttpMethod, OperationBuilder};
    use utoipa::openapi::{Components, ContentBuilder, PathItem, Ref, ResponseBuilder};
    use utoipa::{PartialSchema, ToSchema};

    use super::*;
    use crate::document::mend::mend;

    /// The reason. More may come: ignore one that you do not know.
    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Why {
        Because,
        Therefore,
    }

    /// The choice. These are all.
    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Which {
        This,
        That,
    }

    #[derive(serde::Deserialize, ToSchema)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Inner {
        which: bool,
    }

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Answer {
        /// The reason.
        why: Why,
        #[schema(required)]
        perhaps: Option<Why>,
        which: Which,
        inner: Vec<Inner>,
    }

    /// A document in which `Answer` is answered, and nobody answers `Asked`, whose schema is that of `Inner`.
    fn opened() -> Value {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Answer"))).build();
        let answer = ResponseBuilder::new().content("application/json", content);
        let operation = OperationBuilder::new().response("200", answer.build());
        let mut document = OpenApi::default();
        document.paths.paths.insert("/x".to_owned(), PathItem::new(HttpMethod::Get, operation.build()));
        let mut components = Components::new();
        let schemas = [
            ("Answer", Answer::schema()),
            ("Why", Why::schema()),
            ("Which", Which::schema()),
            ("Inner", Inner::schema()),
            ("Asked", Inner::schema()),
        ];
        components.schemas.extend(schemas.map(|(name, schema)| (name.to_owned(), schema)));
        document.components = Some(components);
        mend(&mut document);
        open(&mut document);
        serde_json::to_value(&document).unwrap()["components"]["schemas"].take()
    }

    #[test]
    fn an_open_enumeration_is_a_text_with_known_values() {
        let schemas = opened();
        let values = json!(["Because", "Therefore"]);
        assert_eq!((&schemas["Why"]["type"], &schemas["Why"][VALUES]), (&json!("string"), &values));
        assert_eq!(schemas["Why"]["enum"], Value::Null);
        assert_eq!(schemas["Which"]["enum"], json!(["This", "That"]));
        let properties = &schemas["Answer"]["properties"];
        let why = "#/components/schemas/Why";
        assert_eq!(properties["why"], json!({"description": "The reason.", "$ref": why}));
        assert_eq!(properties["perhaps"], json!({"anyOf": [{"$ref": why}, {"type": "null"}]}));
    }

    #[test]
    fn an_answer_takes_further_properties_and_a_request_does_not() {
        let schemas = opened();
        assert_eq!(schemas["Inner"]["additionalProperties"], Value::Null);
        assert_eq!(schemas["Asked"]["additionalProperties"], json!(false));
    }
}
