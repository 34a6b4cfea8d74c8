//! `GET /v1/admin/audit`: what operators did.

use actix_web::{HttpResponse, get};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::operator::{Admin, Read};
use crate::extract::params::{PageLimit, Query};
use crate::service::Shared;
use sarsen_service::admin::{AuditEntry, Call};

/// The part of the audit log to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// At most this many.
    #[serde(default)]
    #[param(value_type = i64, minimum = 1, maximum = 200, default = 50)]
    limit: PageLimit<50, 200>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[param(nullable = false, pattern = "^[0-9]{1,20}-[0-9]{1,20}$")]
    cursor: Option<String>,
}

/// An action of an operator.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditEntry)]
pub(crate) struct AuditEntryBody<'a> {
    /// Its place in the audit.
    #[schema(examples("1795305600123-0"))]
    pub(crate) id: String,
    /// The time of the action, by the store's clock.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) at: Moment,
    /// The token that was used.
    #[schema(examples("o_0190163d8694739ea2a3c9f1e7d1a444"))]
    pub(crate) token_id: &'a str,
    /// The label that the token was given when it was made.
    #[schema(examples("night shift"))]
    pub(crate) label: &'a str,
    /// The operation's id.
    #[schema(examples("abortMatchAsOperator"))]
    pub(crate) operation: &'a str,
    /// The id of the player, match or token concerned; null where there is none.
    #[schema(required, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    pub(crate) target: Option<&'a str>,
    /// The reason, in the operator's words; null where the operation asks for none.
    #[schema(required)]
    pub(crate) reason: Option<&'a str>,
}

impl<'a> From<&'a AuditEntry> for AuditEntryBody<'a> {
    fn from(entry: &'a AuditEntry) -> AuditEntryBody<'a> {
        AuditEntryBody {
            id: entry.place.to_string(),
            at: Moment(entry.at()),
            token_id: entry.token.as_str(),
            label: &entry.label,
            operation: &entry.operation,
            target: entry.target.as_deref(),
            reason: entry.reason.as_deref(),
        }
    }
}

/// A page of the audit.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditPage)]
pub(crate) struct AuditPageBody<'a> {
    /// The entries, newest first.
    pub(crate) items: Vec<AuditEntryBody<'a>>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

/// Read the audit
///
/// Every call of an operator, newest first: who, what, of whom or which match, when and why. Each call, this one
/// included, is recorded before it acts, so calls that failed afterwards are listed too. Entries are kept for 400 days.
#[utoipa::path(
    operation_id = "listAudit",
    tag = "admin",
    params(AuditQuery),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "A page of the audit.", body = AuditPageBody)),
    security(("operator" = ["admin:read"]))
)]
#[get("/v1/admin/audit")]
pub(crate) async fn list_audit(
    service: Shared,
    operator: Admin<Read>,
    Query(query): Query<AuditQuery>,
) -> Result<HttpResponse, Problem> {
    let before = query.cursor.map(|cursor| cursor.parse()).transpose().map_err(|_| {
        Problem::new(Code::InvalidParameter).field("cursor").detail("this is no cursor of a page of the audit")
    })?;
    let audited = service.admin.audit.record(&operator, Call::of("listAudit")).await?;
    let page = service.admin.audit.page(&audited, before, query.limit.get()).await?;
    Ok(HttpResponse::Ok().json(AuditPageBody {
        items: page.items.iter().map(AuditEntryBody::from).collect(),
        next_cursor: page.next.map(|place| place.to_string()),
    }))
}
