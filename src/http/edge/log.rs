//! The span of a request, which contains everything that the request logs.
//!
//! If the log's filter leaves out level `info`, there is no span: the log would show nothing of it, and each piece of
//! work makes and enters a new span.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::web::Bytes;
use tracing::Span;

use sarsen_base::text::beginning;

/// The beginning of a path up to the code of an invite.
const INVITES: &str = "/invites/";

/// The span of a request. Its path is logged without the query, which may hold an invite code or a ticket, and without the
/// code of an invite.
pub(crate) fn request_span(request: &ServiceRequest, id: &str) -> Span {
    tracing::info_span!("request", %id, method = %request.method(), path = beginning(without_code(request), 200))
}

/// The answer, whose body is made under the span too: a stream of events is made while it is sent.
pub(crate) fn answer_within(span: Span, answer: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    if span.is_disabled() || !matches!(answer.response().body().size(), BodySize::Stream) {
        return answer;
    }
    answer.map_body(|_, body| BoxBody::new(Spanned { body, span }))
}

/// A body that is made under a span.
struct Spanned {
    body: BoxBody,
    span: Span,
}

impl MessageBody for Spanned {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let Spanned { body, span } = self.get_mut();
        let _within = span.enter();
        Pin::new(body).poll_next(cx)
    }
}

/// The path as it is matched, up to the code of an invite, if it has one.
fn without_code(request: &ServiceRequest) -> &str {
    request.match_info().as_str().split_inclusive(INVITES).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn the_code_of_an_invite_is_not_logged() {
        let logged = |path: &str| without_code(&TestRequest::with_uri(path).to_srv_request()).to_owned();
        for path in ["/v1/invites/7k2mq9xw4tbz", "/v1/invites/7k2mq9xw4tbz/join", "/v1/invit%65s/7k2mq9xw4tbz"] {
            assert_eq!(logged(path), "/v1/invites/");
        }
        assert_eq!(logged("//v1/invites/7k2mq9xw4tbz"), "//v1/invites/");
        assert_eq!(logged("/v1/matches"), "/v1/matches");
    }
}
