//! The record's schema, told of the games' unions.
//!
//! A record is made and read below the HTTP layer, where the unions are unknown: its own schema says of moves and
//! events only that they are objects. Here they become what they are.

use utoipa::openapi::schema::{ArrayItems, RefBuilder};
use utoipa::openapi::{OpenApi, RefOr, Schema};

/// Has the moves and events of a record's steps refer to `Move` and `MatchEvent`; false if there are none.
#[must_use]
pub(crate) fn refer_to_unions(document: &mut OpenApi) -> bool {
    let schemas = document.components.as_mut().map(|components| &mut components.schemas);
    let Some(RefOr::T(Schema::Object(step))) = schemas.and_then(|schemas| schemas.get_mut("ExportStep")) else {
        return false;
    };
    let refer = |name: &str| RefBuilder::new().ref_location_from_schema_name(name);
    let Some(RefOr::T(Schema::Array(events))) = step.properties.get_mut("events") else { return false };
    events.items = ArrayItems::RefOrSchema(Box::new(refer("MatchEvent").build().into()));
    let Some(mv) = step.properties.get_mut("move") else { return false };
    *mv = refer("Move").description(Some("The move.")).build().into();
    true
}
