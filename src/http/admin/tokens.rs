//! `POST /v1/admin/tokens/revoke`: ends an operator's token before its time.

use actix_web::{HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Operate};
use crate::service::Shared;
use sarsen_base::ids::OperatorTokenId;
use sarsen_service::admin::Call;

/// The token to revoke.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevokeOperatorToken {
    /// The token's id, as printed when the token was made and as shown in the audit.
    #[schema(
        value_type = String,
        pattern = "^o_[0-9a-f]{32}$",
        examples("o_0190163d8694739ea2a3c9f1e7d1a444")
    )]
    token_id: OperatorTokenId,
}

/// Revoke an operator's token
///
/// The token is refused everywhere within ten seconds. It may be the caller's own. Tokens are not stored, so an id that
/// names none is not told apart. An `Idempotency-Key` is ignored: twice does what once does.
#[utoipa::path(
    operation_id = "revokeOperatorToken",
    tag = "admin",
    request_body = RevokeOperatorToken,
    extensions(("x-problems" = json!([]))),
    responses((status = 204, description = "Revoked.")),
    security(("operator" = ["admin:operate"]))
)]
#[post("/v1/admin/tokens/revoke")]
pub(crate) async fn revoke_operator_token(
    service: Shared,
    operator: Admin<Operate>,
    JsonBody(body): JsonBody<RevokeOperatorToken>,
) -> Result<HttpResponse, Problem> {
    let call = Call::of("revokeOperatorToken").on(&body.token_id);
    let audited = service.admin.audit.record(&operator, call).await?;
    service.admin.revoke_token(&audited, &body.token_id).await?;
    Ok(HttpResponse::NoContent().finish())
}
