//! Players: guests, tokens, and who am I.

use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::devices::label;
use crate::edge::allowance;
use crate::extract::body::{JsonBody, OptionalJsonBody};
use crate::extract::caller::{Caller, Leaver, OpenRead, Writer};
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_accounts::auth::PlayerKind;
use sarsen_accounts::players::{self, RefreshToken, RevokeScope, SignedIn};
use sarsen_base::ids::{PlayerId, SessionId};
use sarsen_matches::model::seated::PlayerTag;
use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(create_player)
        .service(refresh_tokens)
        .service(revoke_tokens)
        .service(get_me)
        .service(change_name)
        .service(delete_me)
        .service(get_player);
}

/// A player.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Player)]
pub(crate) struct PlayerBody {
    /// The player's id, which never changes.
    #[schema(value_type = String, examples("p_0190163d8694739ea2a3c9f1e7d1a222"))]
    id: PlayerId,
    /// The name shown to others; it need not be unique.
    #[schema(examples("Robin"))]
    name: String,
    /// The kind of player, which never changes.
    kind: PlayerKind,
    /// Four digits of the id that tell players of one name apart.
    #[schema(value_type = String, pattern = "^[0-9a-hjkmnp-tv-z]{4}$", examples("h8k4"))]
    tag: PlayerTag,
    /// The time at which the player was created.
    #[schema(format = "date-time")]
    created_at: String,
}

impl From<players::Player> for PlayerBody {
    fn from(player: players::Player) -> PlayerBody {
        PlayerBody {
            name: player.name.as_str().to_owned(),
            kind: player.kind,
            tag: PlayerTag::of(&player.id),
            created_at: player.created_at.rfc3339(),
            id: player.id,
        }
    }
}

/// A player with the tokens of a new or continued session.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedInPlayer {
    /// The player that the tokens stand for.
    player: PlayerBody,
    /// For requests: `Authorization: Bearer <access token>`.
    access_token: String,
    /// The lifetime of the access token, in seconds.
    #[schema(minimum = 1, maximum = 900)]
    access_token_expires_in_seconds: u32,
    /// For the next refresh. Keep it: without a recovery key, another device or a linked identity it is the only way back
    /// to this player.
    refresh_token: String,
    /// The time at which the session ends unless it is refreshed before then.
    #[schema(format = "date-time")]
    session_expires_at: String,
}

impl From<SignedIn> for SignedInPlayer {
    fn from(signed_in: SignedIn) -> SignedInPlayer {
        SignedInPlayer {
            player: signed_in.player.into(),
            access_token: signed_in.access_token.token,
            access_token_expires_in_seconds: signed_in.access_token.expires_in_seconds,
            refresh_token: signed_in.refresh_token.expose(),
            session_expires_at: signed_in.session_expires_at.rfc3339(),
        }
    }
}

/// A guest to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreatePlayer {
    /// The name that others see, which is kept in the normalization form NFKC: 1 to 40 characters after cleaning, as
    /// readers count them (grapheme clusters), with at most 320 code points and 8 marks on each; no control characters, none
    /// that Unicode does not know, and invisible ones only where a script or an emoji needs them. A service may block words.
    #[schema(min_length = 1, max_length = 400, examples("Robin"))]
    name: String,
    /// The name by which the player knows this device in the list of sessions: 1 to 40 characters after cleaning.
    #[schema(min_length = 1, max_length = 400, examples("Phone"))]
    device: Option<String>,
}

/// Create a guest
///
/// Makes a player from nothing but a name, and signs it in. An `Idempotency-Key` is ignored, because the answer holds
/// secrets that are not stored.
#[utoipa::path(
    operation_id = "createPlayer",
    tag = "players",
    request_body = CreatePlayer,
    extensions(("x-problems" = json!([Code::InvalidName, Code::RateLimited, Code::StoreUnavailable]))),
    responses((status = 201, description = "The player and its tokens.", body = SignedInPlayer)),
    security(())
)]
#[post("/v1/players")]
pub(crate) async fn create_player(
    service: Shared,
    request: HttpRequest,
    JsonBody(body): JsonBody<CreatePlayer>,
) -> Result<HttpResponse, Problem> {
    let (name, device) = (service.wanted_name(&body.name)?, label(body.device)?);
    allowance::count_guest(&request, &service).await?;
    let signed_in = service.players.create_guest(name, device).await?;
    Ok(HttpResponse::Created().json(SignedInPlayer::from(signed_in)))
}

