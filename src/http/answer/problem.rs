//! A failure as clients see it: `application/problem+json` by RFC 9457.
//!
//! Invariants: every failure has a [`Code`]; what caused it is logged with its chain of sources and never shown. The
//! edge middleware adds the request id as `instance`.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::codes::Code;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_rules::Refusal;

/// The content type of problems.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Any failure, as a problem by RFC 9457. Branch on `code`.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    /// Address of the explanation, relative to the service.
    #[serde(rename = "type")]
    #[schema(examples("/problems/stale_decision"))]
    pub(crate) kind: String,
    /// The code in a few words, the same for every occurrence.
    pub(crate) title: &'static str,
    /// The HTTP status, as in the status line.
    #[schema(minimum = 400, maximum = 599)]
    pub(crate) status: u16,
    /// The stable name of the problem.
    pub(crate) code: Code,
    /// The cause of this occurrence, in one or two sentences for a person. Wording may change.
    pub(crate) detail: String,
    /// The request's id, as in the header `x-request-id`; the service's log has it too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) instance: Option<String>,
    /// The ruling or section that decides: an id in the game's rules, `/v1/games/{game}/rules`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) rule: Option<String>,
    /// The game's own stable code for the refusal; of an undo, what prevents it; of a match that cannot be rated, what
    /// prevents that; of a URL or a key, the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) reason: Option<String>,
    /// The property of the move or of the options, or the parameter, that is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) field: Option<String>,
    /// The place of the fault in the body, such as `options.jump`; `.` for the whole body.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) path: Option<String>,
    /// The scope that the token lacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) scope: Option<&'static str>,
    /// The match's current version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) version: Option<u64>,
    /// The version of the step behind which an undo would go back.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) barrier_version: Option<u64>,
    /// The match that causes the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, nullable = false)]
    pub(crate) match_id: Option<MatchId>,
    /// The time at which a ban ends, RFC 3339 in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "date-time")]
    pub(crate) until: Option<String>,
    /// The time after which trying again makes sense, in seconds from now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) retry_after_seconds: Option<u64>,
}

/// A failure on its way to the client. Handlers answer `Result<_, Problem>`.
#[derive(Clone, thiserror::Error)]
#[error("{}", .0.body.code)]
pub struct Problem(Box<Parts>);

#[derive(Clone)]
struct Parts {
    body: ProblemBody,
    cause: Option<Arc<dyn Error + Send + Sync>>,
}

impl Problem {
    /// A problem of this code, whose detail is the code's own explanation until one is given.
    pub(crate) fn new(code: Code) -> Problem {
        let body = ProblemBody {
            kind: format!("/problems/{code}"),
            title: code.title(),
            status: code.status_number(),
            code,
            detail: code.explanation().to_owned(),
            instance: None,
            rule: None,
            reason: None,
            field: None,
            path: None,
            scope: None,
            version: None,
            barrier_version: None,
            match_id: None,
            until: None,
            retry_after_seconds: None,
        };
        Problem(Box::new(Parts { body, cause: None }))
    }

