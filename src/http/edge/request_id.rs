//! The id of a request: in the log, in the answer, in every problem.
//!
//! Invariant: an id that is made here is random throughout. A counter, even one behind a random prefix, would tell a client
//! how many requests others have made between two of its own.

use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header::HeaderName;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::answer::problem::Problem;
use sarsen_base::ambient::nonce;

/// The header in which a request's id comes in and goes out.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request's id: the client's own if it sent a sane one.
#[derive(Clone, Debug)]
pub(crate) struct RequestId(pub Rc<str>);

impl RequestId {
    /// The id that the request carries, or one like no other.
    pub(crate) fn of(request: &ServiceRequest) -> RequestId {
        RequestId::sent(request).unwrap_or_else(|| {
            let made = uuid::Builder::from_random_bytes(nonce()).into_uuid();
            RequestId((&*made.hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer())).into())
        })
    }

    /// The id that the request carries: 1 to 128 characters that need no quoting in a log, a URL or a header.
    fn sent(request: &ServiceRequest) -> Option<RequestId> {
        let text = request.headers().get(REQUEST_ID)?.to_str().ok()?;
        let sane = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:@=+/".contains(&byte);
        ((1..=128).contains(&text.len()) && text.bytes().all(sane)).then(|| RequestId(text.into()))
    }
}

impl FromRequest for RequestId {
    type Error = Problem;
    type Future = Ready<Result<RequestId, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let known = request.extensions().get::<RequestId>().cloned();
        ready(known.ok_or_else(|| Problem::internal("a request has no id")))
    }
}
