//! Events at the addresses that serve them in three forms.

use actix_web::{HttpRequest, HttpResponse, get};

use super::answering::{Asking, accepted};
use super::feed::MatchFeed;
use super::inbox::{InboxFeed, PlayerEvent};
use super::pages::{EventOrStep, EventPageBody, PlayerEventPage};
use super::query::{MatchEventsQuery, MyEventsQuery};
use super::steps::StepFeed;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::edge::deadline::Deadline;
use crate::http::extract::caller::{MaybeCaller, StreamCaller};
use crate::http::extract::params::{Path, Query};
use crate::http::service::Shared;
use crate::ids::MatchId;

/// Follow a match
///
/// The match's event log as the caller sees it, in the form that `Accept` asks for: a page of JSON, at once or after a
/// wait for the first event (long poll), or `application/x-ndjson`, one event a line, until the match ends. Whoever asks
/// for `text/event-stream` gets what `/v1/matches/{match_id}/stream` sends.
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
        MatchId,
        MatchEventsQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,8})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::NotAcceptable, Code::TooManyStreams
    ])), ("x-cached" = json!(true))),
    responses(
        (status = 200, description = "The events.", content(
            (EventPageBody = "application/json"),
            (EventOrStep = "application/x-ndjson")
        )),
        (status = 204, description = "A stream was asked for, the match has ended, and there is nothing more to send.")
    ),
    security((), ("bearer" = []), ("ticket" = []))
)]
#[get("/v1/matches/{match_id}/events")]
pub async fn list_match_events(
    service: Shared,
    caller: StreamCaller,
    deadline: Deadline,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(mut query): Query<MatchEventsQuery>,
) -> Result<HttpResponse, Problem> {
    let reader = MaybeCaller(caller.0.clone()).reader(query.invite.take());
    let asked = query.asked();
    let (extent, form) = (asked.extent()?, accepted(&request)?);
    if query.text && extent.is_some() {
        let detail = "with `include` events do not come in words";
        return Err(Problem::new(Code::InvalidParameter).field("text").detail(detail));
    }
    let spoken_of = if query.text { Some(service.matches.read(&reader, &id).await?.live) } else { None };
    let asking = Asking::of(&request, asked, caller, &deadline, &service);
    let matches = service.matches.clone();
    match extent {
        Some(extent) => asking.answer(StepFeed { matches, reader, id, extent, greets: form.is_some() }, form).await,
        None => asking.answer(MatchFeed { matches, reader, id, spoken_of }, form).await,
    }
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
        MyEventsQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false,
            pattern = "^(0|[1-9][0-9]{0,15})(\\.[0-9a-f]{16})?$",
            description = "The same as `after`, which it overrides; an `EventSource` sends it by itself.")
    ),
    extensions(("x-problems" = json!([Code::NotAcceptable, Code::TooManyStreams])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The events.", content(
        (PlayerEventPage = "application/json"),
        (PlayerEvent = "application/x-ndjson")
    ))),
    security(("bearer" = []), ("ticket" = []))
)]
#[get("/v1/me/events")]
pub async fn list_my_events(
    service: Shared,
    caller: StreamCaller,
    deadline: Deadline,
    request: HttpRequest,
    Query(mut query): Query<MyEventsQuery>,
) -> Result<HttpResponse, Problem> {
    let player = caller.0.as_ref().ok_or(Code::Unauthenticated)?.player.clone();
    let asked = query.asked();
    let feed = InboxFeed { matches: service.matches.clone(), player, extent: asked.extent()? };
    let form = accepted(&request)?;
    Asking::of(&request, asked, caller, &deadline, &service).answer(feed, form).await
}
