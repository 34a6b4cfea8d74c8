//! Streams of server-sent events, at addresses that serve nothing else.
//!
//! Generators of clients make a typed stream of an operation that has one form of answer. The service ignores `Accept`
//! here, since libraries ask for JSON by themselves.

use actix_web::{HttpResponse, get};

use super::following::{EventsCall, follow_match, follow_own};
use super::form::{Form, StreamForm};
use super::pages::MatchStreamItem;
use super::player_events::PlayerEvent;
use super::query::{MatchFeedQuery, MyFeedQuery};
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::params::{Path, Query};
use sarsen_base::ids::MatchId;

/// Stream a match
///
/// The match's event log as the caller sees it, as server-sent events until the match ends. The data of each is one
/// event; its id is where to go on, which an `EventSource` sends back by itself. A comment comes every 15 seconds to keep
/// the connection alive, with the time as in `x-server-time`. The last event of each version is marked (`last`).
///
/// With `include` the data is one item a step, with its events and with the match as the caller then sees it. The first
/// item is now, also behind a cursor; what is missed while a client lags comes in one item with the newest version.
///
/// An event of type `resync` comes alone, in place of events, when a failover has undone or replaced the version that the
/// client has come to: forget what you were told of the match and, unless the item shows it, read it again.
///
/// With `presence` an event of type `presence`, without an id, tells which players have a stream open (`MatchPresence`), at
/// once and when it has changed. One that streams from another instance is known a second later; one whose instance has
/// died counts for up to 20 seconds.
#[utoipa::path(
    operation_id = "streamMatch",
    tag = "events",
    params(
        Path::<MatchId>,
        MatchFeedQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,8})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::HotseatOnly, Code::WrongInvite, Code::TooManyStreams
    ]))),
    responses(
        (status = 200, description = "The events.", content((MatchStreamItem = "text/event-stream"))),
        (status = 204, description = "The match has ended, and there is nothing more to send.")
    ),
    security((), ("bearer" = ["read"]), ("ticket" = []))
)]
#[get("/v1/matches/{match_id}/stream")]
pub(crate) async fn stream_match(
    call: EventsCall,
    Path(id): Path<MatchId>,
    Query(query): Query<MatchFeedQuery>,
) -> Result<HttpResponse, Problem> {
    follow_match(call, id, query, Form::Stream(StreamForm::ServerSent)).await
}

/// Stream all my matches
///
/// Everything that happens in any match that the caller created or sits in, and whether it is then the caller's turn
/// (`your_turn`), as server-sent events. The data of each is one step; its id is where to go on, which an `EventSource`
/// sends back by itself. With `include` the newest step of each match shows the match as it now is.
///
/// An event of type `resync` comes alone, in place of others, when a failover has undone or replaced the step that the
/// client has come to: read your matches again. One of type `session_started` tells that a further session of the caller
/// has begun.
#[utoipa::path(
    operation_id = "streamMyEvents",
    tag = "events",
    params(
        MyFeedQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([Code::TooManyStreams]))),
    responses((status = 200, description = "The events.", content((PlayerEvent = "text/event-stream")))),
    security(("bearer" = ["read"]), ("ticket" = []))
)]
#[get("/v1/me/stream")]
pub(crate) async fn stream_my_events(
    call: EventsCall,
    Query(query): Query<MyFeedQuery>,
) -> Result<HttpResponse, Problem> {
    follow_own(call, query, Form::Stream(StreamForm::ServerSent)).await
}
