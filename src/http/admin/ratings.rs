//! Ratings as operators correct them.

use actix_web::{HttpResponse, post};

use super::reason::OperatorReason;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Moderate};
use crate::extract::params::Path;
use crate::service::Shared;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_service::admin::Call;

/// Annul a rated match
///
/// It counts for nobody any more: the ratings of its category are computed again without it, within moments. The match itself
/// stays as it is, and need not be there any more. Annulling it again does no harm, so an `Idempotency-Key` is not needed.
#[utoipa::path(
    operation_id = "annulMatch",
    tag = "admin",
    params(Path::<MatchId>),
    request_body = OperatorReason,
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 204, description = "It is annulled.")),
    security(("operator" = ["admin:moderate"]))
)]
#[post("/v1/admin/matches/{match_id}/annul")]
pub(crate) async fn annul_match(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<MatchId>,
    JsonBody(body): JsonBody<OperatorReason>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("annulMatch").on(&id).because(body.read()?);
    let audited = service.admin.audit.record(&operator, call).await?;
    let annulled = service.admin.annul_match(&audited, &id).await?;
    annulled.map_err(|refused| Problem::new(Code::NotFound).detail(refused.to_string()))?;
    Ok(HttpResponse::NoContent().finish())
}

/// Reset a player's ratings
///
/// Deletes the player's ratings in every category, and with them the places on the boards. What others won or lost
/// against the player stays. Asking again does no harm, so an `Idempotency-Key` is not needed.
#[utoipa::path(
    operation_id = "unrankPlayer",
    tag = "admin",
    params(Path::<PlayerId>),
    request_body = OperatorReason,
    extensions(("x-problems" = json!([Code::PlayerNotFound]))),
    responses((status = 204, description = "The player has no rating.")),
    security(("operator" = ["admin:moderate"]))
)]
#[post("/v1/admin/players/{player_id}/unrank")]
pub(crate) async fn unrank_player(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<PlayerId>,
    JsonBody(body): JsonBody<OperatorReason>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("unrankPlayer").on(&id).because(body.read()?);
    let audited = service.admin.audit.record(&operator, call).await?;
    service.admin.unrank(&audited, &id).await?;
    Ok(HttpResponse::NoContent().finish())
}
