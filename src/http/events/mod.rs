//! Events: one log in three forms at one address, for a match and for all matches of the caller.

pub mod feed;
pub mod form;
pub mod inbox;
pub mod stream;

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{ACCEPT, HeaderName};
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use self::feed::{Feed, MatchFeed};
use self::form::Form;
use self::inbox::{InboxFeed, PlayerEvent};
use self::stream::Bounds;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::edge::deadline::Deadline;
use crate::http::edge::holdings::Holdings;
use crate::http::extract::caller::{MaybeCaller, StreamCaller};
use crate::http::extract::params::{Path, Query, Within};
use crate::http::farewell::Farewell;
use crate::http::matches::types::EventBody;
use crate::http::service::Shared;
use crate::ids::{MatchId, PlayerId};
use crate::telemetry::Metrics;
use utoipa_actix_web::service_config::ServiceConfig;

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config.service(list_match_events).service(list_my_events);
}

/// The longest wait for a page, in seconds.
const PAGE_WAIT_MAX: u32 = 30;
/// The longest wait that can be asked of a stream, in seconds.
const STREAM_WAIT_MAX: u32 = 86_400;
/// The most items that can be asked for.
const LIMIT_MAX: u32 = 1000;
/// The items of a page, unless asked otherwise.
const PAGE_LIMIT: u32 = 100;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Which events of a match, and how long to wait for them.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MatchEventsQuery {
    /// Only events after this one; all if left out. A `Last-Event-ID` header counts instead if it is sent. A cursor that
    /// the service has given (`next_cursor`, `resume_cursor`, the id of a server-sent event) carries behind the event's
    /// id a stamp of its version, by which a version that a failover has replaced is noticed; an event's own id, without
    /// one, is taken at its word.
    #[param(
        nullable = false,
        example = "18.0.5f0c9a7be2d41386",
        pattern = "^(0|[1-9][0-9]{0,15})\\.(0|[1-9][0-9]{0,8})(\\.[0-9a-f]{16})?$"
    )]
    after: Option<String>,
    /// For a page: how many seconds to wait for a first event, 0 to 30, 0 if left out. For a stream: end it once no
    /// event has come for this many seconds, 0 to 86400; if left out, it stays open.
    #[param(value_type = Option<u32>, nullable = false, maximum = 86400)]
    wait: Option<Within<0, STREAM_WAIT_MAX>>,
    /// At most this many events. If left out: 100 for a page, no limit for a stream.
    #[param(value_type = Option<u32>, nullable = false, minimum = 1, maximum = 1000)]
    limit: Option<Within<1, LIMIT_MAX>>,
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
    // Documented as a security scheme, not as a parameter.
    #[param(ignore)]
    #[expect(dead_code, reason = "`StreamCaller` reads it; here it is known as a parameter")]
    ticket: Option<String>,
}

/// Which of the caller's events, and how long to wait for them.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MyEventsQuery {
    /// Only events after this one; all if left out. A `Last-Event-ID` header counts instead if it is sent. A cursor that
    /// the service has given (`next_cursor`, `resume_cursor`, the id of a server-sent event) carries a stamp of the step
    /// behind the event's id, by which a step that a failover has replaced is noticed; an event's own id, without one, is
    /// taken at its word.
    #[param(nullable = false, example = "17.5f0c9a7be2d41386", pattern = "^(0|[1-9][0-9]{0,15})(\\.[0-9a-f]{16})?$")]
    after: Option<String>,
    /// For a page: how many seconds to wait for a first event, 0 to 30, 0 if left out. For a stream: end it once no
    /// event has come for this many seconds, 0 to 86400; if left out, it stays open.
    #[param(value_type = Option<u32>, nullable = false, maximum = 86400)]
    wait: Option<Within<0, STREAM_WAIT_MAX>>,
    /// At most this many events. If left out: 100 for a page, no limit for a stream.
    #[param(value_type = Option<u32>, nullable = false, minimum = 1, maximum = 1000)]
    limit: Option<Within<1, LIMIT_MAX>>,
    // Documented as a security scheme, not as a parameter.
    #[param(ignore)]
    #[expect(dead_code, reason = "`StreamCaller` reads it; here it is known as a parameter")]
    ticket: Option<String>,
}

/// What both queries say of the answer.
struct Asked {
    after: Option<String>,
    wait: Option<u32>,
    limit: Option<u32>,
}

/// A page of a match's events.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EventPage)]
pub struct EventPageBody {
    /// The events, in order.
    #[schema(value_type = Vec<EventBody>)]
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

/// One event of a stream, as an event source reads it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SseEvent {
    /// The event's id and a stamp behind it; an event source sends it back as `Last-Event-ID`.
    #[schema(nullable = false)]
    pub(crate) id: Option<String>,
    /// The event as JSON, in the form that pages have.
    pub(crate) data: String,
}

