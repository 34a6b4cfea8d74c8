//! The span of a request, under which everything it logs stands.
//!
//! Where the log's filter leaves out what stands at `info`, there is none: nothing of it would be shown, and a span is made
//! and entered anew for each piece of work.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::web::Bytes;
use tracing::Span;

use super::request_id::RequestId;

/// What stands before the code of an invite in a path.
const INVITES: &str = "/v1/invites/";

/// The span of a request. Its path is logged without the query, which may hold an invite code or a ticket, and without the
/// code of an invite.
pub(crate) fn request_span(request: &ServiceRequest, id: &RequestId) -> Span {
    tracing::info_span!("request", id = %id.0, method = %request.method(), path = beginning(without_code(request.path()), 200))
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

/// The path up to the code of an invite, if it has one.
fn without_code(path: &str) -> &str {
    if path.starts_with(INVITES) { INVITES } else { path }
}

/// At most `most` characters of a text.
fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_of_an_invite_is_not_logged() {
        for path in ["/v1/invites/7k2mq9xw4tbz", "/v1/invites/7k2mq9xw4tbz/join"] {
            assert_eq!(without_code(path), "/v1/invites/");
        }
        assert_eq!(without_code("/v1/matches"), "/v1/matches");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(["", "ab", "abc", "a☘c"].map(|text| beginning(text, 2)), ["", "ab", "ab", "a☘"]);
    }
}
