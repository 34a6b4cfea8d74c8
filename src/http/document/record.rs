//! The record's schema, told of the games' unions.
//!
//! A record is made and read below the HTTP layer, where the unions are unknown: its own schema says of moves and
//! events only that they are objects. Here they become what they are.

use utoipa::openapi::schema::{ArrayItems, RefBuilder};
use utoipa::openapi::{OpenApi, RefOr, Schema};

/// Has the moves and events of a record's steps refer to `Move` and `MatchEvent`; `None` if there are none.
#[must_use]
pub(crate) fn refer_to_unions(document: &mut OpenApi) -> Option<()> {
    let RefOr::T(Schema::Object(step)) = document.components.as_mut()?.schemas.get_mut("ExportStep")? else {
        return None;
    };
    let refer = |name: &str| RefBuilder::new().ref_location_from_schema_name(name);
    let RefOr::T(Schema::Array(events)) = step.properties.get_mut("events")? else { return None };
    events.items = ArrayItems::RefOrSchema(Box::new(refer("MatchEvent").build().into()));
    *step.properties.get_mut("move")? = refer("Move").description(Some("The move.")).build().into();
    Some(())
}
