//! The form of every failure, also those of the framework: a problem, and a line in the log.

use actix_web::http::header;
use actix_web::{Error, HttpResponse, ResponseError};

use crate::answer::codes::Code;
use crate::answer::problem::{PROBLEM_JSON, Problem};

/// Marks an answer whose failure is worded as the protocol of its body wants it.
pub(crate) struct Worded;

/// The problem that an error is, if it is one of ours.
pub(crate) fn of_error(error: &Error) -> Option<Problem> {
    error.as_error::<Problem>().cloned()
}

/// The answer as it is if it is no failure, else as a problem, and that problem's code.
pub(crate) fn render_failure(response: HttpResponse, id: &str, operation: &str) -> (HttpResponse, Option<Code>) {
    let is_problem = |response: &HttpResponse| {
        let worded = response.extensions().contains::<Worded>();
        worded
            || response
                .headers()
                .get(header::CONTENT_TYPE)
                .is_some_and(|kind| kind.as_bytes() == PROBLEM_JSON.as_bytes())
    };
    match response.error().and_then(of_error) {
        Some(problem) => (render(response, &problem, id, operation), Some(problem.code())),
        None if response.status().is_client_error() || response.status().is_server_error() => {
            let code = Code::of_status(response.status());
            let response = if is_problem(&response) { response } else { render(response, &code.into(), id, operation) };
            (response, Some(code))
        }
        None => (response, None),
    }
}

/// Logs the problem: a fault of the service with its cause, a refusal for those who look closely.
pub(crate) fn log(problem: &Problem, operation: &str) {
    // Any client can bring it about that there is more work than is taken on.
    if problem.code().status().is_server_error() && problem.code() != Code::Busy {
        let cause = problem.cause_chain().unwrap_or_default();
        tracing::error!(code = %problem.code(), operation, cause, "failed");
    } else {
        tracing::debug!(code = %problem.code(), operation, "refused");
    }
}

/// Puts the problem in the place of the answer's body, keeping the headers that other layers have set.
///
/// The log learns of a refusal what was refused and where, and nothing that the client sent.
pub(crate) fn render(answer: HttpResponse, problem: &Problem, id: &str, operation: &str) -> HttpResponse {
    log(problem, operation);
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
