//! Unions as schemas that code generators understand.
//!
//! Invariants: a union is one flat `oneOf` of named objects with a discriminator; parts of one tag are equal in all
//! games and share one schema; a name means one schema; what the service answers is open for parts of later releases.
//! A breach is a fault of the document: a test finds it, and a service that starts logs it.

use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{Object, Ref, RefOr, Schema};

use sarsen_rules::{NotAPart, Part, Schemas, one_of, one_value, open_one_of, open_part};

/// A union and the schemas it is made of.
pub(crate) struct Union {
    pub(crate) schema: Schema,
    /// The parts' schemas and those that they refer to.
    pub(crate) parts: Schemas,
}

fn not_an_object(name: &str) -> String {
    format!("the payload of {name} is not a plain object")
}

/// The fault of two schemas of one name.
pub(crate) fn clash(name: &str) -> String {
    format!("two different schemas are called {name}; rename one, or make them (and their descriptions) equal")
}

/// The word in PascalCase: `thief_of_fire` becomes `ThiefOfFire`.
pub(crate) fn pascal(word: &str) -> String {
    let mut upper = true;
    let mut name = String::with_capacity(word.len());
    for letter in word.chars() {
        if letter.is_ascii_alphanumeric() {
            name.push(if upper { letter.to_ascii_uppercase() } else { letter });
            upper = false;
        } else {
            upper = true;
        }
    }
    name
}

/// The name of the schema of a game's view.
pub(crate) fn view_name(game: &str) -> String {
    format!("{}View", pascal(game))
}

/// Adds a schema, once.
pub(crate) fn add(schemas: &mut Schemas, name: String, schema: RefOr<Schema>) -> Result<(), String> {
    match schemas.iter().find(|(known, _)| *known == name) {
        Some((_, known)) if *known == schema => Ok(()),
        Some(_) => Err(clash(&name)),
        None => {
            schemas.push((name, schema));
            Ok(())
        }
    }
}

fn object_of(name: &str, schema: &RefOr<Schema>) -> Result<Object, String> {
    match schema {
        RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Object) => Ok(object.clone()),
        _ => Err(not_an_object(name)),
    }
}

/// The payload's object with the tag as its first, required property.
fn tagged(name: &str, property: &str, part: &Part) -> Result<Object, String> {
    part.tagged(property).map_err(|fault| match fault {
        NotAPart::NotAnObject => not_an_object(name),
        NotAPart::TagTaken => format!("the payload of {name} has a property {property} of its own"),
    })
}

