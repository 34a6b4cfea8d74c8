//! Each game's own shapes by name, for a client that draws one game: `ContiguityMove`, `ContiguityEvent`,
//! `ContiguityMatchView` and so on.
//!
//! They say nothing that the shapes of all games do not say too, and no operation answers them: a match does not change
//! its game, so a client that knows which it is may read a `MatchView` as the game's own. The document's extension
//! `x-games` lists them, because nothing else refers to them.

use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{AnyOfBuilder, Type};
use utoipa::openapi::{Object, OpenApi, Ref, RefOr, Schema};

use super::game_unions::{event_name, life_events, move_name};
use super::unions::{clash, pascal, view_name};
use crate::answer::shapes::{MatchEvent, Move};
use sarsen_games::{AnyGame, Games};
use sarsen_rules::{Part, open_one_of};

/// Adds the shapes of each game.
pub(crate) fn add(document: &mut OpenApi, games: &Games) -> Result<(), String> {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let general = schemas.get("MatchView").cloned();
    let mut listed = Map::new();
    for game in games.iter() {
        let mut own = Map::new();
        for (what, name, schema) in shapes(&**game, general.clone()) {
            own.insert(what.to_owned(), json!(Ref::from_schema_name(&name)));
            if schemas.insert(name.clone(), schema).is_some() {
                return Err(clash(&name));
            }
        }
        listed.insert(game.info().id.to_owned(), Value::Object(own));
    }
    document.extensions = Some(Extensions::from_iter([("x-games", listed)]));
    Ok(())
}

/// The shapes of a game: what each is, its name, and its schema. `general` is the view of a match of any game.
fn shapes(game: &dyn AnyGame, general: Option<RefOr<Schema>>) -> Vec<(&'static str, String, RefOr<Schema>)> {
    let (id, title) = (game.info().id, game.info().title);
    let union = |general: &str, about: String, parts: Vec<Part>, name: fn(&Part) -> String| {
        let parts: Vec<_> = parts.iter().map(|part| (name(part), part.tag)).collect();
        open_one_of(general, "type", &about, &parts).into()
    };
    let about = format!("A move of {title}.");
    let moves = union(&Move::name(), about, game.move_parts(), move_name);
    let events = life_events().into_iter().chain(game.event_parts()).collect();
    let about = format!("An event of a match of {title}, in its life or in the game.");
    let events = union(&MatchEvent::name(), about, events, event_name);
    let name = |shape: &str| format!("{}{shape}", pascal(id));
    let mut shapes = vec![("move", name("Move"), moves), ("event", name("Event"), events)];
    if let Some(RefOr::T(Schema::Object(mut view))) = general {
        let about = view.properties.get("state").and_then(description);
        let state = Ref::from_schema_name(view_name(id));
        let state = AnyOfBuilder::new().description(about).item(state).item(Object::with_type(Type::Null));
        view.properties.insert("state".to_owned(), state.into());
        view.description = Some(format!("A match of {title} with its state and the caller's decision."));
        shapes.push(("match_view", name("MatchView"), Schema::Object(view).into()));
    }
    shapes
}

fn description(schema: &RefOr<Schema>) -> Option<String> {
    match schema {
        RefOr::T(Schema::AnyOf(choice)) => choice.description.clone(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::openapi;
    use sarsen_games::GameSettings;

    #[test]
    fn each_game_has_its_own_moves_events_and_view() {
        let games = Games::standard(GameSettings::default());
        let document = serde_json::to_value(openapi::document(&games).unwrap()).unwrap();
        let schemas = &document["components"]["schemas"];
        let tags = |union: &str| -> Vec<String> {
            schemas[union]["discriminator"]["mapping"].as_object().unwrap().keys().cloned().collect()
        };
        assert_eq!(tags("ContiguityMove"), ["OtherMove", "bid", "choose", "move", "pass"]);
        let events = tags("ContiguityEvent");
        for (event, own) in [("piece_moved", true), ("move_made", true), ("match_ended", true), ("pawn_moved", false)] {
            assert_eq!(events.iter().any(|known| known == event), own, "{event}");
        }
        let state = &schemas["HengeMatchView"]["properties"]["state"];
        assert_eq!(state["anyOf"][0], json!({"$ref": "#/components/schemas/HengeView"}));
        assert_eq!(schemas["HengeMatchView"]["required"], schemas["MatchView"]["required"]);
        let listed = &document["x-games"]["thief_of_the_sacred_fire"];
        assert_eq!(listed["move"], json!({"$ref": "#/components/schemas/ThiefOfTheSacredFireMove"}));
        assert_eq!(document["x-games"].as_object().unwrap().len(), games.iter().count());
    }
}
