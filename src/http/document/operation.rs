//! One operation of the document, completed from its declaration.
//!
//! A handler lists the problem codes of its own in the extension `x-problems`; what follows from the rest of its
//! declaration (a body, a token, a ticket) is added here, and all of it becomes responses with an example a code.
//! `x-cached` adds the entity tag and 304, `x-idempotent` the key that makes a repetition safe, `x-optional-body` says
//! that the body may be left out. These extensions are gone from the finished document;
//! `x-scopes` is added, the scope that a token must have.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use utoipa::openapi::example::ExampleBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Content, RefOr, Required, ResponseBuilder};

use super::examples::OperationExamples;
use super::problems::{problem_response, tell_allowance, text_header};
use crate::answer::codes::Code;
use crate::answer::drawing::SVG;

/// As much of a picture as an example needs.
const SHORTENED_PICTURE: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\">…</svg>";
/// The name of the security scheme of access tokens.
pub(crate) const BEARER: &str = "bearer";
/// The name of the security scheme of operators' tokens.
pub(crate) const OPERATOR: &str = "operator";
/// The name of the security scheme of stream tickets, and of the query parameter that carries one.
pub(crate) const TICKET: &str = "ticket";

/// Turns the extensions into responses, and answers the codes that the operation may have.
pub(crate) fn complete(
    name: &str,
    operation: &mut Operation,
    examples: OperationExamples,
) -> Result<BTreeSet<Code>, String> {
    let mut extensions = operation.extensions.take().unwrap_or_default();
    let listed = extensions.remove("x-problems").and_then(|listed| serde_json::from_value::<Vec<Code>>(listed).ok());
    let listed = listed.ok_or_else(|| format!("{name} does not list its problems in x-problems"))?;
    let cached = extensions.remove("x-cached").is_some();
    let repeatable = extensions.remove("x-idempotent").is_some_and(|once| once == true);
    if let (Some(_), Some(RefOr::T(body))) = (extensions.remove("x-optional-body"), &mut operation.request_body) {
        body.required = Some(Required::False);
    }
    operation.extensions = Some(extensions).filter(|extensions| !extensions.is_empty());
    add_examples(operation, examples);
    deduplicate_parameters(operation);
    let mut codes: BTreeSet<Code> = listed.into_iter().collect();
    if repeatable {
        idempotent(operation);
        codes.extend([Code::IdempotencyKeyInvalid, Code::IdempotencyKeyReused]);
    }
    let security = Security::of(operation);
    codes.extend(implied(operation, &security));
    if codes.contains(&Code::RateLimited) {
        counted(operation);
    }
    if !name_scopes(operation) {
        return Err(format!("{name} names no scope for its tokens"));
    }
    if !security.named() {
        // The list without the empty rule: generators take that for one more token to be asked for.
        operation.security = Some(Vec::new());
    }
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for &code in &codes {
        by_status.entry(code.status_number()).or_default().push(code);
    }
    for (status, codes) in by_status {
        let response = problem_response(status, &codes);
        if operation.responses.responses.insert(status.to_string(), response.into()).is_some() {
            return Err(format!("{name} documents status {status} by hand; list the code in x-problems instead"));
        }
    }
    if cached {
        cacheable(operation);
    }
    Ok(codes)
}

/// Puts the examples of [`super::examples`] where the operation has none of its own.
fn add_examples(operation: &mut Operation, examples: OperationExamples) {
    if let (Some(RefOr::T(body)), Some(example)) = (&mut operation.request_body, examples.request)
        && let Some(RefOr::T(content)) = body.content.get_mut("application/json")
    {
        content.example.get_or_insert(example);
    }
    for (kind, example) in examples.answers {
        for content in answered(operation, &kind) {
            content.example.get_or_insert_with(|| example.clone());
        }
    }
    if let Some(picture) = examples.picture {
        // Generators take an `externalValue` for a file beside the document, and end where there is none.
        let example = ExampleBuilder::new().summary("A board").description(format!("The whole: `GET {picture}`."));
        let example = example.value(Some(json!(SHORTENED_PICTURE))).build();
        for content in answered(operation, SVG) {
            content.examples.insert("board".to_owned(), RefOr::T(example.clone()));
        }
    }
}

/// Returns the contents of the operation's successful responses in a form.
fn answered<'a>(operation: &'a mut Operation, form: &'a str) -> impl Iterator<Item = &'a mut Content> {
    let responses = operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2'));
    responses.filter_map(move |(_, response)| match response {
        RefOr::T(response) => match response.content.get_mut(form)? {
            RefOr::T(content) => Some(content),
            RefOr::Ref(_) => None,
        },
        RefOr::Ref(_) => None,
    })
}

