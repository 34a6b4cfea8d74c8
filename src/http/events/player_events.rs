//! The wire types of a player's events in all matches.
//!
//! Invariant: what is written is what serde makes of the structs, which the document describes; a test compares for all
//! games.

#[cfg(test)]
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::answer::json::Object;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::answer::shapes::View;
use crate::devices::SessionBody;
use crate::matches::body::{ROOM_FOR_EVENTS, write_events};
use crate::matches::types::{Decision, EventBody, LastMove, Match};
use sarsen_base::ids::MatchId;
use sarsen_matches::feed::follow::MyEvent;
use sarsen_matches::feed::resync::RESYNC;
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::undo::track::{FreeUndo, Takeback};
use sarsen_rules::{Part, Schemas, names, open_one_of, part_schemas};

/// The value of `type` of what happened in one step.
const STEP: &str = "step";
/// The value of `type` of a session that has begun.
const SESSION_STARTED: &str = "session_started";

/// The events of one step of one of the caller's matches.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct PlayerStep<'a> {
    /// The server's time as it sends the item, RFC 3339 in UTC; in streams alone.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = String, required = false, nullable = false, format = "date-time")]
    pub server_time: Option<Moment>,
    /// Its number among the caller's events. Resume after it with `after` or `Last-Event-ID`.
    #[schema(examples("17"))]
    pub id: String,
    /// Id of the match.
    #[schema(value_type = String, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    pub match_id: &'a MatchId,
    /// Id of the match's game.
    #[schema(examples("contiguity"))]
    pub game: &'a str,
    /// The version of the match that the step made.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The time at which the step was committed, RFC 3339 in UTC.
    #[schema(value_type = String, format = "date-time")]
    pub at: Moment,
    /// Indicates whether the caller had a decision to make after it.
    pub your_turn: bool,
    /// The events of the step, as in the match's own event log.
    pub events: Vec<EventBody<'a>>,
    /// The match, in the newest step of each, if asked for with `include`.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Match, required = false, nullable = false)]
    pub r#match: Option<Match<'a>>,
    /// The part of the game's state that the caller may see, beside `match`; null before the start.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<View>, required = false)]
    pub state: Option<Option<Box<RawValue>>>,
    /// The last move that belonged to a turn, as the caller may see it, beside `match`; null before the first.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<LastMove>, required = false)]
    pub last_move: Option<Option<LastMove>>,
    /// The free undo that the caller could make right now without asking anybody, beside `match`; null if there is
    /// none.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<FreeUndo>, required = false)]
    pub undo: Option<Option<FreeUndo>>,
    /// The takeback on offer, beside `match`; null if there is none.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<Takeback>, required = false)]
    pub takeback: Option<Option<Takeback>>,
    /// The caller's open decision, beside `match` with `include=view,decision`; null if the caller has nothing to decide.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<Decision>, required = false)]
    pub decision: Option<Option<Decision>>,
}

/// A failover has undone or replaced what the caller was told of: read all matches of yours again. What follows comes
/// after the present newest event.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct PlayerResync {
    /// The server's time as it sends the item, RFC 3339 in UTC; in streams alone.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = String, required = false, nullable = false, format = "date-time")]
    pub server_time: Option<Moment>,
    /// The number of the caller's newest event; 0 if there is none. What comes after it follows.
    #[schema(examples("17"))]
    pub id: String,
}

/// A further session of the caller has begun: a device was paired, the recovery key was used, or a linked account signed
/// in. If that was not you, end it: `DELETE /v1/me/sessions/{session_id}`. Streams alone tell it, as it happens; it is no
/// event of a match and moves nothing in the order of events.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct PlayerSession {
    /// The server's time as it sends the item, RFC 3339 in UTC; in streams alone.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = String, required = false, nullable = false, format = "date-time")]
    pub server_time: Option<Moment>,
    /// The number of the caller's newest event before it; 0 if there is none.
    #[schema(examples("17"))]
    pub id: String,
    /// The session.
    #[schema(value_type = SessionBody)]
    pub session: SessionBody,
}