/// Follow a match
///
/// The match's event log as the caller sees it, in the form that `Accept` asks for: a page of JSON, at once or after a
/// wait for the first event (long poll); `text/event-stream`, which resumes from `Last-Event-ID` and sends a comment
/// every 15 seconds to keep the connection alive; or `application/x-ndjson`, one event a line. Streams end with the
/// match.
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
    ]))),
    responses(
        (status = 200, description = "The events.", content(
            (EventPageBody = "application/json"),
            (SseEvent = "text/event-stream"),
            (EventBody = "application/x-ndjson")
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
    Query(query): Query<MatchEventsQuery>,
) -> Result<HttpResponse, Problem> {
    let reader = MaybeCaller(caller.0.clone()).reader(query.invite);
    let feed = MatchFeed { matches: service.matches.clone(), reader, id };
    let asked = Asked { after: query.after, wait: query.wait.map(Within::get), limit: query.limit.map(Within::get) };
    let revocations = service.clone();
    let player = caller.0.as_ref().map(|principal| principal.player.clone());
    let revoked = move || caller.0.as_ref().is_some_and(|caller| revocations.is_shut_out(caller));
    answer(feed, &request, asked, player, &deadline, &service.farewell, revoked).await
}

/// Follow all my matches
///
/// Everything that happens in any match that the caller created or sits in, and whether it is then the caller's turn
/// (`your_turn`), in the same three forms as the events of one match. At least the newest 1,000 are kept.
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
    extensions(("x-problems" = json!([Code::NotAcceptable, Code::TooManyStreams]))),
    responses((status = 200, description = "The events.", content(
        (PlayerEventPage = "application/json"),
        (SseEvent = "text/event-stream"),
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
    Query(query): Query<MyEventsQuery>,
) -> Result<HttpResponse, Problem> {
    let player = caller.0.as_ref().ok_or(Code::Unauthenticated)?.player.clone();
    let feed = InboxFeed { matches: service.matches.clone(), player: player.clone() };
    let asked = Asked { after: query.after, wait: query.wait.map(Within::get), limit: query.limit.map(Within::get) };
    let revocations = service.clone();
    let revoked = move || caller.0.as_ref().is_some_and(|caller| revocations.is_shut_out(caller));
    answer(feed, &request, asked, Some(player), &deadline, &service.farewell, revoked).await
}

/// The answer in the form that was asked for; a stream counts as one of `player`'s and the address'. It ends when
/// `farewell` says so, or once `revoked` says so.
async fn answer<F: Feed>(
    feed: F,
    request: &HttpRequest,
    query: Asked,
    player: Option<PlayerId>,
    deadline: &Deadline,
    farewell: &Arc<Farewell>,
    revoked: impl Fn() -> bool + 'static,
) -> Result<HttpResponse, Problem>
where
    F::Cursor: std::str::FromStr,
{
    let after = cursor::<F>(request, query.after.as_deref())?;
    let form = accepted(request)?;
    let limit = query.limit;
    let metrics = request.app_data::<web::Data<Metrics>>();
    let Some(form) = form else {
        let wait = query.wait.unwrap_or(0);
        if wait > PAGE_WAIT_MAX {
            let detail = format!("`wait` has to be an integer from 0 to {PAGE_WAIT_MAX} for a page");
            return Err(Problem::new(Code::InvalidParameter).field("wait").detail(detail));
        }
        let wait = Duration::from_secs(wait.into());
        // The wait comes on top of the time that any request has.
        deadline.extend(wait);
        let _counted = metrics.filter(|_| !wait.is_zero()).map(|metrics| metrics.requests.long_polls.one_more());
        let limit = limit.unwrap_or(PAGE_LIMIT) as usize;
        let page = stream::page(&feed, after, limit, wait, farewell.stay(), revoked).await?;
        let items: Result<Vec<_>, _> = page.items.iter().map(|item| serde_json::from_slice(&item.json)).collect();
        let items = items.map_err(Problem::internal)?;
        let resume_cursor = page.next.map(|next| next.to_string());
        let next_cursor = resume_cursor.clone().filter(|_| page.more);
        return Ok(HttpResponse::Ok().json(EventPageBody { items, next_cursor, resume_cursor }));
    };
    let holdings = request.app_data::<web::Data<Holdings>>();
    let share = holdings.map(|holdings| holdings.take_stream(request, player.as_ref())).transpose()?;
    let bounds = Bounds {
        limit: limit.map(|limit| limit as usize),
        wait: query.wait.map(|wait| Duration::from_secs(wait.into())),
        stay: farewell.stay(),
        revoked: Box::new(revoked),
        share,
        counted: metrics.map(|metrics| match form {
            Form::ServerSent => metrics.requests.server_sent_streams.one_more(),
            Form::JsonLines => metrics.requests.json_lines_streams.one_more(),
        }),
    };
    stream::answer(feed, after, form, bounds).await
}

fn cursor<F: Feed>(request: &HttpRequest, after: Option<&str>) -> Result<Option<F::Cursor>, Problem>
where
    F::Cursor: std::str::FromStr,
{
    let header = request.headers().get(LAST_EVENT_ID).map(|id| id.to_str().unwrap_or("?"));
    let read = |given: Option<&str>, field| {
        given.map(str::parse).transpose().map_err(|_| {
            Problem::new(Code::InvalidParameter).field(field).detail("this is no id of an event of this log")
        })
    };
    // Both are read, so that a wrong one never passes unnoticed.
    let (after, last) = (read(after, "after")?, read(header, "Last-Event-ID")?);
    Ok(last.or(after))
}

/// The form that `Accept` asks for: a stream, or `None` for a page.
fn accepted(request: &HttpRequest) -> Result<Option<Form>, Problem> {
    let given: Vec<&str> = request.headers().get_all(ACCEPT).filter_map(|value| value.to_str().ok()).collect();
    if given.is_empty() {
        return Ok(None);
    }
    let mut best: Option<(f32, Option<Form>)> = None;
    for range in given.iter().flat_map(|value| value.split(',')) {
        let mut parts = range.split(';').map(str::trim);
        let form = match parts.next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "text/event-stream" => Some(Form::ServerSent),
            "application/x-ndjson" => Some(Form::JsonLines),
            "application/json" | "application/*" | "*/*" => None,
            _ => continue,
        };
        let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        if quality > 0.0 && best.is_none_or(|(least, _)| quality > least) {
            best = Some((quality, form));
        }
    }
    best.map(|(_, form)| form).ok_or_else(|| Code::NotAcceptable.into())
}

#[cfg(test)]
mod tests {
    use actix_web::HttpMessage;
    use actix_web::test::TestRequest;
    use async_trait::async_trait;

    use super::feed::Stretch;
    use super::*;
    use crate::matches::hub::{Hub, Topic, Watch};

    /// A log in which nothing happens.
    struct Silence(std::sync::Arc<Hub>);

    #[async_trait(?Send)]
    impl Feed for Silence {
        type Cursor = u64;

        async fn read(&self, after: Option<u64>, _: usize) -> Result<Stretch<Option<u64>>, Problem> {
            Ok(Stretch { items: Vec::new(), next: after, more: false, ended: true })
        }

        fn watch(&self) -> Watch {
            self.0.watch(Topic::Match("m_0190163d8694739ea2a3c9f1e7d1a111".parse().unwrap()))
        }
    }

    #[actix_web::test]
    async fn a_long_poll_has_its_wait_and_the_time_of_any_request_and_no_more() {
        let deadline = Deadline::after(Duration::from_secs(30));
        let request = TestRequest::default().to_http_request();
        // As the guard does.
        request.extensions_mut().insert(deadline.clone());
        let before = deadline.at();
        let farewell = Farewell::new(Duration::ZERO, crate::ambient::Ambient::fixed(0, 1));
        let asked = Asked { after: None, wait: Some(20), limit: None };
        let page = answer(Silence(Default::default()), &request, asked, None, &deadline, &farewell, || false).await;
        assert_eq!(page.unwrap().status(), 200);
        assert_eq!(deadline.at() - before, Duration::from_secs(20));
    }

    fn form(accept: &str) -> Result<Option<Form>, Code> {
        let request = TestRequest::default().insert_header((ACCEPT, accept)).to_http_request();
        accepted(&request).map_err(|problem| problem.code())
    }

    #[test]
    fn the_form_follows_accept() {
        assert_eq!(form("*/*"), Ok(None));
        assert_eq!(form("application/json"), Ok(None));
        assert_eq!(form("text/event-stream"), Ok(Some(Form::ServerSent)));
        assert_eq!(form("Application/X-NDJSON, */*;q=0.1"), Ok(Some(Form::JsonLines)));
        assert_eq!(form("text/event-stream;q=0.2, application/json;q=0.9"), Ok(None));
        assert_eq!(form("text/html"), Err(Code::NotAcceptable));
        assert_eq!(form("application/json;q=0"), Err(Code::NotAcceptable));
    }
}
