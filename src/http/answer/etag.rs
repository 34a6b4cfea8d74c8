//! Answers that a client may keep: tagged, asked for again, and often unchanged.
//!
//! Two kinds: [`CachedAnswer`] is the same for everybody and written once, its tag made from its bytes, so that equal
//! bytes have equal tags on every instance. [`answer_for`] is for one reader: its tag is made by the caller from what the
//! answer depends on, never from what it hides, and its body is written only when it is sent. Tags are weak, because
//! compression changes the bytes.

use std::sync::Arc;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ContentEncoding, ETAG, HeaderValue, IF_NONE_MATCH, VARY,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use aws_lc_rs::digest;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;

use crate::answer::json::json;
use crate::answer::packed::{Packed, coding};
use crate::answer::problem::Problem;

/// The lifetime in caches of an answer that changes only with a release, in seconds.
const MAX_AGE: &str = "public, max-age=300";

/// An answer made once.
#[derive(Clone, Debug)]
pub(crate) struct CachedAnswer {
    content_type: HeaderValue,
    packed: Arc<Packed>,
    etag: String,
}

impl CachedAnswer {
    /// Writes `value` once.
    pub(crate) fn json(value: &impl Serialize) -> Result<CachedAnswer, serde_json::Error> {
        let content_type = HeaderValue::from_static("application/json");
        Ok(CachedAnswer::of(content_type, Bytes::from(serde_json::to_vec(value)?)))
    }

    /// A text in Markdown.
    pub(crate) fn markdown(text: &'static str) -> CachedAnswer {
        let content_type = HeaderValue::from_static("text/markdown; charset=utf-8");
        CachedAnswer::of(content_type, Bytes::from_static(text.as_bytes()))
    }

    /// A file of this type; `None` if no header can name it.
    pub(crate) fn file(content_type: &str, bytes: Vec<u8>) -> Option<CachedAnswer> {
        Some(CachedAnswer::of(HeaderValue::from_str(content_type).ok()?, bytes.into()))
    }

    fn of(content_type: HeaderValue, bytes: Bytes) -> CachedAnswer {
        let etag = etag_of(&bytes);
        CachedAnswer { content_type, packed: Packed::new(bytes), etag }
    }

    /// The answer to `request`: the bytes, or 304 if the client has them.
    pub(crate) fn respond(&self, request: &HttpRequest) -> HttpResponse {
        let unchanged = none_match(request, &self.etag);
        let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response.insert_header((ETAG, self.etag.as_str())).insert_header((CACHE_CONTROL, MAX_AGE));
        // What is compressed already, as pictures are, has one form.
        let is_packed = !self.content_type.as_bytes().starts_with(b"image/");
        let coding = if is_packed { coding(request) } else { ContentEncoding::Identity };
        let bytes = if unchanged { Some(Bytes::new()) } else { self.packed.get(coding) };
        if is_packed && bytes.is_some() {
            response.insert_header((VARY, "accept-encoding"));
        }
        if unchanged {
            return response.finish();
        }
        response.insert_header((CONTENT_TYPE, self.content_type.clone()));
        match bytes {
            Some(bytes) if coding == ContentEncoding::Identity => response.body(bytes),
            Some(bytes) => response.insert_header((CONTENT_ENCODING, coding)).body(bytes),
            // The compressing layer does it this time, and says so.
            None => response.body(self.packed.plain().clone()),
        }
    }

    /// The opaque part of the entity tag.
    pub(crate) fn tag(&self) -> &str {
        self.etag.trim_start_matches("W/").trim_matches('"')
    }

    /// The answer's bytes.
    pub(crate) fn bytes(&self) -> &Bytes {
        self.packed.plain()
    }
}

/// Returns true if the request has an `If-None-Match`: for reads whose tag alone takes work.
pub(crate) fn is_conditional(request: &HttpRequest) -> bool {
    request.headers().contains_key(IF_NONE_MATCH)
}

/// Returns true if the client has the answer that `tag` names: for reads whose answer takes work.
pub(crate) fn is_unchanged(request: &HttpRequest, tag: &str) -> bool {
    none_match(request, &weak(tag))
}

/// The cache lifetime of an answer, and for whom it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lasting {
    /// It can: the client asks each time whether it has.
    No,
    /// It cannot, but for the names that are shown: the client need not ask for some time.
    ButForNames,
    /// It changes only with a release, and is the same for everybody.
    UntilRelease,
}

impl Lasting {
    /// The `Cache-Control` of the answer.
    const fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Lasting::No => "private, no-cache",
            // For so long somebody may still see a name that has been changed.
            Lasting::ButForNames => "private, max-age=600, immutable",
            Lasting::UntilRelease => MAX_AGE,
        })
    }
}

