//! What happens to every request and answer, whatever the route.
//!
//! Two layers. [`edge`] is the outer one: request id, counting, the log line, default headers, and the form of every
//! failure, whoever made it. [`guard`] is the inner one, inside CORS: it refuses a query where there is none to
//! give, bounds a request's time and turns a panic into a problem. Between them nothing leaves the service that is an
//! error and not `application/problem+json`.

pub mod address;
pub mod allowance;
pub mod deadline;
pub mod log;
pub mod request_id;
pub mod routes;

use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::rc::Rc;

use actix_web::body::{BodySize, BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::header::{self, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse, ResponseError, web};
use futures_util::FutureExt;
use tokio::time::Instant;

use self::deadline::Deadline;
use self::request_id::{REQUEST_ID, RequestId};
use self::routes::RouteTable;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::{PROBLEM_JSON, Problem};
use crate::http::service::Service;
use crate::http::settings::ServerConfig;

/// When a client should repeat a request that took too long, in seconds.
const TIMEOUT_RETRY_SECONDS: u64 = 1;

/// Counts a request even if its client goes away before the answer.
struct Count {
    service: web::Data<Service>,
    started: Instant,
    counted: bool,
}

impl Count {
    fn ended(&mut self, operation: Option<&str>, status: StatusCode) {
        self.counted = true;
        let took = self.started.elapsed();
        self.service.metrics.ended(operation, Some(status.as_u16()), took);
        let operation = operation.unwrap_or("other");
        tracing::info!(target: "access", operation, status = status.as_u16(), micros = took.as_micros() as u64, "answered");
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        if !self.counted {
            self.service.metrics.ended(None, None, self.started.elapsed());
        }
    }
}

/// The outer layer.
pub async fn edge(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_else(|| "-".into());
    let Some(service) = request.app_data::<web::Data<Service>>().cloned() else {
        return Err(Problem::internal("the application has no service").into());
    };
    let routes = request.app_data::<web::Data<RouteTable>>().cloned();
    // The encoder knows of HEAD from the connection and leaves the body out.
    let head = request.method() == Method::HEAD;
    if head {
        request.head_mut().method = Method::GET;
    }
    service.metrics.started();
    let mut count = Count { service, started: Instant::now(), counted: false };
    match next.call(request).await {
        Ok(response) => {
            let operation = routes.as_ref().and_then(|routes| routes.operation(response.request()));
            let (request, response) = response.into_parts();
            let mut response = finish(response.map_into_boxed_body(), &id, head);
            allowance::stamp(&request, response.headers_mut());
            count.ended(operation, response.status());
            Ok(ServiceResponse::new(request, response))
        }
        Err(error) => {
            let problem = of_error(&error);
            let mut failed = error.error_response();
            if problem.is_none() {
                failed.headers_mut().clear();
            }
            let problem = problem.unwrap_or_else(|| Problem::from(Code::of_status(failed.status())));
            let mut response = render(failed, &problem, &id);
            default_headers(&mut response, &id);
            count.ended(None, response.status());
            Err(InternalError::from_response(error, response).into())
        }
    }
}

fn of_error(error: &Error) -> Option<Problem> {
    error.as_error::<Problem>().cloned()
}

fn finish(response: HttpResponse, id: &str, head: bool) -> HttpResponse {
    let is_problem = |response: &HttpResponse| {
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == PROBLEM_JSON.as_bytes())
    };
    let mut response = match response.error().and_then(of_error) {
        Some(problem) => render(response, &problem, id),
        None if response.status().is_client_error() || response.status().is_server_error() => {
            if is_problem(&response) {
                response
            } else {
                let problem = Problem::from(Code::of_status(response.status()));
                render(response, &problem, id)
            }
        }
        None => response,
    };
    if head && matches!(response.body().size(), BodySize::Stream) {
        response = response.set_body(BoxBody::new(()));
    }
    default_headers(&mut response, id);
    response
}

/// Puts the problem in the place of the answer's body, keeping the headers that other layers have set.
fn render(answer: HttpResponse, problem: &Problem, id: &str) -> HttpResponse {
    if problem.code().status().is_server_error() {
        let cause = problem.cause_chain().unwrap_or_default();
        tracing::error!(code = %problem.code(), cause, "failed");
    } else {
        tracing::debug!(code = %problem.code(), detail = problem.body().detail, "refused");
    }
    let (fresh, body) = problem.clone().instance(id).error_response().into_parts();
    let (mut answer, _) = answer.into_parts();
    *answer.status_mut() = fresh.status();
    answer.headers_mut().remove(header::CONTENT_ENCODING);
    answer.headers_mut().remove(header::CONTENT_LENGTH);
    for (name, value) in fresh.headers() {
        answer.headers_mut().insert(name.clone(), value.clone());
    }
    answer.set_body(body)
}

fn default_headers(response: &mut HttpResponse, id: &str) {
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// The inner layer.
pub async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let routes = request.app_data::<web::Data<RouteTable>>();
    if let Some(Err(problem)) = routes.map(|routes| routes.check_query(request.request())) {
        return Ok(request.error_response(problem).map_into_right_body());
    }
    let config = request.app_data::<web::Data<ServerConfig>>();
    let timeout = config.map_or(ServerConfig::DEFAULT_REQUEST_TIMEOUT, |config| config.request_timeout);
    let deadline = Deadline(Rc::new(Cell::new(Instant::now() + timeout)));
    request.extensions_mut().insert(deadline.clone());
    let mut work = pin!(AssertUnwindSafe(async move { next.call(request).await }).catch_unwind());
    loop {
        tokio::select! {
            biased;
            answer = &mut work => match answer {
                Ok(answer) => return answer.map(ServiceResponse::map_into_left_body),
                Err(_) => return Err(Problem::internal("a handler panicked").into()),
            },
            () = tokio::time::sleep_until(deadline.0.get()) => {
                if Instant::now() >= deadline.0.get() {
                    return Err(Problem::new(Code::RequestTimeout).retry_after_seconds(TIMEOUT_RETRY_SECONDS).into());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, middleware::from_fn};

    use std::time::Duration;

    use super::*;

    fn config() -> web::Data<ServerConfig> {
        let request_timeout = Duration::from_millis(20);
        web::Data::new(ServerConfig { request_timeout, ..ServerConfig::default() })
    }

    async fn outcome(path: &str) -> Result<u16, Code> {
        async fn panics() -> HttpResponse {
            panic!("a secret in a message")
        }
        async fn hangs() -> HttpResponse {
            std::future::pending().await
        }
        async fn waits(deadline: Deadline) -> HttpResponse {
            deadline.extend(Duration::from_secs(60));
            tokio::time::sleep(Duration::from_millis(60)).await;
            HttpResponse::Ok().finish()
        }
        let app = App::new()
            .app_data(config())
            .wrap(from_fn(guard))
            .route("/panics", web::get().to(panics))
            .route("/hangs", web::get().to(hangs))
            .route("/waits", web::get().to(waits));
        let app = init_service(app).await;
        match try_call_service(&app, TestRequest::with_uri(path).to_request()).await {
            Ok(answer) => Ok(answer.status().as_u16()),
            Err(error) => Err(of_error(&error).unwrap().code()),
        }
    }

    #[actix_web::test]
    async fn a_panic_and_a_hang_are_problems_and_a_wait_on_purpose_is_not() {
        assert_eq!(outcome("/panics").await, Err(Code::Internal));
        assert_eq!(outcome("/hangs").await, Err(Code::RequestTimeout));
        assert_eq!(outcome("/waits").await, Ok(200));
    }
}
