//! The inner layer: no connection too many, no query where there is none to give, no request for ever, no panic
//! unanswered.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, web};
use futures_util::FutureExt;
use tokio::time::Instant;

use super::allowance;
use super::connection_quota::{ConnectionShare, check_connection};
use super::deadline::Deadline;
use super::failure::of_error;
use super::routes::RouteTable;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::caller::look_up;
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_base::ambient::received_at;

/// The time after which a client should repeat a request that took too long, in seconds.
const TIMEOUT_RETRY_SECONDS: u64 = 1;

/// The time that a request may still send its body once the service closes its streams to stop.
const BODY_GRACE: Duration = Duration::from_secs(1);

/// The inner layer.
pub(crate) async fn guard<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    if let Err(problem) = check_connection(request.conn_data::<ConnectionShare>()) {
        return Ok(request.error_response(problem).map_into_right_body());
    }
    let routes = request.app_data::<web::Data<RouteTable>>();
    if let Some(Err(problem)) = routes.map(|routes| routes.check_query(request.request())) {
        return Ok(request.error_response(problem).map_into_right_body());
    }
    let service = request.app_data::<Shared>().cloned();
    let operation = routes.and_then(|routes| routes.operation(request.request()));
    let tried = service.as_ref().map(|service| allowance::may_try_an_invite(request.request(), service, operation));
    if let Some(Err(problem)) = tried {
        return Ok(request.error_response(problem).map_into_right_body());
    }
    let config = request.app_data::<web::Data<ServerConfig>>();
    let timeout = config.map_or(ServerConfig::DEFAULT_REQUEST_TIMEOUT, |config| config.request_timeout);
    let deadline = Deadline::after(timeout);
    request.extensions_mut().insert(deadline.clone());
    // How often a step has to be tried again is not the player's time; nor how long the body takes, within reason.
    let received = service.as_ref().map(|service| service.matches.now());
    let answering = async move {
        look_up(request.request()).await;
        match received {
            Some(moment) => received_at(moment, next.call(request)).await,
            None => next.call(request).await,
        }
    };
    let mut work = pin!(AssertUnwindSafe(answering).catch_unwind());
    let mut stop = pin!(body_holds_the_stop(service.as_ref(), &deadline));
    loop {
        tokio::select! {
            biased;
            answer = &mut work => match answer {
                Ok(answer) => {
                    count_a_wrong_invite(answer.as_ref(), service.as_ref());
                    return answer.map(ServiceResponse::map_into_left_body);
                }
                Err(_) => return Err(Problem::internal("a handler panicked").into()),
            },
            () = tokio::time::sleep_until(deadline.at()) => {
                if Instant::now() >= deadline.at() {
                    return Err(too_late(&deadline).into());
                }
            }
            () = &mut stop => return Err(Problem::from(Code::BodyTooSlow).into()),
        }
    }
}

/// Counts a wrong invite code in a request to any operation: it may have been a guess.
fn count_a_wrong_invite<B>(answer: Result<&ServiceResponse<B>, &Error>, service: Option<&Shared>) {
    let (Ok(answer), Some(service)) = (answer, service) else { return };
    if answer.response().error().and_then(of_error).is_some_and(|problem| problem.code() == Code::WrongInvite) {
        allowance::count_wrong_invite(answer.request(), service);
    }
}

/// Waits until the service stops and the request has still not sent its body.
async fn body_holds_the_stop(service: Option<&Shared>, deadline: &Deadline) {
    let Some(service) = service else { return std::future::pending().await };
    service.drain.begun().await;
    loop {
        tokio::time::sleep(BODY_GRACE).await;
        if deadline.waits_for_body() {
            return;
        }
    }
}

/// Returns the problem of a late answer: the client is at fault while its body has not arrived whole.
fn too_late(deadline: &Deadline) -> Problem {
    if deadline.waits_for_body() {
        return Code::BodyTooSlow.into();
    }
    Problem::new(Code::RequestTimeout).retry_after_seconds(TIMEOUT_RETRY_SECONDS)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, HttpResponse};

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
            Err(error) => Err(error.as_error::<Problem>().unwrap().code()),
        }
    }

    #[actix_web::test]
    async fn a_panic_and_a_hang_are_problems_and_a_wait_on_purpose_is_not() {
        assert_eq!(outcome("/panics").await, Err(Code::Internal));
        assert_eq!(outcome("/hangs").await, Err(Code::RequestTimeout));
        assert_eq!(outcome("/waits").await, Ok(200));
    }
}
