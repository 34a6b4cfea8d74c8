//! The unions of all games, as schemas that code generators understand.
//!
//! Invariants: a union is one flat `oneOf` of named objects with a discriminator; parts of one tag are equal in all
//! games and share one schema; a name means one schema. Whatever breaks this is an error when the document is built,
//! that is in a test and at start-up, never in a request.
//!
//! [`Move`], [`MatchEvent`] and [`View`] stand for the unions in schemas of other types:
//! `#[schema(value_type = Move)]` on a field that holds ready-made JSON.

use std::borrow::Cow;
use std::sync::OnceLock;

use utoipa::openapi::schema::{Discriminator, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Object, Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::games::{GameSettings, Games};
use crate::matches::events::{LifeEvent, MOVE_MADE};
use crate::rules::{Part, WireUnion};

/// Named schemas, in the order of their making.
pub type Schemas = Vec<(String, RefOr<Schema>)>;

/// Games that do not fit into one document.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UnionError {
    /// A payload is not a plain object.
    #[error("the payload of {0} is not a plain object")]
    NotAnObject(String),
    /// A payload has a property of the tag's name.
    #[error("the payload of {name} has a property {tag} of its own")]
    TagTaken {
        /// The part.
        name: String,
        /// The tag's property.
        tag: String,
    },
    /// One name, two schemas.
    #[error("two different schemas are called {0}; rename one, or make them (and their descriptions) equal")]
    Clash(String),
}

/// A union and the schemas it is made of.
#[derive(Clone)]
pub struct Union {
    schema: Schema,
    parts: Schemas,
}

/// The word in PascalCase: `thief_of_fire` becomes `ThiefOfFire`.
pub fn pascal(word: &str) -> String {
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

fn add(schemas: &mut Schemas, name: String, schema: RefOr<Schema>) -> Result<(), UnionError> {
    match schemas.iter().find(|(known, _)| *known == name) {
        Some((_, known)) if *known == schema => Ok(()),
        Some(_) => Err(UnionError::Clash(name)),
        None => {
            schemas.push((name, schema));
            Ok(())
        }
    }
}

fn object_of(name: &str, schema: &RefOr<Schema>) -> Result<Object, UnionError> {
    match schema {
        RefOr::T(Schema::Object(object)) if object.schema_type == SchemaType::Type(Type::Object) => Ok(object.clone()),
        _ => Err(UnionError::NotAnObject(name.to_owned())),
    }
}

fn one_value(value: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value])).build()
}

/// The payload's object with the tag as its first, required property.
fn tagged(name: &str, property: &str, part: &Part) -> Result<Object, UnionError> {
    let mut object = object_of(name, &part.schema)?;
    if object.properties.contains_key(property) {
        return Err(UnionError::TagTaken { name: name.to_owned(), tag: property.to_owned() });
    }
    object.properties.shift_insert(0, property.to_owned(), one_value(part.tag).into());
    object.required.insert(0, property.to_owned());
    Ok(object)
}

