//! The shapes of `answer::shapes` as the games of one service make them: every move, event and view, and the request
//! that creates a match.

use utoipa::openapi::Components;
use utoipa::{PartialSchema, ToSchema};

use super::unions::{Union, add, flat_union, request_by_game, view_name};
use crate::answer::shapes::{MatchEvent, Move, View};
use crate::matches::create::{CreateMatch, NewMatchFields};
use sarsen_games::Games;
use sarsen_matches::feed::redacted::MOVE_MADE;
use sarsen_matches::feed::resync::{RESYNC, Resync};
use sarsen_matches::model::events::LifeEvent;
use sarsen_rules::{Part, Schemas, WireUnion};

/// The shapes of one set of games, by name.
pub(crate) struct GameUnions(Vec<(String, Union)>);

impl GameUnions {
    /// Joins what `games` have.
    pub(crate) fn of(games: &Games) -> Result<GameUnions, String> {
        let moves = games.iter().flat_map(|game| game.move_parts());
        let events = life_events().into_iter().chain(games.iter().flat_map(|game| game.event_parts()));
        let views = games.iter().map(|game| game.view_part());
        let about = "A move of any game; `type` says which kind.";
        let moves = flat_union(&Move::name(), "type", about, moves, move_name)?;
        let about = "An event of a match; `type` says of which kind.";
        let events = flat_union(&MatchEvent::name(), "type", about, events, event_name)?;
        let about = "The part of a match's state that the caller may know; its form depends on `game`.";
        let views = flat_union(&View::name(), "game", about, views, |part| view_name(part.tag))?;
        let named = |name: std::borrow::Cow<'static, str>, union| (name.into_owned(), union);
        Ok(GameUnions(vec![
            named(Move::name(), moves),
            named(MatchEvent::name(), events),
            named(View::name(), views),
            named(CreateMatch::name(), create_match(games)?),
        ]))
    }

    /// Puts the shapes, and what they are made of, in the place of their names.
    pub(crate) fn fill(self, components: &mut Components) -> Result<(), String> {
        let mut shapes = self.0;
        let mut filled = Schemas::new();
        for (name, schema) in std::mem::take(&mut components.schemas) {
            let Some(at) = shapes.iter().position(|(shape, _)| *shape == name) else {
                add(&mut filled, name, schema)?;
                continue;
            };
            let (_, union) = shapes.swap_remove(at);
            add(&mut filled, name, union.schema.into())?;
            for (part, schema) in union.parts {
                add(&mut filled, part, schema)?;
            }
        }
        components.schemas.extend(filled);
        Ok(())
    }
}

/// The events of any match.
pub(crate) fn life_events() -> Vec<Part> {
    LifeEvent::parts().into_iter().chain([move_made(), Part::of::<Resync>(RESYNC)]).collect()
}

/// The name of a move's schema.
pub(crate) fn move_name(part: &Part) -> String {
    with_suffix(&part.name, "Move")
}

/// The name of an event's schema.
pub(crate) fn event_name(part: &Part) -> String {
    with_suffix(&part.name, "Event")
}

/// A payload `Step` of a move union becomes `StepMove`; what ends so already stays.
fn with_suffix(name: &str, suffix: &str) -> String {
    if name.ends_with(suffix) { name.to_owned() } else { format!("{name}{suffix}") }
}

/// A seat made a move.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only its schema is used: `matches::feed::redacted` writes the event around ready-made JSON"
)]
struct MoveMade {
    /// The seat that moved.
    #[schema(maximum = 4)]
    seat: u8,
    /// The move; null where the caller may not know it yet.
    #[schema(required)]
    r#move: Option<Move>,
    /// The move in the game's notation; null where the caller may not know it yet.
    #[schema(required, examples("29b-5b"))]
    notation: Option<String>,
    /// The time that the seat's turn had lasted with the move, in milliseconds, as far as it counts; null without a
    /// clock, and where the move needs no turn or the service made it. A record leaves out what is null.
    #[schema(required = false, minimum = 0)]
    used_milliseconds: Option<i64>,
    /// The time in the seat's bank after the move, in milliseconds; null or left out likewise. It is charged when the
    /// turn ends.
    #[schema(required = false, minimum = 0)]
    bank_milliseconds: Option<i64>,
    /// True where a plan of its player has made the move; left out where not.
    #[schema(required = false)]
    planned: bool,
}

/// The event of a move. What it refers to is in every document that has moves.
fn move_made() -> Part {
    Part { nested: Vec::new(), ..Part::of::<MoveMade>(MOVE_MADE) }
}

fn create_match(games: &Games) -> Result<Union, String> {
    let options: Vec<_> = games.iter().map(|game| (game.info().id, game.options_part())).collect();
    let options = options.iter().map(|(game, part)| (*game, part));
    let about = "A match to create; `game` decides the form of its options.";
    let union = request_by_game(about, &NewMatchFields::schema(), options, |game| format!("Create{game}Match"))?;
    let mut parts = Schemas::new();
    NewMatchFields::schemas(&mut parts);
    parts.extend(union.parts);
    Ok(Union { parts, ..union })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sarsen_games::GameSettings;

    #[test]
    fn the_games_of_this_release_fit_together() {
        assert!(GameUnions::of(&Games::standard(GameSettings::default())).is_ok());
    }
}