    /// Something that must not happen: the cause is logged, the client learns nothing of it.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Problem {
        Problem::new(Code::Internal).cause(cause)
    }

    /// Says what went wrong this time.
    #[must_use]
    pub(crate) fn detail(mut self, detail: impl Into<String>) -> Problem {
        self.0.body.detail = detail.into();
        self
    }

    /// Names the property or parameter at fault.
    #[must_use]
    pub(crate) fn field(mut self, field: impl Into<String>) -> Problem {
        self.0.body.field = Some(field.into());
        self
    }

    /// Says where in the body the fault is.
    #[must_use]
    pub(crate) fn path(mut self, path: impl Into<String>) -> Problem {
        self.0.body.path = Some(path.into());
        self
    }

    /// Names the scope that the token lacks.
    #[must_use]
    pub(crate) fn scope(mut self, scope: &'static str) -> Problem {
        self.0.body.scope = Some(scope);
        self
    }

    /// Tells the match's present version.
    #[must_use]
    pub(crate) fn version(mut self, version: u64) -> Problem {
        self.0.body.version = Some(version);
        self
    }

    /// Names the reason in a stable word.
    #[must_use]
    pub(crate) fn reason(mut self, reason: &str) -> Problem {
        self.0.body.reason = Some(reason.to_owned());
        self
    }

    /// Tells the step behind which an undo would go back, and why it cannot.
    #[must_use]
    pub(crate) fn barrier(mut self, version: u64, reason: &str) -> Problem {
        self.0.body.barrier_version = Some(version);
        self.reason(reason)
    }

    /// Names the match that causes the refusal.
    #[must_use]
    pub(crate) fn match_id(mut self, id: &MatchId) -> Problem {
        self.0.body.match_id = Some(id.clone());
        self
    }

    /// Says when a ban ends.
    #[must_use]
    pub(crate) fn until(mut self, moment: Timestamp) -> Problem {
        self.0.body.until = Some(moment.rfc3339());
        self
    }

    /// Says when to try again, in the body and as `Retry-After`. Rounded up to whole seconds by the caller.
    #[must_use]
    pub(crate) fn retry_after_seconds(mut self, seconds: u64) -> Problem {
        self.0.body.retry_after_seconds = Some(seconds);
        self
    }

    /// Takes rule, reason, field and sentence from a refusal of the rules.
    #[must_use]
    pub(crate) fn refusal(mut self, refusal: &Refusal) -> Problem {
        self.0.body.rule = Some(refusal.rule.to_owned());
        self.0.body.reason = Some(refusal.code.to_owned());
        self.0.body.field = refusal.field.map(str::to_owned);
        self.detail(refusal.detail.clone())
    }

    /// Remembers what caused the problem, for the log alone.
    #[must_use]
    pub(crate) fn cause(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Problem {
        self.0.cause = Some(Arc::from(cause.into()));
        self
    }

    /// Names the request, for the answer.
    #[must_use]
    pub(crate) fn instance(mut self, request_id: &str) -> Problem {
        self.0.body.instance = Some(request_id.to_owned());
        self
    }

    pub(crate) fn code(&self) -> Code {
        self.0.body.code
    }

    /// Returns the body that the client is shown.
    pub(crate) fn body(&self) -> &ProblemBody {
        &self.0.body
    }

    /// Returns the chain of causes, for the log.
    pub(crate) fn cause_chain(&self) -> Option<String> {
        let cause = self.0.cause.as_deref()?;
        let mut chain = cause.to_string();
        let mut next = cause.source();
        while let Some(source) = next {
            chain.push_str(": ");
            chain.push_str(&source.to_string());
            next = source.source();
        }
        Some(chain)
    }
}

/// The code alone: the rest may repeat what the client sent.
impl fmt::Debug for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Problem").field(&self.code()).finish()
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> actix_web::http::StatusCode {
        self.code().status()
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.code().status());
        response.insert_header((header::CONTENT_TYPE, PROBLEM_JSON));
        if self.code().status_number() == 401 {
            response.insert_header((header::WWW_AUTHENTICATE, challenge(self.code())));
        }
        if self.code() == Code::BodyTooSlow {
            // What may still come of the body is no further request.
            response.force_close();
        }
        if let Some(seconds) = self.0.body.retry_after_seconds {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        // A problem is strings and numbers; writing it cannot fail.
        response.body(serde_json::to_vec(&self.0.body).unwrap_or_default())
    }
}

fn challenge(code: Code) -> &'static str {
    match code {
        Code::TokenInvalid | Code::TokenExpired | Code::TokenRevoked => r#"Bearer error="invalid_token""#,
        _ => "Bearer",
    }
}

impl From<Code> for Problem {
    fn from(code: Code) -> Problem {
        Problem::new(code)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::body::to_bytes;
    use serde_json::{Value, json};

    use super::*;

    async fn answer(problem: Problem) -> (HttpResponse<()>, Value) {
        let (head, body) = problem.error_response().into_parts();
        let bytes = to_bytes(body).await.unwrap();
        (head, serde_json::from_slice(&bytes).unwrap())
    }

    fn header<'a>(head: &'a HttpResponse<()>, name: &str) -> &'a str {
        head.headers().get(name).unwrap().to_str().unwrap()
    }

    #[actix_web::test]
    async fn a_refusal_names_rule_reason_and_field() {
        let refusal = Refusal::new("path_blocked", "CO-07", Some("to"), "a piece is in the way");
        let (head, body) = answer(Problem::new(Code::IllegalMove).refusal(&refusal).instance("r1")).await;
        assert_eq!(head.status(), 422);
        assert_eq!(header(&head, "content-type"), PROBLEM_JSON);
        assert_eq!(
            body,
            json!({"type": "/problems/illegal_move", "title": "Against the rules", "status": 422,
                   "code": "illegal_move", "detail": "a piece is in the way", "instance": "r1", "rule": "CO-07",
                   "reason": "path_blocked", "field": "to"})
        );
    }

    #[actix_web::test]
    async fn a_refused_token_is_challenged() {
        let (head, _) = answer(Problem::new(Code::TokenExpired)).await;
        assert_eq!(header(&head, "www-authenticate"), r#"Bearer error="invalid_token""#);
        let (head, _) = answer(Problem::new(Code::Unauthenticated)).await;
        assert_eq!(header(&head, "www-authenticate"), "Bearer");
    }
}
