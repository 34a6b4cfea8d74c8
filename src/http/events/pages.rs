//! The shapes in which events go out.
//!
//! Invariant: a page is written as serde makes it of the structs, which the document describes.

use std::borrow::Cow;

#[cfg(test)]
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::player_events::PlayerEvent;
use super::presence::MatchPresence;
use crate::answer::json::Object;
use crate::answer::problem::Problem;
use crate::matches::types::{EventBody, MatchStep};
use sarsen_rules::Schemas;

/// One item of a match's log: an event, or, with `include`, a step with the match as it then is.
#[derive(Debug)]
pub struct EventOrStep;

impl PartialSchema for EventOrStep {
    fn schema() -> RefOr<Schema> {
        let said = "One item of a match's log: an event, or, with `include`, a step with the match as it then is.";
        any_of(said, &[EventBody::name(), MatchStep::name()])
    }
}

impl ToSchema for EventOrStep {
    fn schemas(schemas: &mut Schemas) {
        EventBody::schemas(schemas);
        MatchStep::schemas(schemas);
        schemas.push((EventBody::name().into_owned(), EventBody::schema()));
        schemas.push((MatchStep::name().into_owned(), MatchStep::schema()));
    }
}

/// The data of one event of a match's stream: an item of its log, or, with `presence`, who is there.
#[derive(Debug)]
pub struct MatchStreamItem;

impl PartialSchema for MatchStreamItem {
    fn schema() -> RefOr<Schema> {
        let said = "The data of one event of a match's stream: an event of the match, or, with `include`, a step with the \
                    match as it then is, or, in an event of type `presence`, the players that have a stream open.";
        any_of(said, &[EventBody::name(), MatchStep::name(), MatchPresence::name()])
    }
}

impl ToSchema for MatchStreamItem {
    fn schemas(schemas: &mut Schemas) {
        EventOrStep::schemas(schemas);
        MatchPresence::schemas(schemas);
        schemas.push((MatchPresence::name().into_owned(), MatchPresence::schema()));
    }
}

fn any_of(said: &str, parts: &[Cow<'static, str>]) -> RefOr<Schema> {
    let union = AnyOfBuilder::new().description(Some(said));
    let union = parts.iter().fold(union, |union, part| union.item(Ref::from_schema_name(part.as_ref())));
    Schema::AnyOf(union.build()).into()
}

/// A page of a match's events.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
#[schema(as = EventPage)]
pub struct EventPageBody {
    /// The events, in order; with `include` one item at most, of the newest version.
    #[schema(value_type = Vec<EventOrStep>)]
    pub items: Vec<Box<RawValue>>,
    /// The value to pass as `after` for more events that are already there; null if there are none. To wait for new
    /// ones, pass `resume_cursor`.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// The end of this page: the value to pass as `after` to go on behind it, now or later. Absent while there has been
    /// no event.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(nullable = false)]
    pub resume_cursor: Option<String>,
}

/// A page of the caller's events.
#[derive(Debug, ToSchema)]
pub struct PlayerEventPage {
    /// The events, in order.
    #[schema(value_type = Vec<PlayerEvent>)]
    pub items: Vec<Box<RawValue>>,
    /// The value to pass as `after` for more events that are already there; null if there are none. To wait for new
    /// ones, pass `resume_cursor`.
    #[schema(required)]
    pub next_cursor: Option<String>,
    /// The end of this page: the value to pass as `after` to go on behind it, now or later. Absent while there has been
    /// no event.
    #[schema(nullable = false)]
    pub resume_cursor: Option<String>,
}

/// A page of these items, as they stand in an array: [`EventPageBody`] or [`PlayerEventPage`]. `resume` is where it ends,
/// `more` whether more is there already.
pub(crate) fn page(items: &[u8], resume: Option<&str>, more: bool) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::with_capacity(items.len() + ROOM_FOR_CURSORS);
    let mut object = Object::begin(&mut bytes);
    let into = object.key("items");
    into.push(b'[');
    into.extend_from_slice(items);
    into.push(b']');
    object.property("next_cursor", &resume.filter(|_| more))?;
    if let Some(resume) = resume {
        object.property("resume_cursor", &resume)?;
    }
    object.end();
    Ok(bytes)
}

/// The size of a page without its items, in bytes.
const ROOM_FOR_CURSORS: usize = 192;

#[cfg(test)]
mod tests {
    use serde_json::value::to_raw_value;

    use super::*;

    #[test]
    fn a_page_is_written_as_documented() {
        let items: Vec<Box<RawValue>> = [1, 2].map(|number| to_raw_value(&number).unwrap()).into();
        for (items, text) in [(Vec::new(), ""), (items, "1,2")] {
            for (resume, more) in [(None, false), (Some("18.0"), false), (Some("18.0"), true)] {
                let resume_cursor = resume.map(str::to_owned);
                let next_cursor = resume_cursor.clone().filter(|_| more);
                let documented = EventPageBody { items: items.clone(), next_cursor, resume_cursor };
                assert_eq!(page(text.as_bytes(), resume, more).unwrap(), serde_json::to_vec(&documented).unwrap());
            }
        }
    }
}
