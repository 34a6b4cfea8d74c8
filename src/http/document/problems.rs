//! Problems in the document: a response for each status that an operation's codes have, an example for each code.

use serde_json::{Value, json};
use utoipa::openapi::example::{Example, ExampleBuilder};
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder, Schema};

use super::unions::pascal;
use crate::answer::codes::Code;
use crate::answer::problem::{PROBLEM_JSON, Problem};
use sarsen_base::ambient::Timestamp;

/// The response of this status for problems with one of `codes`.
pub(crate) fn problem_response(status: u16, codes: &[Code]) -> Response {
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
        response = response.header("WWW-Authenticate", text_header("The scheme that the service takes: `Bearer`."));
    }
    let mut response = response.build();
    if codes.contains(&Code::RateLimited) {
        tell_allowance(&mut response);
    }
    response
}

/// Says in the headers what is left of an allowance.
pub(crate) fn tell_allowance(response: &mut Response) {
    let headers = [
        ("RateLimit", "The rest of the caller's allowance, where there is one: `\"<name>\";r=<left>;t=<seconds>`."),
        ("RateLimit-Policy", "The allowance, where there is one: `\"<name>\";q=<most>;w=<seconds>`."),
    ];
    for (name, text) in headers {
        response.headers.insert(name.to_owned(), text_header(text).into());
    }
}

/// A header that holds text.
pub(crate) fn text_header(description: &str) -> Header {
    HeaderBuilder::new().schema(Some(Object::with_type(Type::String))).description(Some(description)).build()
}

fn integer_header(description: &str) -> Header {
    let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).build();
    HeaderBuilder::new().schema(Some(seconds)).description(Some(description)).build()
}

/// Says of each value of the codes' schema what it means.
pub(crate) fn describe_codes(schema: &mut RefOr<Schema>) {
    if let RefOr::T(Schema::Object(codes)) = schema {
        let lines = Code::ALL.iter().map(|code| format!("\n- `{code}`: {}.", code.title()));
        let about = codes.description.take().unwrap_or_default();
        codes.description = Some(format!("{about}\n{}", lines.collect::<String>()));
    }
}

/// The name of a code's example.
pub(crate) fn example_name(code: Code) -> String {
    format!("{}Problem", pascal(code.name()))
}

/// An example of this code: the `typical` body, where there is one.
pub(crate) fn example(code: Code, typical: Option<&Value>) -> RefOr<Example> {
    let body = typical.cloned().unwrap_or_else(|| problem_body(code, Problem::new(code)));
    ExampleBuilder::new().summary(code.title()).value(Some(body)).build().into()
}

/// The body of `problem` with the members that its code brings.
pub(super) fn problem_body(code: Code, problem: Problem) -> Value {
    let problem = match code {
        Code::StaleDecision | Code::StaleVersion | Code::NotYourTurn | Code::MatchOver => problem.version(18),
        Code::InvalidRequest => problem.path("move.to").detail("`move.to` has to be a string"),
        Code::RateLimited
        | Code::TooManyConnections
        | Code::TooManyStreams
        | Code::StoreUnavailable
        | Code::Busy
        | Code::IssuerUnavailable
        | Code::RequestTimeout
        | Code::ClaimTooEarly => problem.retry_after_seconds(2),
        Code::UndoBarrier => problem.version(21).barrier(19, "chance"),
        Code::ScopeMissing => problem.scope("play"),
        Code::Banned => problem.until(Timestamp(1_797_791_400_000)),
        _ => problem,
    };
    json!(problem.instance("0190163d-8694-739e-a2a3-c9f1e7d1a111").body())
}