/// A parameter that is named in `params(..)` and found in the handler's arguments too counts once.
fn deduplicate_parameters(operation: &mut Operation) {
    let mut named = Vec::new();
    for parameter in operation.parameters.iter_mut().flat_map(std::mem::take) {
        let known = |other: &RefOr<Parameter>| match (other, &parameter) {
            (RefOr::T(a), RefOr::T(b)) => a.name == b.name && a.parameter_in == b.parameter_in,
            _ => false,
        };
        if !named.iter().any(known) {
            named.push(parameter);
        }
    }
    operation.parameters = Some(named).filter(|parameters| !parameters.is_empty());
}

/// The codes that follow from the rest of an operation's declaration.
fn implied(operation: &Operation, security: &Security) -> Vec<Code> {
    let mut codes = vec![Code::Internal, Code::RequestTimeout, Code::InvalidParameter, Code::TooManyConnections];
    if operation.request_body.is_some() {
        codes.extend([Code::MalformedJson, Code::InvalidRequest, Code::UnsupportedMediaType]);
        codes.extend([Code::PayloadTooLarge, Code::BodyTooSlow]);
    }
    let of_a_match = |parameter: &RefOr<Parameter>| match parameter {
        RefOr::T(parameter) => parameter.parameter_in == ParameterIn::Path && parameter.name == "match_id",
        RefOr::Ref(_) => false,
    };
    if operation.parameters.iter().flatten().any(of_a_match) {
        codes.push(Code::ComponentsMissing);
    }
    if security.token {
        codes.extend([Code::TokenInvalid, Code::TokenExpired, Code::TokenRevoked, Code::StoreUnavailable]);
        codes.extend([Code::RateLimited, Code::Banned, Code::ScopeMissing]);
        if !security.anonymous {
            codes.push(Code::Unauthenticated);
        }
    }
    if security.operator {
        codes.extend([Code::Unauthenticated, Code::TokenInvalid, Code::TokenExpired, Code::TokenRevoked]);
        codes.extend([Code::ScopeMissing, Code::StoreUnavailable]);
    }
    if security.ticket {
        codes.push(Code::TicketInvalid);
    }
    codes
}

/// The security schemes of an operation.
struct Security {
    /// With an access token.
    token: bool,
    /// With an operator's token.
    operator: bool,
    /// With a stream ticket.
    ticket: bool,
    anonymous: bool,
}

impl Security {
    fn of(operation: &Operation) -> Security {
        let rules: Vec<Value> = operation.security.iter().flatten().map(|rule| json!(rule)).collect();
        let takes = |scheme: &str| rules.iter().any(|rule| rule.get(scheme).is_some());
        let empty = |rule: &Value| rule.as_object().is_none_or(serde_json::Map::is_empty);
        Security {
            token: takes(BEARER),
            operator: takes(OPERATOR),
            ticket: takes(TICKET),
            anonymous: rules.iter().any(empty),
        }
    }

    /// Returns true if the operation accepts any credential at all.
    fn named(&self) -> bool {
        self.token || self.operator || self.ticket
    }
}

/// Moves the scopes of the security rules to `x-scopes`: a bearer token has none for OpenAPI. Answers false where a rule for
/// tokens names no scope.
fn name_scopes(operation: &mut Operation) -> bool {
    let mut scopes = json!([]);
    let mut named = true;
    for rule in operation.security.iter_mut().flatten() {
        for scheme in [BEARER, OPERATOR] {
            if let Some(needed) = json!(rule).get_mut(scheme).map(Value::take) {
                named &= needed.as_array().is_some_and(|needed| !needed.is_empty());
                scopes = needed;
                *rule = SecurityRequirement::new(scheme, Vec::<String>::new());
            }
        }
    }
    operation.extensions.get_or_insert_default().insert("x-scopes".to_owned(), scopes);
    named
}

/// Success of a counted operation tells what is left.
fn counted(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        if let (true, RefOr::T(response)) = (status.starts_with('2'), response) {
            tell_allowance(response);
        }
    }
}

/// With a key, repeating the request is safe.
fn idempotent(operation: &mut Operation) {
    let key = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(255))
        .pattern(Some("^[!-~]([ -~]*[!-~])?$"))
        .build();
    let parameter = ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Any text of printable ASCII characters that is unique to this request and its repetitions. With it the \
             request may be repeated: it takes effect once, and the first answer is given again.",
        ))
        .schema(Some(key))
        .build();
    operation.parameters.get_or_insert_default().push(parameter.into());
    let responses = &mut operation.responses.responses;
    let took_effect = if responses.contains_key("201") { "201" } else { "200" };
    if let Some(RefOr::T(response)) = responses.get_mut(took_effect) {
        let replayed = text_header("`true` where the request had taken effect before, under the same key.");
        response.headers.insert("Idempotent-Replayed".to_owned(), replayed.into());
    }
}

fn cacheable(operation: &mut Operation) {
    if let Some(RefOr::T(ok)) = operation.responses.responses.get_mut("200") {
        let etag = text_header("Changes when the answer does; send it as `If-None-Match`.");
        ok.headers.insert("ETag".to_owned(), etag.into());
    }
    let unchanged = ResponseBuilder::new().description("The client already has the current answer.").build();
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
