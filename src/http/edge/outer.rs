//! The outer layer: id, counting, the log line, default headers, and the form of every failure.

use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, web};
use tokio::time::Instant;
use tracing::Instrument;

use super::allowance;
use super::connection_quota::ConnectionShare;
use super::failure::{of_error, render, render_failure};
use super::log::{answer_within, request_span};
use super::long_poll::Waited;
use super::request_id::{REQUEST_ID, request_id};
use super::routes::RouteTable;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_base::ambient::Ambient;
use sarsen_base::telemetry::{Metrics, TallyMark};

/// The header that says what time it is here: RFC 3339 in UTC, with milliseconds.
const SERVER_TIME: HeaderName = HeaderName::from_static("x-server-time");
/// The header that says how long a connection stays open without a request.
const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");

/// The operation name of a request to an unknown address.
const OTHER: &str = "other";

/// Counts a request, which is in flight until this is dropped: its client may go away before the answer.
struct Count {
    metrics: web::Data<Metrics>,
    started: Instant,
    _in_flight: TallyMark,
}

impl Count {
    fn of(metrics: web::Data<Metrics>) -> Count {
        let _in_flight = metrics.requests.in_flight.one_more();
        Count { metrics, started: Instant::now(), _in_flight }
    }

    fn ended(self, operation: &str, status: StatusCode, code: Option<Code>, waited: Duration) {
        let took = self.started.elapsed().saturating_sub(waited);
        self.metrics.requests.answered(operation, status.as_u16(), code == Some(Code::Busy), took);
        if let Some(code) = code {
            self.metrics.requests.problems.count(code.name());
        }
        tracing::info!(target: "access", operation, status = status.as_u16(), micros = took.as_micros() as u64, "answered");
    }
}

/// The handling of a request's connection after its answer.
struct Afterwards {
    /// The connection type that the client wants.
    wanted: ConnectionType,
    one_too_many: bool,
    kept: Duration,
    service: Option<Shared>,
}

impl Afterwards {
    fn of(request: &ServiceRequest) -> Afterwards {
        let config = request.app_data::<web::Data<ServerConfig>>();
        Afterwards {
            wanted: request.head().connection_type(),
            one_too_many: request.conn_data::<ConnectionShare>().is_some_and(ConnectionShare::is_over),
            kept: config.map_or(ServerConfig::DEFAULT_KEEP_ALIVE, |config| config.keep_alive),
            service: request.app_data::<Shared>().cloned(),
        }
    }

    /// Tells the client. An offer to speak another protocol is not taken up; the library closes such a connection, so the
    /// answer says so. Of an instance that has been told to stop nobody keeps a connection.
    fn tell(&self, response: &mut HttpResponse) {
        let stopping = self.service.as_ref().is_some_and(|service| service.retiring.is_cancelled());
        if self.one_too_many || stopping || self.wanted == ConnectionType::Upgrade {
            response.head_mut().set_connection_type(ConnectionType::Close);
        } else if self.wanted == ConnectionType::KeepAlive
            && let Ok(told) = HeaderValue::from_str(&format!("timeout={}", self.kept.as_secs()))
        {
            response.headers_mut().insert(KEEP_ALIVE, told);
        }
    }
}

/// The outer layer.
pub(crate) async fn edge(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = request_id(&request);
    let span = request_span(&request, &id);
    let answer = answered(request, next, &id).instrument(span.clone()).await?;
    Ok(answer_within(span, answer))
}

async fn answered(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: &str,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(metrics) = request.app_data::<web::Data<Metrics>>().cloned() else {
        return Err(Problem::internal("the application has no counters").into());
    };
    let routes = request.app_data::<web::Data<RouteTable>>().cloned();
    // The encoder knows of HEAD from the connection and leaves the body out.
    let head = request.method() == Method::HEAD;
    if head {
        request.head_mut().method = Method::GET;
    }
    let afterwards = Afterwards::of(&request);
    let clock = afterwards.service.as_ref().map(|service| &service.clock);
    let operation = routes.as_ref().and_then(|routes| routes.operation(request.request())).unwrap_or(OTHER);
    let count = Count::of(metrics);
    let waited = Waited::default();
    request.extensions_mut().insert(waited.clone());
    match next.call(request).await {
        Ok(response) => {
            let (request, response) = response.into_parts();
            let (mut response, code) = finish(response.map_into_boxed_body(), id, operation, head);
            allowance::stamp(&request, response.headers_mut());
            tell_time(clock, response.headers_mut());
            afterwards.tell(&mut response);
            count.ended(operation, response.status(), code, waited.so_far());
            Ok(ServiceResponse::new(request, response))
        }
        Err(error) => {
            let problem = of_error(&error);
            let mut failed = error.error_response();
            if problem.is_none() {
                failed.headers_mut().clear();
            }
            let problem = problem.unwrap_or_else(|| Problem::from(Code::of_status(failed.status())));
            let mut response = render(failed, &problem, id, operation);
            default_headers(&mut response, id);
            tell_time(clock, response.headers_mut());
            afterwards.tell(&mut response);
            count.ended(operation, response.status(), Some(problem.code()), waited.so_far());
            Err(InternalError::from_response(error, response).into())
        }
    }
}

fn finish(response: HttpResponse, id: &str, operation: &str, head: bool) -> (HttpResponse, Option<Code>) {
    let (mut response, code) = render_failure(response, id, operation);
    if head && matches!(response.body().size(), BodySize::Stream) {
        response = response.set_body(BoxBody::new(()));
    }
    default_headers(&mut response, id);
    (response, code)
}

/// Says what time it is here, more exactly than `Date`: for clients that show how much is left of a decision.
fn tell_time(clock: Option<&Ambient>, headers: &mut HeaderMap) {
    if let Some(Ok(now)) = clock.map(|clock| HeaderValue::from_str(&clock.now().rfc3339())) {
        headers.insert(SERVER_TIME, now);
    }
}

fn default_headers(response: &mut HttpResponse, id: &str) {
    let is_unchanged = response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    // What a client has kept of the answer has these already, and pollers get many of 304.
    if !is_unchanged {
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}