/// A refresh token to exchange.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RefreshRequest {
    /// The refresh token of the last sign-in or refresh.
    #[schema(min_length = 1, max_length = 200)]
    refresh_token: String,
}

/// Refresh tokens
///
/// Exchanges a refresh token for a new pair. Each is meant to be used once. For 30 seconds a second use is answered with
/// the same successor, so that two tabs may refresh at once. After that, if the answer was lost, the same token may still
/// be sent again as long as its successor has not been used. Any other second use ends the session, since somebody may hold
/// a copy. So repeating a request is safe without an `Idempotency-Key`, which is ignored.
#[utoipa::path(
    operation_id = "refreshTokens",
    tag = "players",
    request_body = RefreshRequest,
    extensions(("x-problems" = json!([
        Code::RefreshTokenInvalid, Code::RefreshTokenReused, Code::Banned, Code::Conflict, Code::RateLimited,
        Code::StoreUnavailable
    ]))),
    responses((status = 200, description = "The player and its new tokens.", body = SignedInPlayer)),
    security(())
)]
#[post("/v1/tokens/refresh")]
pub(crate) async fn refresh_tokens(
    service: Shared,
    request: HttpRequest,
    JsonBody(body): JsonBody<RefreshRequest>,
) -> Result<HttpResponse, Problem> {
    allowance::count_token_change(&request, &service).await?;
    let token: RefreshToken = body.refresh_token.parse().map_err(|_| Code::RefreshTokenInvalid)?;
    let signed_in = service.players.refresh(&token).await?;
    Ok(HttpResponse::Ok().json(SignedInPlayer::from(signed_in)))
}

/// The sessions to revoke.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevokeRequest {
    /// The sessions that end; this one if left out.
    #[serde(default)]
    #[schema(default = "this_session")]
    scope: RevokedSessions,
}

/// The sessions that end.
///
/// - `this_session`: The session that the access token belongs to.
/// - `all_sessions`: Every session of the player, that one included.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RevokedSessions {
    #[default]
    ThisSession,
    AllSessions,
}

/// Revoke tokens
///
/// Ends the caller's session, or all of the caller's sessions: their tokens are refused everywhere within ten seconds.
/// A guest without a session cannot come back. An `Idempotency-Key` is ignored: after the first time the token is refused.
#[utoipa::path(
    operation_id = "revokeTokens",
    tag = "players",
    request_body = RevokeRequest,
    extensions(("x-problems" = json!([])), ("x-optional-body" = json!(true))),
    responses((status = 204, description = "Revoked.")),
    security(("bearer" = ["account"]))
)]
#[post("/v1/tokens/revoke")]
pub(crate) async fn revoke_tokens(
    service: Shared,
    request: HttpRequest,
    Caller(caller): Caller,
    OptionalJsonBody(body): OptionalJsonBody<RevokeRequest>,
) -> Result<HttpResponse, Problem> {
    allowance::count_token_change(&request, &service).await?;
    let scope = match body.unwrap_or_default().scope {
        RevokedSessions::ThisSession => RevokeScope::ThisSession,
        RevokedSessions::AllSessions => RevokeScope::AllSessions,
    };
    service.players.revoke(&caller, scope).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    /// The player.
    pub(crate) player: PlayerBody,
    /// The session that the access token belongs to; null for a program.
    #[schema(value_type = Option<String>, required, examples("s_0190163d8694739ea2a3c9f1e7d1a333"))]
    pub(crate) session_id: Option<SessionId>,
    /// The id of the program's token; null in a session.
    #[schema(value_type = Option<String>, required, examples("7k2mq9xw"))]
    pub(crate) token_id: Option<String>,
}

