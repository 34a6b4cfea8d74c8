//! Events at the addresses that serve them in three forms.

use actix_web::{HttpResponse, get};

use super::answering::accepted;
use super::following::{EventsCall, follow_match, follow_own};
use super::pages::{EventOrStep, EventPageBody, PlayerEventPage};
use super::player_events::PlayerEvent;
use super::query::{MatchFeedQuery, MyFeedQuery};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::params::{Path, Query};
use sarsen_base::ids::MatchId;

/// Follow a match
///
/// The match's event log as the caller sees it, in the form that `Accept` asks for: a page of JSON, at once or after a
/// wait for the first event (long poll), or `application/x-ndjson`, one event a line, until the match ends.
/// `text/event-stream` gets what `/v1/matches/{match_id}/stream` sends.
///
/// The last event of each version is marked (`last`). With `include` there is one item a step instead, with its events
/// and with the match as the caller then sees it: so a client needs no other request to show or to play it.
///
/// An event of type `resync` comes alone, in place of events, when a failover has undone or replaced the version that the
/// client has come to: read the match again, forget what you were told of it, and go on behind the cursor that came with
/// the event.
#[utoipa::path(
    operation_id = "listMatchEvents",
    tag = "events",
    params(
        Path::<MatchId>,
        MatchFeedQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,8})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::HotseatOnly, Code::WrongInvite, Code::NotAcceptable, Code::TooManyStreams
    ])), ("x-cached" = json!(true))),
    responses(
        (status = 200, description = "The events.", content(
            (EventPageBody = "application/json"),
            (EventOrStep = "application/x-ndjson")
        )),
        (status = 204, description = "A stream was asked for, the match has ended, and there is nothing more to send.")
    ),
    security((), ("bearer" = ["read"]), ("ticket" = []))
)]
#[get("/v1/matches/{match_id}/events")]
pub(crate) async fn list_match_events(
    call: EventsCall,
    Path(id): Path<MatchId>,
    Query(query): Query<MatchFeedQuery>,
) -> Result<HttpResponse, Problem> {
    let form = accepted(&call.3)?;
    follow_match(call, id, query, form).await
}

/// Follow all my matches
///
/// Everything that happens in any match that the caller created or sits in, and whether it is then the caller's turn
/// (`your_turn`), in the same forms as the events of one match; `/v1/me/stream` is what `text/event-stream` gets. At least
/// the newest 1,000 are kept. With `include` the newest step of each match shows the match as it now is.
///
/// An event of type `resync` comes alone, in place of others, when a failover has undone or replaced the step that the
/// client has come to: read your matches again, and go on behind the cursor that came with the event.
#[utoipa::path(
    operation_id = "listMyEvents",
    tag = "events",
    params(
        MyFeedQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([Code::NotAcceptable, Code::TooManyStreams])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The events.", content(
        (PlayerEventPage = "application/json"),
        (PlayerEvent = "application/x-ndjson")
    ))),
    security(("bearer" = ["read"]), ("ticket" = []))
)]
#[get("/v1/me/events")]
pub(crate) async fn list_my_events(
    call: EventsCall,
    Query(query): Query<MyFeedQuery>,
) -> Result<HttpResponse, Problem> {
    let form = accepted(&call.3)?;
    follow_own(call, query, form).await
}
