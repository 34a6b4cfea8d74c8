//! The OpenAPI document: what the mounted handlers declare, completed.
//!
//! A handler lists the problem codes of its own in the extension `x-problems`, or has them in [`documented`]; what follows from its declaration
//! (a body, a token, a query) is added here, and all of it becomes responses with an example a code. `x-cached` adds
//! the entity tag and 304, `x-optional-body` says that the body may be left out. The extensions are gone from the finished document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, LicenseBuilder, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder, Server,
};

use super::{documented, lint, mend, record};
use crate::http::answer::codes::Code;
use crate::http::answer::problem::{PROBLEM_JSON, Problem, ProblemBody};
use crate::http::app;
use crate::http::document::examples::{self, Examples};
use crate::http::document::unions::{self, UnionError};

/// What the service is, for the head of the document.
const DESCRIPTION: &str = "A headless game service: tabletop games over HTTP alone. It owns rules, secrets, turns, \
clocks and history; a client draws.\n\n\
**Conventions.** Bodies are JSON; unknown properties and query parameters are refused. Seats are numbered from 0. \
Times are RFC 3339 in UTC, durations have their unit in their name, ids are prefixed strings. Lists answer \
`{\"items\": [], \"next_cursor\": null}`; pass `next_cursor` as `cursor` for more, to events \
as `after`. Reads carry an `ETag` and honour \
`If-None-Match`. Each answer has an `x-request-id`; a sane one that you send is kept.\n\n\
**Failures** are `application/problem+json` (RFC 9457) whatever their origin. Branch on `code`; `/problems` explains \
every code. Any address may also answer `not_found`, `method_not_allowed`, `not_acceptable` or `bad_request`.";

const TAGS: [(&str, &str); 6] = [
    ("games", "The games on offer: seats, options, boards, rulings, glossaries."),
    ("players", "Who plays: guests, tokens, sessions."),
    ("matches", "Matches from creation to the end, and their record."),
    ("play", "Moves and decisions, draws, resignations and claims."),
    ("events", "What happens, as pages, long polls and streams."),
    ("service", "Health, counters, and the explanations of problems."),
];

/// The name of the security scheme of access tokens.
const BEARER: &str = "bearer";
/// The name of the security scheme of stream tickets, and of the query parameter that carries one.
const TICKET: &str = "ticket";

/// Changes that are not counted: a session must be possible to end, whatever has been done with its token.
const UNCOUNTED: [&str; 1] = ["revokeTokens"];

/// Why there is no sound document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The games do not fit together.
    #[error(transparent)]
    Union(#[from] UnionError),
    /// An operation's `x-problems` is missing or no list of codes.
    #[error("{0} does not list its problems in x-problems")]
    Problems(String),
    /// An operation documents by hand what its problem codes bring.
    #[error("{operation} documents status {status} by hand; list the code in x-problems instead")]
    Twice {
        /// The operation.
        operation: String,
        /// The status.
        status: u16,
    },
    /// Something is missing; see [`lint`].
    #[error("the document is incomplete: {0}")]
    Incomplete(String),
    /// The document has no JSON form.
    #[error("the document cannot be written")]
    Json(#[from] serde_json::Error),
}

/// The finished document.
///
/// # Errors
/// If an operation or a union is not documented soundly. A test calls this, so a release always has a document.
pub fn document() -> Result<OpenApi, DocumentError> {
    unions::standard()?;
    let mut document = app::collect();
    document.info = InfoBuilder::new()
        .title("Sarsen")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    document.servers = Some(vec![Server::new("/")]);
    document.tags = Some(
        TAGS.iter()
            .filter(|(name, _)| uses_tag(&document, name))
            .map(|(name, text)| TagBuilder::new().name(*name).description(Some(*text)).build())
            .collect(),
    );
    let mut used = BTreeSet::new();
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations_mut(item) {
            let name = operation.operation_id.clone().unwrap_or_else(|| format!("{method} {path}"));
            complete(&name, method, operation, &mut used)?;
        }
    }
    let components = document.components.get_or_insert_default();
    let mut schemas = vec![("Problem".to_owned(), <ProblemBody as utoipa::PartialSchema>::schema())];
    ProblemBody::schemas(&mut schemas);
    components.schemas.extend(schemas);
    components.examples.extend(used.into_iter().map(|code| (example_name(code), example(code))));
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some("An access token, as a guest gets it at creation."))
        .build();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let ticket = ApiKeyValue::with_description(TICKET, "A stream ticket, once; see `POST /v1/stream-tickets`.");
    components.add_security_scheme(TICKET, SecurityScheme::ApiKey(ApiKey::Query(ticket)));
    mend::mend(&mut document);
    if !record::refer_to_unions(&mut document) {
        return Err(DocumentError::Incomplete("a record's steps have no moves or events".to_owned()));
    }
    let faults = lint::faults(&serde_json::to_value(&document)?);
    if faults.is_empty() { Ok(document) } else { Err(DocumentError::Incomplete(faults.join("; "))) }
}

