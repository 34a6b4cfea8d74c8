//! Answers that one reader may keep: tagged, asked for again, and often unchanged.
//!
//! Invariant: the tag is made by the caller from what the answer depends on, never from what it hides; the body is
//! written only when it is sent.

use actix_web::http::header::{CACHE_CONTROL, ETAG, VARY};
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

use super::cached::none_match;
use super::json::json;
use super::problem::Problem;

/// Whether the client has what `tag` names: for reads whose answer takes work to make.
pub fn is_unchanged(request: &HttpRequest, tag: &str) -> bool {
    none_match(request, &weak(tag))
}

/// Weak, because compression changes the bytes.
fn weak(tag: &str) -> String {
    format!("W/\"{tag}\"")
}

/// The answer to a read: 304 if the client has what `tag` names, else what `body` makes.
///
/// # Errors
/// Those of `body`.
pub fn answer<T: Serialize>(
    request: &HttpRequest,
    tag: &str,
    body: impl FnOnce() -> Result<T, Problem>,
) -> Result<HttpResponse, Problem> {
    let tag = weak(tag);
    let unchanged = none_match(request, &tag);
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, "private, no-cache")).insert_header((VARY, "Authorization"));
    response.insert_header((ETAG, tag));
    if unchanged { Ok(response.finish()) } else { json(&mut response, &body()?) }
}
