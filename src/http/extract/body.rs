//! JSON request bodies, read strictly.
//!
//! Invariants: a body is at most as long as the service allows, is declared as `application/json` and not encoded; a
//! property that occurs twice is refused, as is anything after the value; `6.0` is the integer 6. Types carry
//! `deny_unknown_fields`, so unknown properties are refused. A GET never reads a body.

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::extract::strict_json;
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_base::ambient::{Timestamp, received_no_earlier};
use sarsen_rules::reading::{self, Misread};

/// The time that a body may take and still count as received with the head of its request, in milliseconds. A body that
/// takes longer counts as received this long before its end.
const BODY_MILLIS: i64 = 1_000;

/// The longest request body in bytes. Registered as app data; the usual one where it is not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyLimit(pub usize);

/// A JSON body that must be there. Name it in `request_body` too, or the document will not show it.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub T);

/// A JSON body that may be left out: an empty body of any content type is `None`.
#[derive(Debug)]
pub(crate) struct OptionalJsonBody<T>(pub Option<T>);

/// A JSON body that is read only when asked for: for operations that judge the caller before the body.
#[derive(Debug)]
pub(crate) struct RawBody {
    bytes: web::Bytes,
    /// The verdict of the headers: an error if they say that the body cannot be read.
    declared: Result<(), Problem>,
}

impl RawBody {
    /// The body as sent.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads it.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        if self.bytes.is_empty() {
            let detail = "this operation needs a JSON body, and the request has none";
            return Err(Problem::new(Code::MalformedJson).detail(detail));
        }
        self.declared.clone()?;
        decode(&self.bytes)
    }

    /// Reads it if there is one.
    pub(crate) fn decode_if_any<T: DeserializeOwned>(&self) -> Result<Option<T>, Problem> {
        if self.bytes.is_empty() { Ok(None) } else { self.decode().map(Some) }
    }
}

/// The longest body of an operation on many things at once, in bytes: 1 MiB.
pub(crate) const LONG_BODY: usize = 1024 * 1024;

/// A [`RawBody`] of up to [`LONG_BODY`] bytes, even where other bodies have to be shorter.
#[derive(Debug)]
pub(crate) struct LongBody(pub RawBody);

impl FromRequest for LongBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<LongBody, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = raw(request.clone(), payload.take(), usual_limit(request).max(LONG_BODY));
        Box::pin(async move { body.await.map(LongBody) })
    }
}

impl FromRequest for RawBody {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<RawBody, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        Box::pin(raw(request.clone(), payload.take(), usual_limit(request)))
    }
}

async fn raw(request: HttpRequest, payload: Payload, limit: usize) -> Result<RawBody, Problem> {
    let bytes = read(&request, payload, limit).await?.freeze();
    Ok(RawBody { bytes, declared: check_declared(&request) })
}

/// Reads a property of which null is something else than nothing.
pub(crate) fn given_or_null<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Reads a property that may be left out but is never null.
pub(crate) fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Returns the problem of a body that does not fit.
pub(crate) fn misread(fault: &Misread) -> Problem {
    Problem::new(Code::InvalidRequest).path(fault.place()).detail(fault.to_string())
}

impl<T: DeserializeOwned + 'static> FromRequest for JsonBody<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<JsonBody<T>, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = raw(request.clone(), payload.take(), usual_limit(request));
        Box::pin(async move { body.await?.decode().map(JsonBody) })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for OptionalJsonBody<T> {
    type Error = Problem;
    type Future = LocalBoxFuture<'static, Result<OptionalJsonBody<T>, Problem>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = raw(request.clone(), payload.take(), usual_limit(request));
        Box::pin(async move { body.await?.decode_if_any().map(OptionalJsonBody) })
    }
}

fn check_declared(request: &HttpRequest) -> Result<(), Problem> {
    // Answers are compressed where a client takes that; a request is too short to be worth it.
    let encodings = request
        .headers()
        .get_all(header::CONTENT_ENCODING)
        .flat_map(|value| value.as_bytes().split(|&byte| byte == b','));
    if encodings
        .map(<[u8]>::trim_ascii)
        .any(|encoding| !encoding.is_empty() && !encoding.eq_ignore_ascii_case(b"identity"))
    {
        let detail = "request bodies are sent as they are, without a `Content-Encoding`";
        return Err(Problem::new(Code::UnsupportedMediaType).detail(detail));
    }
    let json = match request.mime_type() {
        Ok(Some(mime)) => {
            // RFC 8259 knows no charset but this one, which many clients name without the hyphen.
            let utf8 = mime
                .get_param("charset")
                .is_none_or(|charset| ["utf-8", "utf8"].iter().any(|name| charset.as_str().eq_ignore_ascii_case(name)));
            mime.essence_str() == "application/json" && utf8
        }
        _ => false,
    };
    if json { Ok(()) } else { Err(Code::UnsupportedMediaType.into()) }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(Code::PayloadTooLarge).detail(format!("the body is longer than {limit} bytes"))
}

