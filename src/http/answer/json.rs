//! JSON answers, written once into room that fits most of them.
//!
//! Growing a buffer from nothing copies an answer of 10 KB seven times.

use actix_web::http::header::ContentType;
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde::Serialize;

use crate::http::answer::problem::Problem;

/// More than most answers need, in bytes.
const ROOM: usize = 16 * 1024;

/// The answer with `value` as its body.
///
/// # Errors
/// If the value has no JSON form.
pub fn json(answer: &mut HttpResponseBuilder, value: &impl Serialize) -> Result<HttpResponse, Problem> {
    let mut bytes = Vec::with_capacity(ROOM);
    serde_json::to_writer(&mut bytes, value).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(answer.content_type(ContentType::json()).body(bytes))
}
