//! `/v1/admin/players`: players as operators see and steer them.

use actix_web::{HttpResponse, delete, get, patch, put};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::reason::{self, ReasonQuery};
use super::reports::ReportBody;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Moderate, Read};
use crate::extract::params::{IdentityId, Path, Query};
use crate::identities::IdentityBody;
use crate::players::{PlayerBody, confirmed};
use crate::programs::{ProgramTokenBody, named};
use crate::service::Shared;
use sarsen_accounts::auth::{ProgramTokenId, Scope};
use sarsen_accounts::player_status::{Ban, BanFrom};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::PlayerId;
use sarsen_service::admin::{Call, PlayerFile};

/// A ban.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Ban)]
pub(crate) struct BanBody {
    /// The time at which it ends; null if only an operator ends it.
    #[schema(required, format = "date-time")]
    pub(crate) until: Option<String>,
    /// The activity that the ban forbids to the player.
    pub(crate) from: BanFrom,
    /// The reason, in the operator's words; the player is not told.
    pub(crate) reason: String,
}

/// A player as operators see them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerFileBody {
    /// The player, under the name that is shown.
    pub(crate) player: PlayerBody,
    /// Indicates whether the player has left for good.
    pub(crate) deleted: bool,
    /// The ban, which may have ended; null if there is none.
    #[schema(required)]
    pub(crate) ban: Option<BanBody>,
    /// The number of sessions that have not ended.
    #[schema(minimum = 0)]
    pub(crate) sessions: usize,
    /// The accounts at outside issuers that are linked to the player.
    pub(crate) identities: Vec<IdentityBody>,
    /// The tokens of the player's programs, without their secrets.
    pub(crate) tokens: Vec<ProgramTokenBody>,
    /// The player's bot accounts.
    pub(crate) bots: Vec<PlayerBody>,
    /// The person to whom this bot account belongs; null for a person.
    #[schema(value_type = Option<String>, required)]
    pub(crate) owner_id: Option<PlayerId>,
    /// The 20 newest reports of the player; none for an operator without `admin:moderate`.
    pub(crate) reports: Vec<ReportBody>,
}

impl From<PlayerFile> for PlayerFileBody {
    fn from(PlayerFile { player, status, sessions, identities, tokens, bots, reports }: PlayerFile) -> PlayerFileBody {
        let ban = status.ban.map(|ban| BanBody {
            until: ban.until.map(Timestamp::rfc3339),
            from: ban.from,
            reason: ban.reason,
        });
        PlayerFileBody {
            owner_id: player.owner.clone(),
            player: player.into(),
            deleted: status.gone,
            ban,
            sessions,
            identities: identities.into_iter().map(IdentityBody::from).collect(),
            tokens: tokens.into_iter().map(ProgramTokenBody::from).collect(),
            bots: bots.into_iter().map(PlayerBody::from).collect(),
            reports: reports.into_iter().map(ReportBody::from).collect(),
        }
    }
}

fn answer(file: PlayerFile) -> HttpResponse {
    HttpResponse::Ok().json(PlayerFileBody::from(file))
}

/// Read a player as operator
///
/// The player with ban, number of sessions, linked identities, tokens of programs, bot accounts and reports; also one who
/// has left.
#[utoipa::path(
    operation_id = "getPlayerAsOperator",
    tag = "admin",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The player.", body = PlayerFileBody)),
    security(("operator" = ["admin:read"]))
)]
#[get("/v1/admin/players/{player_id}")]
pub(crate) async fn get_player_as_operator(
    service: Shared,
    operator: Admin<Read>,
    Path(id): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let audited = service.admin.audit.record(&operator, Call::of("getPlayerAsOperator").on(&id)).await?;
    let mut file = service.admin.player(&audited, &id).await?;
    if !operator.scopes.include(Scope::Moderate) {
        file.reports.clear();
    }
    Ok(answer(file))
}

/// Another name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RenameRequest {
    /// The name that others see from now on: 1 to 40 characters after cleaning, by the rule of
    /// `POST /v1/players`.
    #[schema(min_length = 1, max_length = 400, examples("Player 7"))]
    name: String,
    /// The reason, for the audit.
    #[schema(min_length = 1, max_length = 500, examples("the name insulted others"))]
    reason: String,
}

