//! The span of a request, under which everything it logs stands.

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::{Error, HttpMessage};
use tracing::Span;
use tracing_actix_web::RootSpanBuilder;

use super::request_id::RequestId;

/// The span of a request. Its path is logged without the query, which may hold an invite code or a ticket.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = RequestId::sent(request).or_else(|| {
            let made = request.extensions().get::<tracing_actix_web::RequestId>().map(ToString::to_string);
            made.map(|id| RequestId(id.into()))
        });
        let id = id.unwrap_or_else(|| RequestId("-".into()));
        let path = beginning(request.path(), 200);
        let span = tracing::info_span!("request", id = %id.0, method = %request.method(), path);
        request.extensions_mut().insert(id);
        span
    }

    fn on_request_end<B: MessageBody>(_: Span, _: &Result<ServiceResponse<B>, Error>) {}
}

/// At most `most` characters of a text.
fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(["", "ab", "abc", "a☘c"].map(|text| beginning(text, 2)), ["", "ab", "ab", "a☘"]);
    }
}
