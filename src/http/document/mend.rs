//! Corrects utoipa's schema for "one of these or null". Utoipa puts the property's description into the part that
//! refers to a schema, where no generator looks for it; it belongs beside the choice. Utoipa also writes `oneOf`
//! instead of `anyOf`: a validator that goes by discriminators, which concern objects alone, finds that null matches
//! both parts.
//!
//! Integers get the format and the bounds of [`bound_integers`].

use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{OpenApi, RefOr, Schema};

use super::walk::schemas_mut;
use sarsen_rules::bound_integers;

/// Corrects every schema of the document.
pub(crate) fn mend(document: &mut OpenApi) {
    schemas_mut(document, &mut |schema| {
        bound_integers(schema);
        mend_choice(schema);
    });
}

fn mend_choice(schema: &mut RefOr<Schema>) {
    let RefOr::T(Schema::OneOf(choice)) = schema else { return };
    if choice.discriminator.is_some() {
        return;
    }
    let mut text = choice.description.take();
    for part in &mut choice.items {
        if let RefOr::Ref(reference) = part
            && !reference.description.is_empty()
        {
            text.get_or_insert(std::mem::take(&mut reference.description));
        }
    }
    let any = AnyOfBuilder::new().description(text).default(choice.default.take());
    let any = choice.items.drain(..).fold(any, AnyOfBuilder::item);
    *schema = Schema::AnyOf(any.build()).into();
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::{PartialSchema, ToSchema};

    use super::*;

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Size {
        metres: u32,
    }

    #[derive(ToSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Wish {
        /// The size.
        #[schema(required)]
        size: Option<Size>,
    }

    #[test]
    fn what_a_choice_means_stands_beside_it() {
        let RefOr::T(Schema::Object(mut wish)) = Wish::schema() else { panic!("an object") };
        wish.properties.values_mut().for_each(mend_choice);
        let any = json!([{"$ref": "#/components/schemas/Size"}, {"type": "null"}]);
        let mut size = serde_json::to_value(&wish.properties["size"]).unwrap();
        size["anyOf"].as_array_mut().unwrap().sort_by_key(ToString::to_string);
        assert_eq!(size, json!({"description": "The size.", "anyOf": any}));
    }
}
