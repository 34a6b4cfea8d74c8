//! The OpenAPI document: what the mounted handlers declare, completed, with the shapes of the games on offer.

use std::collections::BTreeSet;

use utoipa::ToSchema;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ContactBuilder, ExternalDocs, InfoBuilder, LicenseBuilder, OpenApi, RefOr, Schema, ServerBuilder,
};

use super::examples::Examples;
use super::game_unions::GameUnions;
use super::operation::{BEARER, OPERATOR, TICKET, complete};
use super::paths::{operations, operations_mut};
use super::{game_types, mend, open, problems, record, routes, share};
use crate::answer::problem::ProblemBody;
use crate::events::query::Include;
use crate::matches::brief::MatchFields;
use crate::matches::list::MatchOrder;
use crate::matches::read::HistoryView;
use crate::matches::types::LegalMovesForm;
use sarsen_games::Games;
use sarsen_games::pictures::{DrawnPart, Layout, Theme};

/// The description of the service. Generators write it at the head of every file: it is one sentence.
const DESCRIPTION: &str = "A headless game service: it owns rules, secrets, turns, clocks and history; a client draws.";

/// The conventions of all operations, and what may change within `/v1`.
const CONVENTIONS: &str = "Health, counters, and the explanations of problems. Beside the operations of this \
document, `POST /mcp` serves the games as tools of the Model Context Protocol, for agents on language models; its \
contract is \
that protocol's. Conventions of all operations:\n\n\
Bodies are JSON; unknown properties and query parameters of requests are refused. Seats are numbered from 0. \
Times are RFC 3339 in UTC with three fractional digits, durations have their unit in their name, ids are prefixed \
strings. Lists answer \
`{\"items\": [], \"next_cursor\": null}`; pass `next_cursor` as `cursor` for more, to events \
as `after`. Reads carry an `ETag` and honour \
`If-None-Match`. A `DELETE` that is repeated is answered like the first, and so is a repeated `PUT`. Each answer \
has an `x-server-time` (RFC 3339 with milliseconds) and an `x-request-id`; a well-formed one that you send is \
kept.\n\n\
**Failures** are `application/problem+json` (RFC 9457) whatever their origin. Branch on `code`; `/problems` explains \
every code. Any address may also answer `not_found`, `method_not_allowed`, `not_acceptable` or `bad_request`.\n\n\
**Later releases.** Ignore what you do not know: within `/v1` there may come operations, optional parameters, \
properties of answers, types of events, moves and views, games, and values of texts that list what is known in \
`x-extensible-enum` (problem codes, endings, reasons). Nothing else changes without a new version: no name, no \
type and no meaning goes away or becomes \
another, nothing optional becomes required, and enumerations keep their values. What is to go is marked \
`deprecated` here and answered with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) for six months at \
least; a `/v2` would be served beside `/v1` for as long. Before release 1.0 a minor version may still change more: \
`openapi/CHANGELOG.md` in the source says what, by `info.version`.";

const TAGS: [(&str, &str); 11] = [
    ("games", "The games on offer: seats, options, boards, rulings, glossaries."),
    ("players", "Players: guests, tokens, sessions."),
    ("matches", "Matches from creation to the end, and their record."),
    ("pools", "Playing now: tickets that the service pairs."),
    ("play", "Moves and decisions, draws, resignations and claims."),
    ("events", "Events, as pages, long polls and streams."),
    ("sandbox", "Positions that travel with the client: for training and testing bots against the rules, at speed."),
    (
        "notifications",
        "Webhooks and Web Push: who is told of a turn, an invitation or an end without following the match.",
    ),
    ("ratings", "Ratings of players, and the boards that show them in order."),
    ("admin", "For operators: players, matches, the audit. These operations need tokens of their own."),
    ("service", CONVENTIONS),
];

/// A fault of the document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The games do not fit together, or an operation does not declare itself soundly.
    #[error("{0}")]
    Unsound(String),
    /// The document has no JSON form.
    #[error("the document cannot be written")]
    Json(#[from] serde_json::Error),
}

/// The document of a service that offers `games`.
///
/// # Errors
/// The first fault. Tests call this, so the document of a release has none.
pub fn document(games: &Games) -> Result<OpenApi, DocumentError> {
    let (document, faults) = build(games);
    faults.into_iter().next().map_or(Ok(document), |fault| Err(DocumentError::Unsound(fault)))
}

