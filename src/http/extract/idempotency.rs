//! Idempotency keys on the wire: the header that carries one, the fingerprint that tells a repetition from another
//! request, and the header that marks an answer given before.
//!
//! Operations that take a key say so by `x-idempotent` in their declaration; the document tells the rest.

use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponseBuilder};
use aws_lc_rs::digest::{Context, SHA256};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use sarsen_matches::idempotency::Idempotency;

const IDEMPOTENCY_KEY: &str = "idempotency-key";
const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The longest key.
const KEY_MAX: usize = 255;
/// How much of the digest tells requests apart, in bytes.
const FINGERPRINT_BYTES: usize = 16;

/// The key of a request, if it has one. `request_parts` are what makes it this request and no other: the operation, unless
/// that is a move, and the body.
///
/// # Errors
/// `idempotency_key_invalid`.
pub(crate) fn idempotency(request: &HttpRequest, request_parts: &[&[u8]]) -> Result<Option<Idempotency>, Problem> {
    let mut given = request.headers().get_all(IDEMPOTENCY_KEY);
    let Some(key) = given.next() else { return Ok(None) };
    let key = key.to_str().ok().filter(|key| (1..=KEY_MAX).contains(&key.len()));
    match (key, given.next()) {
        (Some(key), None) if key.bytes().all(|byte| (0x20..0x7f).contains(&byte)) => {
            Ok(Some(Idempotency { key: key.to_owned(), fingerprint: fingerprint(request_parts) }))
        }
        _ => Err(Code::IdempotencyKeyInvalid.into()),
    }
}

fn fingerprint(parts: &[&[u8]]) -> String {
    let mut digest = Context::new(&SHA256);
    parts.iter().for_each(|part| digest.update(part));
    hex::encode(&digest.finish().as_ref()[..FINGERPRINT_BYTES])
}

/// Marks an answer that was given before.
pub(crate) fn mark_replayed(answer: &mut HttpResponseBuilder, replayed: bool) {
    if replayed {
        answer.insert_header((IDEMPOTENT_REPLAYED, "true"));
    }
}
