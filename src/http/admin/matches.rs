//! `/v1/admin/matches`: matches as operators see and end them.

use actix_web::{HttpResponse, delete, get, post};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::reason;
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Moderate};
use crate::extract::params::{Path, Query};
use crate::matches::body::match_view;
use crate::matches::types::{LegalMovesForm, MatchView};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_matches::Refused;
use sarsen_matches::model::refused::ReadRefused;
use sarsen_service::admin::Call;

/// Read a whole match
///
/// The match with the whole state of its game, hidden cards too, even if the match is private. The seed is shown after
/// the end, as to everybody. The invite code is not shown.
#[utoipa::path(
    operation_id = "getMatchAsOperator",
    tag = "admin",
    params(Path::<MatchId>),
    extensions(("x-problems" = json!([Code::MatchNotFound]))),
    responses((status = 200, description = "The match.", body = MatchView)),
    security(("operator" = ["admin:moderate"]))
)]
#[get("/v1/admin/matches/{match_id}")]
pub(crate) async fn get_match_as_operator(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let audited = service.admin.audit.record(&operator, Call::of("getMatchAsOperator").on(&id)).await?;
    let viewed = service.admin.read_match(&audited, &id).await?;
    Ok(json(&mut HttpResponse::Ok(), match_view(&viewed, LegalMovesForm::None.into())?))
}

/// The reason why a match is called off.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OperatorAbortRequest {
    /// The reason, for the audit. The players learn that an operator did it, but not why.
    #[schema(min_length = 1, max_length = 500, examples("the players asked for it"))]
    reason: String,
}

/// Call a match off as operator
///
/// Before its start or while it is played. It then has no result, its state can be read in full and its seed is shown;
/// the event `match_aborted` has the reason `operator`. A match that an operator has called off stays as it is, so
/// asking again does no harm and an `Idempotency-Key` is not needed.
#[utoipa::path(
    operation_id = "abortMatchAsOperator",
    tag = "admin",
    params(Path::<MatchId>),
    request_body = OperatorAbortRequest,
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::MatchOver, Code::Conflict]))),
    responses((status = 200, description = "The match, called off.", body = MatchView)),
    security(("operator" = ["admin:moderate"]))
)]
#[post("/v1/admin/matches/{match_id}/abort")]
pub(crate) async fn abort_match_as_operator(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<MatchId>,
    JsonBody(body): JsonBody<OperatorAbortRequest>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("abortMatchAsOperator").on(&id).because(reason::in_body(&body.reason)?);
    let audited = service.admin.audit.record(&operator, call).await?;
    let viewed = service.admin.abort_match(&audited, &id).await?;
    Ok(json(&mut HttpResponse::Ok(), match_view(&viewed, LegalMovesForm::None.into())?))
}

/// The confirmation of the deletion, and its reason.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MatchDeletionQuery {
    /// The match's id once more, so that none is deleted by mistake.
    #[param(pattern = "^m_[0-9a-f]{32}$")]
    confirm: String,
    /// The reason, for the audit.
    #[param(min_length = 1, max_length = 500)]
    reason: String,
}

/// Delete a match
///
/// Deletes a match at any stage for good, with its log and record: nobody can read it any more. Deleting a match that
/// does not exist does nothing. To end a match and keep it, call it off.
#[utoipa::path(
    operation_id = "deleteMatch",
    tag = "admin",
    params(Path::<MatchId>, MatchDeletionQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::Conflict]))),
    responses((status = 204, description = "It is not there any more.")),
    security(("operator" = ["admin:moderate"]))
)]
#[delete("/v1/admin/matches/{match_id}")]
pub(crate) async fn delete_match(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<MatchId>,
    Query(query): Query<MatchDeletionQuery>,
) -> Result<HttpResponse, Problem> {
    if query.confirm != id.as_str() {
        let detail = "`confirm` is not the id of the match to delete";
        return Err(Problem::new(Code::InvalidParameter).field("confirm").detail(detail));
    }
    let call = Call::of("deleteMatch").on(&id).because(reason::in_query(&query.reason)?);
    let audited = service.admin.audit.record(&operator, call).await?;
    match service.admin.delete_match(&audited, &id).await {
        Ok(()) | Err(Refused::Read(ReadRefused::MatchNotFound)) => Ok(HttpResponse::NoContent().finish()),
        Err(other) => Err(other.into()),
    }
}
