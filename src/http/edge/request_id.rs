//! The id of a request: in the log, in the answer, in every problem.
//!
//! Invariant: an id that is made here is random throughout. A counter, even one behind a random prefix, would tell a client
//! how many requests others have made between two of its own.

use actix_web::dev::ServiceRequest;
use actix_web::http::header::HeaderName;

use sarsen_base::ambient::nonce;

/// The header in which a request's id comes in and goes out.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id that the request carries, or one like no other.
pub(crate) fn request_id(request: &ServiceRequest) -> String {
    sent(request).unwrap_or_else(|| uuid::Builder::from_random_bytes(nonce()).into_uuid().to_string())
}

/// The id that the request carries: 1 to 128 characters that need no quoting in a log, a URL or a header.
fn sent(request: &ServiceRequest) -> Option<String> {
    let text = request.headers().get(REQUEST_ID)?.to_str().ok()?;
    let sane = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:@=+/".contains(&byte);
    ((1..=128).contains(&text.len()) && text.bytes().all(sane)).then(|| text.to_owned())
}
