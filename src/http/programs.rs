//! `/v1/me/tokens`: the tokens with which programs speak for the caller.

use actix_web::{HttpResponse, delete, get, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::body::{JsonBody, given};
use crate::extract::caller::{Caller, Writer};
use crate::extract::params::{Path, Within};
use crate::service::Shared;
use sarsen_accounts::auth::{ProgramScope, ProgramTokenId};
use sarsen_accounts::players::{NameError, PlayerName};
use sarsen_accounts::programs::{MadeToken, ProgramTokenFacts, TokenTerms};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(list_program_tokens).service(create_program_token).service(revoke_program_token);
}

/// The life of a token, in seconds: up to a year.
type TokenSeconds = Within<1, 31_536_000>;

/// The life of a token unless something else is asked for, in seconds: 90 days.
const NINETY_DAYS: u32 = 7_776_000;

/// A token to make for a program.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProgramTokenTerms {
    /// The name by which you know it, of 1 to 40 characters by the rule of `POST /v1/players`. Nobody else sees it.
    #[schema(min_length = 1, max_length = 400, examples("opening trainer"))]
    name: String,
    /// The scopes of the token; an operation names the one that it needs in `x-scopes`.
    #[schema(min_items = 1)]
    scopes: Vec<ProgramScope>,
    /// The life of the token, in seconds: at most `program_token_seconds` of `GET /v1/limits`, which is also the default if it
    /// is less than 90 days.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = u32, required = false, minimum = 1, maximum = 31536000, default = 7776000)]
    expires_in_seconds: Option<TokenSeconds>,
}

impl ProgramTokenTerms {
    /// Returns the terms, if they can be; `most` is the longest life that this service gives.
    ///
    /// # Errors
    /// `invalid_name`, `invalid_request`.
    pub(crate) fn parse(self, most: u32) -> Result<TokenTerms, Problem> {
        let name = named(&self.name)?.into_string();
        if self.scopes.is_empty() {
            return Err(Problem::new(Code::InvalidRequest).path("scopes").detail("a token needs a scope"));
        }
        let seconds = Within::at_most(self.expires_in_seconds, NINETY_DAYS, most, "expires_in_seconds")?;
        Ok(TokenTerms { name, scopes: self.scopes, expires_in_seconds: seconds })
    }
}

/// Reads a name.
///
/// # Errors
/// `invalid_name`.
pub(crate) fn named(text: &str) -> Result<PlayerName, Problem> {
    text.parse().map_err(|error: NameError| Problem::new(Code::InvalidName).field("name").detail(error.to_string()))
}

/// A token of a program, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProgramToken)]
pub(crate) struct ProgramTokenBody {
    /// Its id, which is no secret: the eight characters behind `sarsen_pat_`.
    #[schema(examples("7k2mq9xw"))]
    id: String,
    /// The name by which its owner knows it.
    name: String,
    /// Its scopes.
    scopes: Vec<ProgramScope>,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
    /// The time from which on it is refused.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Moment,
    /// The time of its last use, to five minutes; null if it was never used.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    last_used_at: Option<Moment>,
}

impl From<ProgramTokenFacts> for ProgramTokenBody {
    fn from(facts: ProgramTokenFacts) -> ProgramTokenBody {
        ProgramTokenBody {
            id: facts.id.to_string(),
            name: facts.name,
            scopes: facts.scopes,
            created_at: Moment(facts.created_at),
            expires_at: Moment(facts.expires_at),
            last_used_at: facts.used_at.map(Moment),
        }
    }
}

/// A token of a program with its secret, which is shown this once.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeProgramToken {
    /// The text that the program sends: `Authorization: Bearer <secret>`.
    #[schema(examples("sarsen_pat_7k2mq9xw_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"))]
    secret: String,
    /// The token.
    token: ProgramTokenBody,
}

impl From<MadeToken> for MadeProgramToken {
    fn from(made: MadeToken) -> MadeProgramToken {
        MadeProgramToken { secret: made.token.expose(), token: made.facts.into() }
    }
}

/// The tokens of the caller's programs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProgramTokenList {
    /// Those that have not expired, oldest first.
    items: Vec<ProgramTokenBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl From<Vec<ProgramTokenFacts>> for ProgramTokenList {
    fn from(tokens: Vec<ProgramTokenFacts>) -> ProgramTokenList {
        ProgramTokenList { items: tokens.into_iter().map(ProgramTokenBody::from).collect(), next_cursor: None }
    }
}

/// List my programs' tokens
///
/// Those that have not expired, without their secrets.
#[utoipa::path(
    operation_id = "listProgramTokens",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The tokens.", body = ProgramTokenList)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/tokens")]
pub(crate) async fn list_program_tokens(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let tokens = service.programs.tokens_of(&caller.player).await?;
    Ok(HttpResponse::Ok().json(ProgramTokenList::from(tokens)))
}

/// Make a token for a program
///
/// A program sends it in place of an access token, for up to `program_token_seconds` of `/v1/limits`, and refreshes nothing.
/// It acts as the caller, within its scopes: no token makes tokens, sessions or bot accounts. The secret is shown this once.
/// An `Idempotency-Key` is ignored, because the secret is not stored.
#[utoipa::path(
    operation_id = "createProgramToken",
    tag = "players",
    request_body = ProgramTokenTerms,
    extensions(("x-problems" = json!([Code::InvalidName, Code::LimitReached]))),
    responses((status = 201, description = "The token.", body = MadeProgramToken)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/tokens")]
pub(crate) async fn create_program_token(
    service: Shared,
    Writer(caller): Writer,
    JsonBody(body): JsonBody<ProgramTokenTerms>,
) -> Result<HttpResponse, Problem> {
    let terms = body.parse(service.players.bounds().program_token_seconds)?;
    let made = service.programs.make(&caller.player, terms).await?;
    Ok(HttpResponse::Created().json(MadeProgramToken::from(made)))
}

/// Revoke a program's token
///
/// It is refused everywhere within ten seconds, and the streams that it opened end.
#[utoipa::path(
    operation_id = "revokeProgramToken",
    tag = "players",
    params(Path::<ProgramTokenId>),
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 204, description = "The token is revoked, or there was none.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/tokens/{token_id}")]
pub(crate) async fn revoke_program_token(
    service: Shared,
    Writer(caller): Writer,
    Path(token): Path<ProgramTokenId>,
) -> Result<HttpResponse, Problem> {
    service.programs.revoke(&caller.player, token).await?;
    Ok(HttpResponse::NoContent().finish())
}