fn join(property: &str, description: &str, parts: Vec<(String, &'static str)>) -> Schema {
    let reference = |name: &str| format!("#/components/schemas/{name}");
    let mapping: Vec<(String, String)> = parts.iter().map(|(name, tag)| ((*tag).to_owned(), reference(name))).collect();
    let mut union = OneOfBuilder::new()
        .description(Some(description))
        .discriminator(Some(Discriminator::with_mapping(property, mapping)));
    for (name, _) in &parts {
        union = union.item(Ref::from_schema_name(name.as_str()));
    }
    Schema::OneOf(union.build())
}

/// Joins `parts` into one union by `property`; `name` names a part's schema.
///
/// # Errors
/// See [`UnionError`].
pub fn flat_union(
    property: &str,
    description: &str,
    parts: impl IntoIterator<Item = Part>,
    name: impl Fn(&Part) -> String,
) -> Result<Union, UnionError> {
    let mut schemas = Schemas::new();
    let mut listed: Vec<(String, &'static str)> = Vec::new();
    for part in parts {
        let own = name(&part);
        let object = tagged(&own, property, &part)?;
        match listed.iter().find(|(_, tag)| *tag == part.tag) {
            Some((known, _)) if *known == own => {}
            Some(_) => return Err(UnionError::Clash(part.tag.to_owned())),
            None => listed.push((own.clone(), part.tag)),
        }
        add(&mut schemas, own, Schema::Object(object).into())?;
        for (nested, schema) in part.nested {
            add(&mut schemas, nested, schema)?;
        }
    }
    Ok(Union { schema: join(property, description, listed), parts: schemas })
}

/// A payload `Step` of a move union becomes `StepMove`; what ends so already stays.
fn with_suffix(name: &str, suffix: &str) -> String {
    if name.ends_with(suffix) { name.to_owned() } else { format!("{name}{suffix}") }
}

/// A seat made a move.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used: `matches::events` writes the event around ready-made JSON")]
struct MoveMade {
    /// Who moved.
    #[schema(value_type = i64, minimum = 0, maximum = 4)]
    seat: u8,
    /// The move; null where the caller may not know it yet.
    #[schema(required)]
    r#move: Option<MoveName>,
    /// The move in the game's notation; null where the caller may not know it yet.
    #[schema(required, examples("29b-5b"))]
    notation: Option<String>,
}

/// The name of the union of moves, for the part of a union: [`Move`] itself is made from the finished unions.
struct MoveName;

impl PartialSchema for MoveName {
    fn schema() -> RefOr<Schema> {
        Schema::default().into()
    }
}

impl ToSchema for MoveName {
    fn name() -> Cow<'static, str> {
        Move::name()
    }
}

/// The event of a move. What it refers to is in every document that has moves.
fn move_made() -> Part {
    Part { nested: Vec::new(), ..Part::of::<MoveMade>(MOVE_MADE) }
}

/// The unions of one set of games.
pub struct GameUnions {
    moves: Union,
    events: Union,
    views: Union,
    options: Vec<(&'static str, Part)>,
}

impl GameUnions {
    /// Joins what `games` have.
    ///
    /// # Errors
    /// If two games' schemas clash, or a payload is not a plain object.
    pub fn of(games: &Games) -> Result<GameUnions, UnionError> {
        let moves = games.iter().flat_map(|game| game.move_parts());
        let life = LifeEvent::parts().into_iter().chain([move_made()]);
        let events = life.chain(games.iter().flat_map(|game| game.event_parts()));
        let views = games.iter().map(|game| game.view_part());
        let unions = GameUnions {
            moves: flat_union("type", "A move of whichever game, told apart by `type`.", moves, |part| {
                with_suffix(&part.name, "Move")
            })?,
            events: flat_union("type", "What happened in a match, told apart by `type`.", events, |part| {
                with_suffix(&part.name, "Event")
            })?,
            views: flat_union(
                "game",
                "What the caller may know of a match's state, told apart by `game`.",
                views,
                |part| format!("{}View", pascal(part.tag)),
            )?,
            options: games.iter().map(|game| (game.info().id, game.options_part())).collect(),
        };
        let mut all = Schemas::new();
        for union in [&unions.moves, &unions.events, &unions.views] {
            for (name, schema) in &union.parts {
                add(&mut all, name.clone(), schema.clone())?;
            }
        }
        Ok(unions)
    }

    /// A request that is the same for all games but for its `options`: one part a game, told apart by `game`, each
    /// with `options` of the game's own schema (`<Game>Options`).
    ///
    /// # Errors
    /// If `fields` is not a plain object, or schemas clash.
    pub fn request(
        &self,
        description: &str,
        fields: &RefOr<Schema>,
        name: impl Fn(&str) -> String,
    ) -> Result<Union, UnionError> {
        let mut schemas = Schemas::new();
        let mut listed = Vec::new();
        for (game, options) in &self.options {
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
            listed.push((own, *game));
        }
        Ok(Union { schema: join("game", description, listed), parts: schemas })
    }
}

/// The unions of all games of this release.
///
/// # Errors
/// If they do not fit together.
pub fn standard() -> Result<&'static GameUnions, UnionError> {
    static UNIONS: OnceLock<Result<GameUnions, UnionError>> = OnceLock::new();
    UNIONS.get_or_init(|| GameUnions::of(&Games::standard(GameSettings::default()))).as_ref().map_err(Clone::clone)
}

macro_rules! marker {
    ($(#[$meta:meta])* $name:ident, $field:ident) => {
        $(#[$meta])*
        pub struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                // The document's builder has reported an error of `standard` before anybody sees this.
                match standard() {
                    Ok(unions) => unions.$field.schema.clone().into(),
                    Err(_) => Schema::default().into(),
                }
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }

            fn schemas(schemas: &mut Schemas) {
                if let Ok(unions) = standard() {
                    schemas.extend(unions.$field.parts.iter().cloned());
                }
            }
        }
    };
}

marker! {
    /// A move of whichever game.
    Move, moves
}
marker! {
    /// What happened in a match, in its life or in its game.
    MatchEvent, events
}
marker! {
    /// What the caller may know of a match's state.
    View, views
}

/// Declares the schema of a request that is one part a game: `game_request!(CreateMatch, CreateMatchFields,
/// "Create{}Match", "What to create.")`. `CreateMatchFields` is the type that is read; it has `game` and `options`.
#[macro_export]
macro_rules! game_request {
    ($(#[$meta:meta])* $vis:vis $name:ident, $fields:ty, $pattern:literal, $description:literal) => {
        $(#[$meta])*
        $vis struct $name;

        impl $name {
            fn union() -> Option<$crate::http::document::unions::Union> {
                let unions = $crate::http::document::unions::standard().ok()?;
                let fields = <$fields as utoipa::PartialSchema>::schema();
                unions.request($description, &fields, |game| $pattern.replace("{}", game)).ok()
            }
        }

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $name::union().map(|union| union.into_schema()).unwrap_or_default().into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schemas(schemas: &mut $crate::http::document::unions::Schemas) {
                <$fields as utoipa::ToSchema>::schemas(schemas);
                if let Some(union) = $name::union() {
                    schemas.extend(union.into_parts());
                }
            }
        }
    };
}

pub use crate::game_request;

impl Union {
    /// The union itself.
    pub fn into_schema(self) -> Schema {
        self.schema
    }

    /// The parts' schemas and those they refer to.
    pub fn into_parts(self) -> Schemas {
        self.parts
    }
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

    fn moves(parts: Vec<Part>) -> Result<Union, UnionError> {
        flat_union("type", "A move.", parts, |part| with_suffix(&part.name, "Move"))
    }

    #[test]
    fn a_part_is_a_flat_object_with_its_tag_and_equal_parts_are_one() {
        let union = moves(vec![Part::of::<a::Step>("step"), Part::of::<a::Step>("step")]).ok().unwrap();
        assert_eq!(
            serde_json::to_value(&union.schema).unwrap(),
            json!({"oneOf": [{"$ref": "#/components/schemas/StepMove"}], "description": "A move.",
                   "discriminator": {"propertyName": "type", "mapping": {"step": "#/components/schemas/StepMove"}}})
        );
        let part: Value = serde_json::to_value(&union.parts[0].1).unwrap();
        assert_eq!(union.parts[0].0, "StepMove");
        assert_eq!(part["required"], json!(["type", "to"]));
        assert_eq!(part["properties"]["type"], json!({"type": "string", "enum": ["step"]}));
    }

    #[test]
    fn different_parts_of_one_name_are_refused() {
        let clash = moves(vec![Part::of::<a::Step>("step"), Part::of::<b::Step>("step")]).err();
        assert_eq!(clash, Some(UnionError::Clash("StepMove".into())));
        let clash = moves(vec![Part::of::<a::Step>("step"), Part::of::<b::Step>("leap")]).err();
        assert_eq!(clash, Some(UnionError::Clash("StepMove".into())));
    }

    #[test]
    fn what_is_not_an_object_or_has_the_tag_is_refused() {
        assert_eq!(moves(vec![Part::of::<String>("text")]).err(), Some(UnionError::NotAnObject("StringMove".into())));
        let taken = flat_union("to", "", vec![Part::of::<a::Step>("step")], |part| part.name.clone()).err();
        assert_eq!(taken, Some(UnionError::TagTaken { name: "Step".into(), tag: "to".into() }));
    }

    #[test]
    fn the_games_of_this_release_fit_together() {
        assert!(standard().is_ok());
        assert_eq!(pascal("thief_of_the_fire"), "ThiefOfTheFire");
    }
}