/// Joins `parts` into the open union `called`, told apart by `property`; `name` names a part's schema.
pub(crate) fn flat_union(
    called: &str,
    property: &str,
    description: &str,
    parts: impl IntoIterator<Item = Part>,
    name: impl Fn(&Part) -> String,
) -> Result<Union, String> {
    let mut schemas = Schemas::new();
    let mut listed: Vec<(String, &'static str)> = Vec::new();
    for part in parts {
        let own = name(&part);
        let object = tagged(&own, property, &part)?;
        match listed.iter().find(|(_, tag)| *tag == part.tag) {
            Some((known, _)) if *known == own => {}
            Some(_) => return Err(clash(part.tag)),
            None => listed.push((own.clone(), part.tag)),
        }
        add(&mut schemas, own, Schema::Object(object).into())?;
        for (nested, schema) in part.nested {
            add(&mut schemas, nested, schema)?;
        }
    }
    let (others, other) = open_part(called, property, &listed);
    add(&mut schemas, others, other)?;
    Ok(Union { schema: open_one_of(called, property, description, &listed), parts: schemas })
}

/// Joins one request for each game, told apart by `game`: `fields` with `options` of the game's own schema
/// (`<Game>Options`). `name` names a game's request.
pub(crate) fn request_by_game<'a>(
    description: &str,
    fields: &RefOr<Schema>,
    games: impl IntoIterator<Item = (&'static str, &'a Part)>,
    name: impl Fn(&str) -> String,
) -> Result<Union, String> {
    let mut schemas = Schemas::new();
    let mut listed = Vec::new();
    for (game, options) in games {
        let (own, options_name) = (name(&pascal(game)), format!("{}Options", pascal(game)));
        let mut object = object_of(&own, fields)?;
        object.properties.insert("game".to_owned(), one_value(game).into());
        object.properties.insert("options".to_owned(), Ref::from_schema_name(options_name.as_str()).into());
        if !object.required.iter().any(|property| property == "game") {
            object.required.insert(0, "game".to_owned());
        }
        add(&mut schemas, own.clone(), Schema::Object(object).into())?;
        add(&mut schemas, options_name, options.schema.clone())?;
        for (nested, schema) in &options.nested {
            add(&mut schemas, nested.clone(), schema.clone())?;
        }
        listed.push((own, game));
    }
    Ok(Union { schema: one_of("game", description, &listed), parts: schemas })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    mod a {
        /// Goes.
        #[derive(utoipa::ToSchema)]
        #[schema(as = Step)]
        #[expect(dead_code, reason = "only its schema is used")]
        pub struct Step {
            to: String,
        }
    }

    mod b {
        /// Goes.
        #[derive(utoipa::ToSchema)]
        #[schema(as = Step)]
        #[expect(dead_code, reason = "only its schema is used")]
        pub struct Step {
            to: String,
            far: bool,
        }
    }

    fn moves(parts: Vec<Part>) -> Result<Union, String> {
        flat_union("Move", "type", "A move.", parts, |part| format!("{}Move", part.name))
    }

    #[test]
    fn a_part_is_a_flat_object_with_its_tag_and_equal_parts_are_one() {
        let union = moves(vec![Part::of::<a::Step>("step"), Part::of::<a::Step>("step")]).ok().unwrap();
        assert_eq!(
            serde_json::to_value(&union.schema).unwrap(),
            json!({"oneOf": [{"$ref": "#/components/schemas/StepMove"}, {"$ref": "#/components/schemas/OtherMove"}],
                   "description": "A move. Ignore one that you do not know: later releases may have more.",
                   "discriminator": {"propertyName": "type", "mapping": {
                       "OtherMove": "#/components/schemas/OtherMove", "step": "#/components/schemas/StepMove"}}})
        );
        let part: Value = serde_json::to_value(&union.parts[0].1).unwrap();
        assert_eq!(union.parts[0].0, "StepMove");
        assert_eq!(part["required"], json!(["type", "to"]));
        assert_eq!(part["properties"]["type"], json!({"type": "string", "const": "step"}));
        let (name, other) = &union.parts[1];
        let other: Value = serde_json::to_value(other).unwrap();
        assert_eq!(
            (name.as_str(), &other["required"], &other["additionalProperties"]),
            ("OtherMove", &json!(["type"]), &json!(true))
        );
        assert_eq!(other["properties"]["type"]["not"], json!({"enum": ["step"]}));
    }

    #[test]
    fn different_parts_of_one_name_are_refused() {
        let clash = moves(vec![Part::of::<a::Step>("step"), Part::of::<b::Step>("step")]).err();
        assert_eq!(clash, Some(super::clash("StepMove")));
        let clash = moves(vec![Part::of::<a::Step>("step"), Part::of::<b::Step>("leap")]).err();
        assert_eq!(clash, Some(super::clash("StepMove")));
    }

    #[test]
    fn what_is_not_an_object_or_has_the_tag_is_refused() {
        assert_eq!(moves(vec![Part::of::<String>("text")]).err(), Some(not_an_object("StringMove")));
        let taken = flat_union("Way", "to", "", vec![Part::of::<a::Step>("step")], |part| part.name.clone()).err();
        assert_eq!(taken, Some("the payload of Step has a property to of its own".to_owned()));
    }

    #[test]
    fn words_become_names() {
        assert_eq!(pascal("thief_of_the_fire"), "ThiefOfTheFire");
    }
}