/// The document as it is committed: pretty JSON with a newline at the end.
///
/// # Errors
/// See [`document`].
pub fn document_text() -> Result<String, DocumentError> {
    Ok(format!("{}\n", serde_json::to_string_pretty(&document()?)?))
}

fn uses_tag(document: &OpenApi, tag: &str) -> bool {
    let mut all = document.paths.paths.values().flat_map(operations);
    all.any(|(_, operation)| operation.tags.iter().flatten().any(|own| own == tag))
}

/// A path's operations with their methods.
pub fn operations(item: &PathItem) -> impl Iterator<Item = (&'static str, &Operation)> {
    [("GET", &item.get), ("POST", &item.post), ("PUT", &item.put), ("PATCH", &item.patch), ("DELETE", &item.delete)]
        .into_iter()
        .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

pub(super) fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("GET", &mut item.get),
        ("POST", &mut item.post),
        ("PUT", &mut item.put),
        ("PATCH", &mut item.patch),
        ("DELETE", &mut item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Turns `x-problems` and `x-cached` into responses.
fn complete(
    name: &str,
    method: &str,
    operation: &mut Operation,
    used: &mut BTreeSet<Code>,
) -> Result<(), DocumentError> {
    let missing = || DocumentError::Problems(name.to_owned());
    let mut extensions = operation.extensions.take().unwrap_or_default();
    let listed = match extensions.remove("x-problems") {
        Some(listed) => serde_json::from_value(listed).map_err(|_| missing())?,
        None => documented::problems(name).ok_or_else(missing)?,
    };
    let cached = extensions.remove("x-cached").is_some();
    if let (Some(_), Some(RefOr::T(body))) = (extensions.remove("x-optional-body"), &mut operation.request_body) {
        body.required = Some(Required::False);
    }
    operation.extensions = Some(extensions).filter(|extensions| !extensions.is_empty());
    add_examples(operation, examples::examples(name));
    deduplicate_parameters(operation);
    let mut codes: BTreeSet<Code> = listed.into_iter().collect();
    codes.extend(implied(name, method, operation));
    if codes.contains(&Code::RateLimited) {
        counted(operation);
    }
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        by_status.entry(code.status_number()).or_default().push(code);
        used.insert(code);
    }
    for (status, codes) in by_status {
        let response = problem_response(status, &codes);
        if operation.responses.responses.insert(status.to_string(), response.into()).is_some() {
            return Err(DocumentError::Twice { operation: name.to_owned(), status });
        }
    }
    if cached {
        cacheable(operation);
    }
    Ok(())
}

/// Puts the examples of `crate::http::document::examples` where the operation has none of its own.
fn add_examples(operation: &mut Operation, examples: Examples) {
    if let (Some(RefOr::T(body)), Some(example)) = (&mut operation.request_body, examples.request)
        && let Some(RefOr::T(content)) = body.content.get_mut("application/json")
    {
        content.example.get_or_insert(example);
    }
    for (kind, example) in examples.answers {
        for (status, response) in &mut operation.responses.responses {
            if let (true, RefOr::T(response)) = (status.starts_with('2'), response)
                && let Some(RefOr::T(content)) = response.content.get_mut(kind)
            {
                content.example.get_or_insert_with(|| example.clone());
            }
        }
    }
}

/// A parameter that is named in `params(..)` and found in the handler's arguments too counts once.
fn deduplicate_parameters(operation: &mut Operation) {
    let mut viewed = Vec::new();
    for parameter in operation.parameters.iter_mut().flat_map(std::mem::take) {
        let known = |other: &RefOr<Parameter>| match (other, &parameter) {
            (RefOr::T(a), RefOr::T(b)) => a.name == b.name && a.parameter_in == b.parameter_in,
            _ => false,
        };
        if !viewed.iter().any(known) {
            viewed.push(parameter);
        }
    }
    operation.parameters = Some(viewed).filter(|parameters| !parameters.is_empty());
}

/// The codes that follow from an operation's declaration.
fn implied(name: &str, method: &str, operation: &Operation) -> Vec<Code> {
    let mut codes = vec![Code::Internal, Code::RequestTimeout, Code::InvalidParameter];
    if operation.request_body.is_some() {
        codes.extend([Code::MalformedJson, Code::InvalidRequest, Code::PayloadTooLarge, Code::UnsupportedMediaType]);
    }
    let (token, anonymous) = security(operation);
    if token {
        codes.extend([Code::TokenInvalid, Code::TokenExpired, Code::TokenRevoked, Code::StoreUnavailable]);
        if !anonymous {
            codes.push(Code::Unauthenticated);
        }
        if method != "GET" && !UNCOUNTED.contains(&name) {
            codes.push(Code::RateLimited);
        }
    }
    codes
}

/// Whether the operation takes a token, and whether it works without.
fn security(operation: &Operation) -> (bool, bool) {
    let rules: Vec<Value> = operation.security.iter().flatten().map(|rule| json!(rule)).collect();
    let empty = |rule: &Value| rule.as_object().is_none_or(serde_json::Map::is_empty);
    (rules.iter().any(|rule| rule.get(BEARER).is_some()), rules.iter().any(empty))
}

fn problem_response(status: u16, codes: &[Code]) -> Response {
    let lines: Vec<String> = codes.iter().map(|code| format!("`{code}`: {}.", code.title())).collect();
    let mut content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
    for &code in codes {
        let example = Ref::new(format!("#/components/examples/{}", example_name(code)));
        content = content.examples_from_iter([(code.name(), RefOr::Ref(example))]);
    }
    let mut response = ResponseBuilder::new().description(lines.join(" ")).content(PROBLEM_JSON, content.build());
    if matches!(status, 429 | 503) {
        response = response.header("Retry-After", integer_header("Seconds until trying again makes sense."));
    }
    if codes.contains(&Code::ClaimTooEarly) {
        let text = "With `claim_too_early`: seconds until the claim is possible.";
        response = response.header("Retry-After", integer_header(text));
    }
    if status == 401 {
        response = response.header("WWW-Authenticate", text_header("What the service takes: `Bearer`."));
    }
    let mut response = response.build();
    if codes.contains(&Code::RateLimited) {
        tell_allowance(&mut response);
    }
    response
}

/// Success of a counted operation tells what is left.
fn counted(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        if let (true, RefOr::T(response)) = (status.starts_with('2'), response) {
            tell_allowance(response);
        }
    }
}