/// Read my player and session
///
/// The player to whom the token belongs, and its session or, for a program, its token.
#[utoipa::path(
    operation_id = "getMe",
    tag = "players",
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The caller.", body = Me)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/me")]
pub(crate) async fn get_me(service: Shared, Caller(caller): Caller) -> Result<HttpResponse, Problem> {
    let player = service.known_player(&caller.player).await?;
    let token_id = caller.program.as_ref().map(|program| program.token.to_string());
    let session_id = token_id.is_none().then_some(caller.session);
    Ok(HttpResponse::Ok().json(Me { player: player.into(), session_id, token_id }))
}

/// The changes that the caller makes to their own player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerChange {
    /// The name that others see, by the rules of `POST /v1/players`.
    #[schema(min_length = 1, max_length = 400, examples("Robin"))]
    name: String,
}

/// Change my name
///
/// A name can be changed once in `name_change_seconds` of `/v1/limits`; sooner is 429 `rate_limited`. Matches that the
/// caller makes or joins from then on show the new name; those before keep the old one. A name that an operator has given
/// stays (403 `forbidden`). Sending the present name again changes nothing, so a request can be repeated without an
/// `Idempotency-Key`, which is ignored.
#[utoipa::path(
    operation_id = "changeName",
    tag = "players",
    request_body = PlayerChange,
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::InvalidName, Code::Forbidden]))),
    responses((status = 200, description = "The caller, renamed.", body = PlayerBody)),
    security(("bearer" = ["account"]))
)]
#[patch("/v1/me")]
pub(crate) async fn change_name(
    service: Shared,
    Writer(caller): Writer,
    JsonBody(body): JsonBody<PlayerChange>,
) -> Result<HttpResponse, Problem> {
    let renamed = service.players.rename(&caller.player, service.wanted_name(&body.name)?).await?;
    let player = renamed.ok_or(Code::PlayerNotFound)?;
    Ok(HttpResponse::Ok().json(PlayerBody::from(player)))
}

/// The confirmation of a deletion.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ConfirmQuery {
    /// The caller's own player id, so that nobody is deleted by mistake.
    #[param(pattern = "^p_[0-9a-f]{32}$")]
    pub(crate) confirm: String,
}

/// Refuses a deletion that does not name whom it is of.
///
/// # Errors
/// `invalid_parameter`.
pub(crate) fn confirmed(confirm: &str, id: &PlayerId) -> Result<(), Problem> {
    if confirm == id.as_str() {
        return Ok(());
    }
    Err(Problem::new(Code::InvalidParameter).field("confirm").detail("`confirm` is not the id of the player to delete"))
}

/// Delete me
///
/// For good. All tokens of the caller are refused everywhere within ten seconds. Open matches are left or called off,
/// running ones resigned, and the name is shown as "deleted player" wherever it stood; all that follows within a minute or
/// so. Matches stay, for those who play them too. Repeated with the same token, while that lives, it is answered alike.
#[utoipa::path(
    operation_id = "deleteMe",
    tag = "players",
    params(ConfirmQuery),
    extensions(("x-problems" = json!([]))),
    responses((status = 204, description = "The caller is being deleted, or has been.")),
    security(("bearer" = ["account"]))
)]
#[delete("/v1/me")]
pub(crate) async fn delete_me(
    service: Shared,
    Leaver(caller): Leaver,
    Query(query): Query<ConfirmQuery>,
) -> Result<HttpResponse, Problem> {
    confirmed(&query.confirm, &caller.player)?;
    if !service.statuses.is_gone(&caller.player) {
        service.deletion.leave(&caller.player).await?;
    }
    Ok(HttpResponse::NoContent().finish())
}

/// Read a player
///
/// The name that others see, and when the player was created.
#[utoipa::path(
    operation_id = "getPlayer",
    tag = "players",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::RateLimited, Code::StoreUnavailable]))),
    responses((status = 200, description = "The player.", body = PlayerBody)),
    security(())
)]
#[get("/v1/players/{player_id}")]
pub(crate) async fn get_player(
    service: Shared,
    _: OpenRead,
    Path(id): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let player = service.known_player(&id).await?;
    Ok(HttpResponse::Ok().json(PlayerBody::from(player)))
}
