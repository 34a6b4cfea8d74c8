//! `/v1/me/bots`: the caller's bot accounts, players that are programs.

use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::body::JsonBody;
use crate::extract::caller::{Caller, Writer};
use crate::extract::params::{Path, Query};
use crate::players::{ConfirmQuery, PlayerBody, confirmed};
use crate::programs::{MadeProgramToken, ProgramTokenList, ProgramTokenTerms};
use crate::service::Shared;
use sarsen_accounts::auth::ProgramTokenId;
use sarsen_base::ids::PlayerId;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(list_bot_accounts)
        .service(create_bot_account)
        .service(rename_bot_account)
        .service(delete_bot_account)
        .service(list_bot_tokens)
        .service(create_bot_token)
        .service(revoke_bot_token);
}

/// The name of a bot account.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotAccountName {
    /// The name that others see, by the rule of `POST /v1/players`.
    #[schema(min_length = 1, max_length = 400, examples("Robin's engine"))]
    name: String,
}

/// A bot account with its first token, whose secret is shown this once.
#[derive(Serialize, ToSchema)]
pub(crate) struct MadeBotAccount {
    /// The player that the bot is.
    player: PlayerBody,
    /// A token of it with every scope, for `program_token_seconds` of `/v1/limits`.
    credential: MadeProgramToken,
}

/// The bot accounts of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct BotAccountList {
    /// The players that they are, oldest first.
    items: Vec<PlayerBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List my bot accounts
///
/// The players that belong to the caller.
#[utoipa::path(
    operation_id = "listBotAccounts",
    tag = "players",
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "The bot accounts.", body = BotAccountList)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/bots")]
pub(crate) async fn list_bot_accounts(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let bots = service.programs.bots_of(&caller.player).await?;
    let items = bots.into_iter().map(PlayerBody::from).collect();
    Ok(HttpResponse::Ok().json(BotAccountList { items, next_cursor: None }))
}

/// Make a bot account
///
/// A player of kind `bot` that belongs to the caller, with a token for its program. A bot account has no session: its program
/// sends the token with each request. The kind of a player never changes. Matches with `programs: refuse` take no bot
/// accounts. An `Idempotency-Key` is ignored, because the secret is not stored.
#[utoipa::path(
    operation_id = "createBotAccount",
    tag = "players",
    request_body = BotAccountName,
    extensions(("x-problems" = json!([Code::InvalidName, Code::LimitReached]))),
    responses((status = 201, description = "The bot account and its token.", body = MadeBotAccount)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/bots")]
pub(crate) async fn create_bot_account(
    service: Shared,
    request: HttpRequest,
    Writer(caller): Writer,
    JsonBody(body): JsonBody<BotAccountName>,
) -> Result<HttpResponse, Problem> {
    let name = service.wanted_name(&body.name)?;
    allowance::count_guest(&request, &service).await?;
    let (player, token) = service.programs.make_bot(&caller.player, name).await?;
    Ok(HttpResponse::Created().json(MadeBotAccount { player: player.into(), credential: token.into() }))
}

/// Rename a bot account
///
/// The new name counts for seats that the bot takes from then on.
#[utoipa::path(
    operation_id = "renameBotAccount",
    tag = "players",
    params(Path::<PlayerId>),
    request_body = BotAccountName,
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::InvalidName]))),
    responses((status = 200, description = "The bot account.", body = PlayerBody)),
    security(("bearer" = ["account"]))
)]
#[patch("/v1/me/bots/{player_id}")]
pub(crate) async fn rename_bot_account(
    service: Shared,
    Writer(caller): Writer,
    Path(bot): Path<PlayerId>,
    JsonBody(body): JsonBody<BotAccountName>,
) -> Result<HttpResponse, Problem> {
    service.programs.bot_of(&caller.player, &bot).await?;
    let player = service.programs.rename_bot(&caller.player, &bot, &service.wanted_name(&body.name)?).await?;
    Ok(HttpResponse::Ok().json(PlayerBody::from(player)))
}

/// Delete a bot account
///
/// For good, as `DELETE /v1/me` deletes a player.
#[utoipa::path(
    operation_id = "deleteBotAccount",
    tag = "players",
    params(Path::<PlayerId>, ConfirmQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 204, description = "The bot account is being deleted, or has been.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/bots/{player_id}")]
pub(crate) async fn delete_bot_account(
    service: Shared,
    Writer(caller): Writer,
    Path(bot): Path<PlayerId>,
    Query(query): Query<ConfirmQuery>,
) -> Result<HttpResponse, Problem> {
    confirmed(&query.confirm, &bot)?;
    service.programs.any_bot_of(&caller.player, &bot).await?;
    if !service.statuses.is_gone(&bot) {
        service.deletion.leave(&bot).await?;
    }
    service.programs.forget_bot(&caller.player, &bot).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// List a bot account's tokens
///
/// Those that have not expired, without their secrets.
#[utoipa::path(
    operation_id = "listBotTokens",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The tokens.", body = ProgramTokenList)),
    security(("bearer" = ["account"]))
)]
#[get("/v1/me/bots/{player_id}/tokens")]
pub(crate) async fn list_bot_tokens(
    service: Shared,
    Caller(caller): Caller,
    Path(bot): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let bot = service.programs.bot_of(&caller.player, &bot).await?;
    Ok(HttpResponse::Ok().json(ProgramTokenList::from(service.programs.tokens_of(&bot.id).await?)))
}

/// Make a token for a bot account
///
/// As `POST /v1/me/tokens`, for the program of a bot account. An `Idempotency-Key` is ignored, because the secret is not
/// stored.
#[utoipa::path(
    operation_id = "createBotToken",
    tag = "players",
    params(Path::<PlayerId>),
    request_body = ProgramTokenTerms,
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::InvalidName, Code::LimitReached]))),
    responses((status = 201, description = "The token.", body = MadeProgramToken)),
    security(("bearer" = ["account"]))
)]
#[post("/v1/me/bots/{player_id}/tokens")]
pub(crate) async fn create_bot_token(
    service: Shared,
    Writer(caller): Writer,
    Path(bot): Path<PlayerId>,
    JsonBody(body): JsonBody<ProgramTokenTerms>,
) -> Result<HttpResponse, Problem> {
    let bot = service.programs.bot_of(&caller.player, &bot).await?;
    let terms = body.parse(service.players.bounds().program_token_seconds)?;
    let made = service.programs.make(&bot.id, terms).await?;
    Ok(HttpResponse::Created().json(MadeProgramToken::from(made)))
}

/// Revoke a bot account's token
///
/// As `DELETE /v1/me/tokens/{token_id}`.
#[utoipa::path(
    operation_id = "revokeBotToken",
    tag = "players",
    params(Path::<PlayerId>, Path::<ProgramTokenId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::NotFound]))),
    responses((status = 204, description = "The token is revoked, or there was none.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me/bots/{player_id}/tokens/{token_id}")]
pub(crate) async fn revoke_bot_token(
    service: Shared,
    Writer(caller): Writer,
    Path(bot): Path<PlayerId>,
    Path(token): Path<ProgramTokenId>,
) -> Result<HttpResponse, Problem> {
    let bot = service.programs.bot_of(&caller.player, &bot).await?;
    service.programs.revoke(&bot.id, token).await?;
    Ok(HttpResponse::NoContent().finish())
}
