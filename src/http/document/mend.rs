//! Mends what utoipa makes of an inlined enum with a default: `allOf` of the enum and of an "object" that carries the
//! default and the description, which nothing can satisfy. One schema with all three is meant. Integers get the format
//! and the bounds of [`bound_integers`].

use utoipa::openapi::{OpenApi, RefOr, Schema};

use super::paths::operations_mut;
use crate::rules::bound_integers;

/// Mends every parameter and every property of the document.
pub fn mend(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        for (_, operation) in operations_mut(item) {
            for parameter in operation.parameters.iter_mut().flatten() {
                if let RefOr::T(parameter) = parameter {
                    parameter.schema.iter_mut().for_each(mend_schema);
                    parameter.schema.iter_mut().for_each(bound_integers);
                }
            }
        }
    }
    for schema in document.components.iter_mut().flat_map(|components| components.schemas.values_mut()) {
        if let RefOr::T(Schema::Object(object)) = schema {
            object.properties.values_mut().for_each(mend_schema);
        }
        bound_integers(schema);
    }
}

fn mend_schema(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::AllOf(all)) = schema else { return };
    let [RefOr::T(Schema::Object(meant)), RefOr::T(Schema::Object(extra))] = all.items.as_slice() else { return };
    if meant.enum_values.is_none() || extra.default.is_none() || !extra.properties.is_empty() {
        return;
    }
    let mut meant = meant.clone();
    meant.default = extra.default.clone();
    meant.description = extra.description.clone().or(meant.description);
    *schema = Schema::Object(meant).into();
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::PartialSchema;

    use super::*;

    #[derive(utoipa::ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    enum Size {
        Small,
        Large,
    }

    #[derive(utoipa::ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Wish {
        /// How large.
        #[schema(inline, default = "Small")]
        size: Size,
    }

    #[test]
    fn an_inlined_enum_keeps_its_default_and_can_be_satisfied() {
        let RefOr::T(Schema::Object(mut wish)) = Wish::schema() else { panic!("an object") };
        wish.properties.values_mut().for_each(mend_schema);
        assert_eq!(
            serde_json::to_value(&wish.properties["size"]).unwrap(),
            json!({"type": "string", "description": "How large.", "default": "Small", "enum": ["Small", "Large"]})
        );
    }
}