/// One of a player's events.
#[derive(Debug)]
#[cfg_attr(test, derive(Serialize), serde(tag = "type"))]
pub enum PlayerEvent<'a> {
    /// A step.
    #[cfg_attr(test, serde(rename = "step"))]
    Step(Box<PlayerStep<'a>>),
    /// A resync: the events that were told before do not hold.
    #[cfg_attr(test, serde(rename = "resync"))]
    Resync(PlayerResync),
    /// A further session of the player has begun.
    #[cfg_attr(test, serde(rename = "session_started"))]
    Session(Box<PlayerSession>),
}

impl PlayerEvent<'_> {
    fn parts() -> [Part; 3] {
        [
            Part::of::<PlayerStep<'static>>(STEP),
            Part::of::<PlayerResync>(RESYNC),
            Part::of::<PlayerSession>(SESSION_STARTED),
        ]
    }
}

impl PartialSchema for PlayerEvent<'_> {
    fn schema() -> RefOr<Schema> {
        let about = "Something that concerns the caller; `type` says what.";
        open_one_of(&Self::name(), "type", about, &names(&Self::parts())).into()
    }
}

impl ToSchema for PlayerEvent<'_> {
    fn name() -> std::borrow::Cow<'static, str> {
        "PlayerEvent".into()
    }

    fn schemas(schemas: &mut Schemas) {
        part_schemas(&Self::name(), Self::parts().into(), schemas);
    }
}

/// A step: [`PlayerStep`], its events in words too where somebody speaks. `view` is what
/// [`view_properties`](crate::matches::body::view_properties) writes.
pub(crate) fn player_step(
    event: &MyEvent,
    narrator: Option<&MatchNarrator<'_>>,
    view: Option<&[u8]>,
) -> Result<Vec<u8>, Problem> {
    let room = view.map_or(0, <[u8]>::len) + ROOM_FOR_EVENTS * (event.events.len() + 1);
    let mut bytes = Vec::with_capacity(room);
    let mut object = Object::begin(&mut bytes);
    object.property("type", &STEP)?;
    object.property("id", &format_args!("{}", event.number))?;
    object.property("match_id", &event.match_id)?;
    object.property("game", &event.game)?;
    object.property("version", &event.version)?;
    object.property("at", &Moment(event.at))?;
    object.property("your_turn", &event.your_turn)?;
    write_events(&event.events, narrator, object.key("events"))?;
    if let Some(view) = view {
        object.ready(view);
    }
    object.end();
    Ok(bytes)
}

/// Writes the [`PlayerResync`], which says that the events told before do not hold. `newest` is the number of the
/// player's newest event.
pub(crate) fn player_resync(newest: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM_FOR_EVENTS);
    let mut object = Object::begin(&mut bytes);
    object.property("type", &RESYNC)?;
    object.property("id", &format_args!("{newest}"))?;
    object.end();
    Ok(bytes)
}

/// Writes the [`PlayerSession`]. `newest` is the number of the newest event that a follower was told.
pub(crate) fn player_session(newest: u64, session: &SessionBody) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(ROOM_FOR_EVENTS);
    let mut object = Object::begin(&mut bytes);
    object.property("type", &SESSION_STARTED)?;
    object.property("id", &format_args!("{newest}"))?;
    object.property("session", session)?;
    object.end();
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_written_as_documented() {
        let session = || SessionBody {
            id: sarsen_base::ids::SessionId::from_number(7),
            device: Some("Phone".to_owned()),
            created_at: "2026-11-22T13:59:00.123Z".to_owned(),
            last_used_at: "2026-11-22T13:00:00.000Z".to_owned(),
            current: false,
        };
        let documented = PlayerSession { server_time: None, id: "17".to_owned(), session: session() };
        let documented = PlayerEvent::Session(Box::new(documented));
        assert_eq!(player_session(17, &session()).unwrap(), serde_json::to_vec(&documented).unwrap());
    }

    #[test]
    fn a_resync_is_written_as_documented() {
        let documented = PlayerEvent::Resync(PlayerResync { server_time: None, id: "17".to_owned() });
        assert_eq!(player_resync(17).unwrap(), serde_json::to_vec(&documented).unwrap());
    }
}