/// The same for a service that starts: it logs faults and serves the document as it is.
pub(crate) fn served_document(games: &Games) -> OpenApi {
    let (document, faults) = build(games);
    for fault in faults {
        tracing::error!(error = fault, "the OpenAPI document has a fault");
    }
    document
}

/// The document and its faults.
fn build(games: &Games) -> (OpenApi, Vec<String>) {
    let mut faults = Vec::new();
    let mut document = routes::collect();
    document.info = InfoBuilder::new()
        .title("Sarsen")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        // The program does not know who runs the service.
        .contact(Some(ContactBuilder::new().name(Some("The operator of this service")).build()))
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").identifier(Some("MIT OR Apache-2.0")).build()))
        .build();
    let here = ServerBuilder::new().url("/").description(Some("The service that this document comes from."));
    document.servers = Some(vec![here.build()]);
    document.tags = Some(
        TAGS.iter()
            .filter(|(name, _)| uses_tag(&document, name))
            .map(|(name, text)| TagBuilder::new().name(*name).description(Some(*text)).build())
            .collect(),
    );
    let mut about = ExternalDocs::new("/problems");
    about.description = Some("Every problem code, explained. The tag `service` has the conventions.".to_owned());
    document.external_docs = Some(about);
    let examples = Examples::of(games);
    let mut used = BTreeSet::new();
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations_mut(item) {
            let name = operation.operation_id.clone().unwrap_or_else(|| format!("{method} {path}"));
            match complete(&name, operation, examples.of_operation(&name)) {
                Ok(codes) => used.extend(codes),
                Err(fault) => faults.push(fault),
            }
        }
    }
    let components = document.components.get_or_insert_default();
    let unions = GameUnions::of(games).and_then(|unions| unions.fill(components));
    faults.extend(unions.err());
    let mut schemas = vec![("Problem".to_owned(), <ProblemBody as utoipa::PartialSchema>::schema())];
    ProblemBody::schemas(&mut schemas);
    // Utoipa refers to the schemas in queries but does not collect them.
    schemas.extend([named::<LegalMovesForm>(), named::<HistoryView>(), named::<Include>()]);
    schemas.extend([named::<MatchFields>(), named::<MatchOrder>()]);
    schemas.extend([named::<Theme>(), named::<Layout>(), named::<DrawnPart>()]);
    components.schemas.extend(schemas);
    components.schemas.get_mut("ProblemCode").into_iter().for_each(problems::describe_codes);
    let of_code = |code| (problems::example_name(code), problems::example(code, examples.problem(code)));
    components.examples.extend(used.into_iter().map(of_code));
    let bearer = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some(
            "An access token, such as a guest gets on creation, or the token of a program (`POST /v1/me/tokens`), which has \
             to have the scope that the operation names in `x-scopes`: `read`, `play`, `create` or `notify`. The scope \
             `account` is for access tokens alone.",
        ))
        .build();
    components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
    let operator = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .bearer_format("JWT")
        .description(Some(
            "An operator's token with the scope that the operation names in `x-scopes`: `admin:read`, `admin:moderate` or \
             `admin:operate`. `sarsen admin token` makes it. It stands for no player: elsewhere it is `token_invalid`.",
        ))
        .build();
    components.add_security_scheme(OPERATOR, SecurityScheme::Http(operator));
    let ticket =
        ApiKeyValue::with_description(TICKET, "A stream ticket, which works once; see `POST /v1/stream-tickets`.");
    components.add_security_scheme(TICKET, SecurityScheme::ApiKey(ApiKey::Query(ticket)));
    mend::mend(&mut document);
    if record::refer_to_unions(&mut document).is_none() {
        faults.push("a record's steps have no moves or events".to_owned());
    }
    open::open(&mut document);
    faults.extend(game_types::add(&mut document, games).err());
    share::share(&mut document);
    (document, faults)
}

/// The document as it is committed: pretty JSON with a newline at the end.
///
/// # Errors
/// See [`document`].
pub fn document_text(games: &Games) -> Result<String, DocumentError> {
    Ok(format!("{}\n", serde_json::to_string_pretty(&document(games)?)?))
}

fn named<T: ToSchema>() -> (String, RefOr<Schema>) {
    (T::name().into_owned(), T::schema())
}

fn uses_tag(document: &OpenApi, tag: &str) -> bool {
    let mut all = document.paths.paths.values().flat_map(operations);
    all.any(|(_, operation)| operation.tags.iter().flatten().any(|own| own == tag))
}