/// The answer to a read: 304 if the client has what `tag` names, else what `body` makes. `lasting` is for the client's own
/// cache.
pub(crate) fn answer_for(
    request: &HttpRequest,
    tag: &str,
    lasting: Lasting,
    body: impl FnOnce() -> Result<Vec<u8>, Problem>,
) -> Result<HttpResponse, Problem> {
    tagged(request, tag, lasting, |response| Ok(json(response, body()?)))
}

/// The same for an answer that is no JSON, which `write` writes.
pub(crate) fn tagged(
    request: &HttpRequest,
    tag: &str,
    lasting: Lasting,
    write: impl FnOnce(&mut HttpResponseBuilder) -> Result<HttpResponse, Problem>,
) -> Result<HttpResponse, Problem> {
    let (unchanged, mut response) = begun(request, tag, lasting);
    if unchanged { Ok(response.finish()) } else { write(&mut response) }
}

/// The answer to a read whose body is there already, for one reader: 304 if the client has it. Its tag is made from its
/// bytes.
pub(crate) fn answer_with(request: &HttpRequest, body: Vec<u8>) -> HttpResponse {
    let (unchanged, mut response) = begun(request, &digest_of(&body), Lasting::No);
    if unchanged { response.finish() } else { json(&mut response, body) }
}

/// The head of an answer, and whether the client has the body.
fn begun(request: &HttpRequest, tag: &str, lasting: Lasting) -> (bool, HttpResponseBuilder) {
    let tag = weak(tag);
    let unchanged = none_match(request, &tag);
    let mut response = if unchanged { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((CACHE_CONTROL, lasting.cache_control())).insert_header((ETAG, tag));
    if lasting != Lasting::UntilRelease {
        response.insert_header((VARY, HeaderValue::from_static("Authorization")));
    }
    (unchanged, response)
}

fn weak(tag: &str) -> String {
    ["W/\"", tag, "\""].concat()
}

fn etag_of(bytes: &[u8]) -> String {
    weak(&digest_of(bytes))
}

/// A digest of the bytes for an entity tag, which does not reveal them.
pub fn digest_of(bytes: &[u8]) -> String {
    let hash = digest::digest(&digest::SHA256, bytes);
    BASE64_URL_SAFE_NO_PAD.encode(&hash.as_ref()[..12])
}

/// Suffixes that compressing proxies append to an entity tag: Apache, Jetty, Caddy.
const CODING_SUFFIXES: [&str; 6] = ["--gzip", "-gzip", ";gzip", "-br", "-zstd", "-deflate"];

/// Returns true if the request's `If-None-Match` names `etag` (weak comparison, as RFC 9110 requires for reads), as it was
/// sent or as a proxy that compresses has changed it.
fn none_match(request: &HttpRequest, etag: &str) -> bool {
    fn bare(tag: &str) -> &str {
        tag.trim().trim_start_matches("W/").trim_matches('"')
    }
    fn is_coded(tag: &str, own: &str) -> bool {
        tag.strip_prefix(own).is_some_and(|suffix| CODING_SUFFIXES.contains(&suffix))
    }
    let own = bare(etag);
    request
        .headers()
        .get_all(IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .any(|tag| tag.trim() == "*" || bare(tag) == own || is_coded(bare(tag), own))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_known_tag_is_answered_without_a_body() {
        let answer = CachedAnswer::json(&[1, 2]).unwrap();
        let plain = answer.respond(&TestRequest::default().to_http_request());
        let etag = plain.headers().get("etag").unwrap().to_str().unwrap().to_owned();
        assert_eq!(plain.status(), 200);
        let strong = etag.trim_start_matches("W/").to_owned();
        for tags in [etag.clone(), strong, format!("\"x\", {etag}"), "*".to_owned()] {
            let request = TestRequest::default().insert_header(("if-none-match", tags)).to_http_request();
            assert_eq!(answer.respond(&request).status(), 304);
        }
        // A proxy that compresses changes the tag.
        for suffix in ["-gzip", "--gzip", ";gzip", "-br", "-zstd"] {
            let tag = format!("{}{suffix}\"", etag.trim_end_matches('"'));
            let request = TestRequest::default().insert_header(("if-none-match", tag)).to_http_request();
            assert_eq!(answer.respond(&request).status(), 304, "{suffix}");
        }
        let longer = format!("{}-other\"", etag.trim_end_matches('"'));
        for tag in ["\"x\"", "\"-gzip\"", longer.as_str()] {
            let other = TestRequest::default().insert_header(("if-none-match", tag)).to_http_request();
            assert_eq!(answer.respond(&other).status(), 200, "{tag}");
        }
    }

    #[test]
    fn different_bytes_have_different_tags() {
        assert_ne!(etag_of(b"a"), etag_of(b"b"));
        assert_eq!(etag_of(b"a"), etag_of(b"a"));
    }
}
