//! The id of a request: in the log, in the answer, in every problem.

use std::future::{Ready, ready};
use std::rc::Rc;

use actix_web::dev::{Payload, ServiceRequest};
use actix_web::http::header::HeaderName;
use actix_web::{FromRequest, HttpMessage, HttpRequest};

use crate::http::answer::problem::Problem;

/// The header in which a request's id comes in and goes out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request's id: the client's own if it sent a sane one.
#[derive(Clone, Debug)]
pub struct RequestId(pub Rc<str>);

impl RequestId {
    /// The id that the request carries: 1 to 128 characters that need no quoting in a log, a URL or a header.
    pub fn sent(request: &ServiceRequest) -> Option<RequestId> {
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