fn usual_limit(request: &HttpRequest) -> usize {
    request.app_data::<BodyLimit>().map_or(ServerConfig::DEFAULT_BODY_LIMIT, |limit| limit.0)
}

async fn read(request: &HttpRequest, payload: Payload, limit: usize) -> Result<web::BytesMut, Problem> {
    let declared = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if declared.and_then(|length| length.parse::<u64>().ok()).is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let deadline = request.extensions().get::<Deadline>().cloned();
    let body = collect(payload, limit);
    let bytes = match deadline {
        Some(deadline) => deadline.reading(body).await,
        None => body.await,
    }?;
    // Else one could think with the head sent and the body held back, and no clock would run.
    if let Some(service) = request.app_data::<Shared>() {
        received_no_earlier(Timestamp(service.matches.now().0.saturating_sub(BODY_MILLIS)));
    }
    Ok(bytes)
}

async fn collect(mut payload: Payload, limit: usize) -> Result<web::BytesMut, Problem> {
    let mut bytes = web::BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| {
            Problem::new(Code::BadRequest).detail("the request ended before its body did").cause(error.to_string())
        })?;
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

/// Reads a value from JSON, strictly.
///
/// # Errors
/// `malformed_json`, `invalid_request`.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let value = strict_json::parse(bytes).map_err(|wrong| Problem::new(Code::MalformedJson).detail(wrong))?;
    if !value.is_object() {
        return Err(Problem::new(Code::InvalidRequest).path(".").detail("the body is a JSON object"));
    }
    reading::read(&value).map_err(|fault| misread(&fault))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        count: u8,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        inner: Inner,
    }

    async fn extract(kind: &str, body: &str) -> Result<Outer, Problem> {
        let request = TestRequest::post().app_data(BodyLimit(64)).set_payload(body.to_owned());
        let request = if kind.is_empty() { request } else { request.insert_header(("content-type", kind)) };
        let (request, mut payload) = request.to_http_parts();
        JsonBody::from_request(&request, &mut payload).await.map(|JsonBody(value)| value)
    }

    async fn code(kind: &str, body: &str) -> (Code, Option<String>) {
        let problem = extract(kind, body).await.unwrap_err();
        (problem.code(), problem.body().path.clone())
    }

    #[actix_web::test]
    async fn a_fitting_body_is_read_and_integral_floats_are_integers() {
        for kind in [
            "application/json",
            "application/json; charset=UTF-8",
            "application/json;charset=utf8",
            "application/json; charset=\"UTF8\"",
        ] {
            assert_eq!(extract(kind, r#"{"inner":{"count":6.0}}"#).await.unwrap(), Outer { inner: Inner { count: 6 } });
        }
    }

    #[actix_web::test]
    async fn each_fault_has_its_code() {
        let json = "application/json";
        assert_eq!(code(json, "").await, (Code::MalformedJson, None));
        assert_eq!(code(json, "{").await, (Code::MalformedJson, None));
        assert_eq!(code(json, r#"{"inner":{"count":1}}x"#).await, (Code::MalformedJson, None));
        assert_eq!(code("", "{}").await, (Code::UnsupportedMediaType, None));
        assert_eq!(code("text/plain", "{}").await, (Code::UnsupportedMediaType, None));
        assert_eq!(code("application/json; charset=latin1", "{}").await, (Code::UnsupportedMediaType, None));
        assert_eq!(code(json, &" ".repeat(65)).await, (Code::PayloadTooLarge, None));
        assert_eq!(code(json, r#"{"inner":{"count":300}}"#).await, (Code::InvalidRequest, Some("inner.count".into())));
        assert_eq!(code(json, r#"{"inner":{"count":1,"x":1}}"#).await, (Code::InvalidRequest, Some("inner.x".into())));
        assert_eq!(code(json, "[]").await, (Code::InvalidRequest, Some(".".into())));
    }

    #[actix_web::test]
    async fn an_optional_body_may_be_empty_but_not_wrong() {
        let (request, mut payload) = TestRequest::post().to_http_parts();
        let body = OptionalJsonBody::<Outer>::from_request(&request, &mut payload).await.unwrap();
        assert!(body.0.is_none());
        let (request, mut payload) = TestRequest::post().set_payload("{}").to_http_parts();
        let problem = OptionalJsonBody::<Outer>::from_request(&request, &mut payload).await.unwrap_err();
        assert_eq!(problem.code(), Code::UnsupportedMediaType);
    }
}
