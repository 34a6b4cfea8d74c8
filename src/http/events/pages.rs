//! The shapes in which events go out.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::openapi::schema::AnyOfBuilder;
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::inbox::PlayerEvent;
use crate::http::matches::types::{EventBody, MatchStep};
use crate::rules::Schemas;

/// One item of a match's log: an event, or, with `include`, a step with the match as it then is.
#[derive(Debug)]
pub struct EventOrStep;

impl PartialSchema for EventOrStep {
    fn schema() -> RefOr<Schema> {
        let said = "One item of a match's log: an event, or, with `include`, a step with the match as it then is.";
        let union = AnyOfBuilder::new().description(Some(said));
        let union = union.item(Ref::from_schema_name(EventBody::name())).item(Ref::from_schema_name(MatchStep::name()));
        Schema::AnyOf(union.build()).into()
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

/// A page of a match's events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EventPage)]
pub struct EventPageBody {
    /// The events, in order; with `include` one item at most, of the newest version.
    #[schema(value_type = Vec<EventOrStep>)]
    pub(crate) items: Vec<Box<RawValue>>,
    /// What to pass as `after` for more events that are already there; null if there are none. To wait for new ones,
    /// pass `resume_cursor`.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
    /// Where this page ends: what to pass as `after` to go on behind it, now or later. Absent while there has been no
    /// event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) resume_cursor: Option<String>,
}

/// A page of the caller's events.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerEventPage {
    /// The events, in order.
    #[schema(value_type = Vec<PlayerEvent>)]
    items: Vec<Box<RawValue>>,
    /// What to pass as `after` for more events that are already there; null if there are none. To wait for new ones,
    /// pass `resume_cursor`.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Where this page ends: what to pass as `after` to go on behind it, now or later. Absent while there has been no
    /// event.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    resume_cursor: Option<String>,
}