fn tell_allowance(response: &mut Response) {
    let headers = [
        ("RateLimit", "What is left of the caller's allowance, where there is one: `\"<name>\";r=<left>;t=<seconds>`."),
        ("RateLimit-Policy", "The allowance, where there is one: `\"<name>\";q=<most>;w=<seconds>`."),
    ];
    for (name, text) in headers {
        response.headers.insert(name.to_owned(), text_header(text).into());
    }
}

fn text_header(description: &str) -> utoipa::openapi::Header {
    HeaderBuilder::new().schema(Some(Object::with_type(Type::String))).description(Some(description)).build()
}

fn integer_header(description: &str) -> utoipa::openapi::Header {
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).build();
    HeaderBuilder::new().schema(Some(seconds)).description(Some(description)).build()
}

fn cacheable(operation: &mut Operation) {
    if let Some(RefOr::T(ok)) = operation.responses.responses.get_mut("200") {
        let etag = text_header("Changes when the answer does; send it as `If-None-Match`.");
        ok.headers.insert("ETag".to_owned(), etag.into());
    }
    let unchanged = ResponseBuilder::new().description("The client has the present answer.").build();
    operation.responses.responses.insert("304".to_owned(), unchanged.into());
    let parameter = ParameterBuilder::new()
        .name("If-None-Match")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("An `ETag` of an earlier answer: if nothing has changed, the answer is 304."))
        .schema(Some(Object::with_type(Type::String)))
        .build();
    operation.parameters.get_or_insert_default().push(parameter.into());
}

fn example_name(code: Code) -> String {
    format!("{}Problem", unions::pascal(code.name()))
}

fn example(code: Code) -> RefOr<utoipa::openapi::example::Example> {
    let problem = examples::problem(code).unwrap_or_else(|| Problem::new(code));
    let problem = match code {
        Code::StaleDecision | Code::NotYourTurn | Code::MatchOver => problem.version(18),
        Code::InvalidRequest => problem.path("move.to").detail("invalid type: integer `5`, expected a string"),
        Code::RateLimited | Code::StoreUnavailable | Code::RequestTimeout | Code::ClaimTooEarly => {
            problem.retry_after_seconds(2)
        }
        _ => problem,
    };
    let problem = problem.instance("0190163d-8694-739e-a2a3-c9f1e7d1a111");
    ExampleBuilder::new().summary(code.title()).value(Some(json!(problem.body()))).build().into()
}
