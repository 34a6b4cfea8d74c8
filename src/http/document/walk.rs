//! Every schema of a document, to be changed.

use utoipa::openapi::path::Parameter;
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems};
use utoipa::openapi::{Content, OpenApi, RefOr, Schema};

use super::paths::operations_mut;

/// Hands every schema to `act`: those of parameters, requests, answers, headers and components, and the schemas within
/// them, inner ones first.
pub(crate) fn schemas_mut(document: &mut OpenApi, act: &mut impl FnMut(&mut RefOr<Schema>)) {
    for item in document.paths.paths.values_mut() {
        for (_, operation) in operations_mut(item) {
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(Parameter { schema: Some(schema), .. }) = parameter {
                    each(schema, act);
                }
            }
            if let Some(RefOr::T(body)) = &mut operation.request_body {
                body.content.values_mut().for_each(|content| of_content(content, act));
            }
            for response in operation.responses.responses.values_mut() {
                let RefOr::T(response) = response else { continue };
                response.content.values_mut().for_each(|content| of_content(content, act));
                for header in response.headers.values_mut() {
                    if let RefOr::T(header) = header
                        && let Some(schema) = &mut header.schema
                    {
                        each(schema, act);
                    }
                }
            }
        }
    }
    let named = document.components.iter_mut().flat_map(|components| components.schemas.values_mut());
    named.for_each(|schema| each(schema, act));
}

fn of_content(content: &mut RefOr<Content>, act: &mut impl FnMut(&mut RefOr<Schema>)) {
    if let RefOr::T(Content { schema: Some(schema), .. }) = content {
        each(schema, act);
    }
}

/// Hands `act` the schemas within `schema`, inner ones first, and then itself.
pub(crate) fn each(schema: &mut RefOr<Schema>, act: &mut impl FnMut(&mut RefOr<Schema>)) {
    if let RefOr::T(schema) = schema {
        match schema {
            Schema::Object(object) => {
                object.properties.values_mut().for_each(|property| each(property, act));
                if let Some(AdditionalProperties::RefOr(others)) = object.additional_properties.as_deref_mut() {
                    each(others, act);
                }
            }
            Schema::Array(array) => {
                if let ArrayItems::RefOrSchema(items) = &mut array.items {
                    each(items, act);
                }
            }
            Schema::OneOf(choice) => choice.items.iter_mut().for_each(|part| each(part, act)),
            Schema::AllOf(choice) => choice.items.iter_mut().for_each(|part| each(part, act)),
            Schema::AnyOf(choice) => choice.items.iter_mut().for_each(|part| each(part, act)),
            _ => {}
        }
    }
    act(schema);
}