/// Rename a player
///
/// The new name is shown wherever the old one was, in matches and records that are over too, on every instance within ten
/// seconds; what shows it has another `ETag`.
#[utoipa::path(
    operation_id = "renamePlayer",
    tag = "admin",
    params(Path::<PlayerId>),
    request_body = RenameRequest,
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::InvalidName]))),
    responses((status = 200, description = "The player, renamed.", body = PlayerFileBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[patch("/v1/admin/players/{player_id}")]
pub(crate) async fn rename_player(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    JsonBody(body): JsonBody<RenameRequest>,
) -> Result<HttpResponse, Problem> {
    let name = named(&body.name)?;
    let call = Call::of("renamePlayer").on(&id).because(reason::in_body(&body.reason)?);
    let audited = service.admin.audit.record(&operator, call).await?;
    Ok(answer(service.admin.rename(&audited, &id, &name).await?))
}

/// A ban to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BanPlayer {
    /// The time at which the ban ends, in the future; null for a ban that only an operator ends.
    #[schema(required, format = "date-time", examples("2026-12-20T18:30:00.000Z"))]
    #[serde(deserialize_with = "Option::deserialize")]
    until: Option<String>,
    /// `play`: no creating, joining, starting and moving. `all`: nothing that takes a token, refreshing included.
    from: BanFrom,
    /// The reason, for the audit and for other operators; the player is not told.
    #[schema(min_length = 1, max_length = 500, examples("abusive at the table"))]
    reason: String,
}

/// Ban a player
///
/// In place of any ban before. The player's requests are answered 403 `banned`, with `until`, on every instance within ten
/// seconds. A player banned from playing may still leave, resign and call off.
#[utoipa::path(
    operation_id = "banPlayer",
    tag = "admin",
    params(Path::<PlayerId>),
    request_body = BanPlayer,
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The player with the ban.", body = PlayerFileBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[put("/v1/admin/players/{player_id}/ban")]
pub(crate) async fn ban_player(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    JsonBody(body): JsonBody<BanPlayer>,
) -> Result<HttpResponse, Problem> {
    let until = body.until.as_deref().map(|text| end_of_ban(text, service.clock.now())).transpose()?;
    let reason = reason::in_body(&body.reason)?;
    let ban = Ban { until, from: body.from, reason: reason.as_str().to_owned() };
    let audited = service.admin.audit.record(&operator, Call::of("banPlayer").on(&id).because(reason)).await?;
    Ok(answer(service.admin.ban(&audited, &id, Some(ban)).await?))
}

fn end_of_ban(text: &str, now: Timestamp) -> Result<Timestamp, Problem> {
    let wrong = |detail: &str| Problem::new(Code::InvalidRequest).path("until").detail(detail);
    let until = Timestamp::from_rfc3339(text).ok_or_else(|| wrong("this is no time of RFC 3339"))?;
    if until > now { Ok(until) } else { Err(wrong("this is not in the future")) }
}

/// Lift a ban
///
/// Does nothing where there is none.
#[utoipa::path(
    operation_id = "unbanPlayer",
    tag = "admin",
    params(Path::<PlayerId>, ReasonQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 200, description = "The player without a ban.", body = PlayerFileBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[delete("/v1/admin/players/{player_id}/ban")]
pub(crate) async fn unban_player(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    Query(query): Query<ReasonQuery>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("unbanPlayer").on(&id).because(query.read()?);
    let audited = service.admin.audit.record(&operator, call).await?;
    Ok(answer(service.admin.ban(&audited, &id, None).await?))
}

/// Unlink an identity of a player
///
/// The account at the outside issuer opens nothing of the player's any more. Sessions that it opened go on. One that is not
/// linked is answered alike.
#[utoipa::path(
    operation_id = "unlinkPlayerIdentity",
    tag = "admin",
    params(Path::<PlayerId>, Path::<IdentityId>, ReasonQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::NotFound]))),
    responses((status = 200, description = "The player without the identity.", body = PlayerFileBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[delete("/v1/admin/players/{player_id}/identities/{identity_id}")]
pub(crate) async fn unlink_player_identity(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    Path(IdentityId(identity)): Path<IdentityId>,
    Query(query): Query<ReasonQuery>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("unlinkPlayerIdentity").on(&id).because(query.read()?);
    let audited = service.admin.audit.record(&operator, call).await?;
    Ok(answer(service.admin.unlink_identity(&audited, &id, &identity).await?))
}

/// The confirmation of the deletion, and its reason.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DeletionQuery {
    /// The player's id once more, so that nobody is deleted by mistake.
    #[param(pattern = "^p_[0-9a-f]{32}$")]
    confirm: String,
    /// The reason, for the audit.
    #[param(min_length = 1, max_length = 500)]
    reason: String,
}

/// Delete a player
///
/// For good. The player's tokens are refused everywhere within ten seconds. Open matches are left or called off, running
/// ones resigned, and the name is shown as "deleted player" wherever it stood; all that follows within a minute or so.
#[utoipa::path(
    operation_id = "deletePlayer",
    tag = "admin",
    params(Path::<PlayerId>, DeletionQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 204, description = "The player is being deleted, or has been.")),
    security(("operator" = ["admin:moderate"]))
)]
#[delete("/v1/admin/players/{player_id}")]
pub(crate) async fn delete_player(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    Query(query): Query<DeletionQuery>,
) -> Result<HttpResponse, Problem> {
    confirmed(&query.confirm, &id)?;
    let call = Call::of("deletePlayer").on(&id).because(reason::in_query(&query.reason)?);
    let audited = service.admin.audit.record(&operator, call).await?;
    service.admin.delete_player(&audited, &id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Revoke a program's token as operator
///
/// The token of a player or a bot account is refused everywhere within ten seconds.
#[utoipa::path(
    operation_id = "revokeProgramTokenAsOperator",
    tag = "admin",
    params(Path::<PlayerId>, Path::<ProgramTokenId>, ReasonQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::NotFound]))),
    responses((status = 204, description = "The token is revoked, or there was none.")),
    security(("operator" = ["admin:moderate"]))
)]
#[delete("/v1/admin/players/{player_id}/tokens/{token_id}")]
pub(crate) async fn revoke_program_token_as_operator(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    Path(token): Path<ProgramTokenId>,
    Query(query): Query<ReasonQuery>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("revokeProgramTokenAsOperator").on(&id).because(query.read()?);
    let audited = service.admin.audit.record(&operator, call).await?;
    service.admin.revoke_program_token(&audited, &id, token).await?;
    Ok(HttpResponse::NoContent().finish())
}
