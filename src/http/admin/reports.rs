//! `/v1/admin/reports`: reports of players, and the operators' answers.

use actix_web::{HttpResponse, get, put};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::body::JsonBody;
use crate::extract::operator::{Admin, Moderate};
use crate::extract::params::{PageLimit, Path, Query};
use crate::people::report_text;
use crate::service::Shared;
use sarsen_accounts::people::{Report, ReportQuery, ReportState};
use sarsen_base::ids::{MatchId, PlayerId, ReportId};
use sarsen_service::admin::Call;

/// A report of a player, as operators see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Report)]
pub(crate) struct ReportBody {
    /// Its id.
    #[schema(value_type = String, examples("c_0190163d8694739ea2a3c9f1e7d1a666"))]
    id: ReportId,
    /// Its state.
    state: ReportState,
    /// The player whom it is about.
    #[schema(value_type = String)]
    player_id: PlayerId,
    /// The player who made it.
    #[schema(value_type = String)]
    reported_by: PlayerId,
    /// The match that it is about; null for none.
    #[schema(value_type = Option<String>, required)]
    match_id: Option<MatchId>,
    /// The reason in the words of its author.
    reason: String,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Moment,
    /// The answer in the words of an operator; null while it is open.
    #[schema(required)]
    answer: Option<String>,
    /// The time at which it was closed; null while it is open.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    closed_at: Option<Moment>,
}

impl From<(ReportId, Report)> for ReportBody {
    fn from((id, report): (ReportId, Report)) -> ReportBody {
        ReportBody {
            id,
            state: report.state(),
            player_id: report.player,
            reported_by: report.by,
            match_id: report.match_id,
            reason: report.reason,
            created_at: Moment(report.at),
            answer: report.answer,
            closed_at: report.closed_at.map(Moment),
        }
    }
}

/// A page of reports.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReportPage)]
pub(crate) struct ReportPageBody {
    /// The reports, newest first.
    items: Vec<ReportBody>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// The reports that are asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportListQuery {
    /// Only those that are open, or only those that are not.
    #[serde(default)]
    #[param(nullable = false)]
    open: Option<bool>,
    /// Only those about this player.
    #[serde(default)]
    #[param(value_type = Option<String>, nullable = false, pattern = "^p_[0-9a-f]{32}$")]
    player: Option<PlayerId>,
    /// The most reports on the page.
    #[serde(default)]
    #[param(value_type = u32, minimum = 1, maximum = 100, default = 50)]
    limit: PageLimit<50, 100>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[serde(default)]
    #[param(nullable = false, pattern = "^c_[0-9a-f]{32}$")]
    cursor: Option<String>,
}

/// List reports of players
///
/// The newest first. The service keeps 10,000 reports; beyond that a new one takes the place of the oldest that is closed.
#[utoipa::path(
    operation_id = "listReports",
    tag = "admin",
    params(ReportListQuery),
    extensions(("x-problems" = json!([]))),
    responses((status = 200, description = "A page of reports.", body = ReportPageBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[get("/v1/admin/reports")]
pub(crate) async fn list_reports(
    service: Shared,
    operator: Admin<Moderate>,
    Query(query): Query<ReportListQuery>,
) -> Result<HttpResponse, Problem> {
    let before = query.cursor.map(|cursor| cursor.parse()).transpose().map_err(|_| {
        Problem::new(Code::InvalidParameter).field("cursor").detail("this is no cursor of a page of reports")
    })?;
    let state = query.open.map(|open| if open { ReportState::Open } else { ReportState::Closed });
    let asked = ReportQuery { state, player: query.player, by: None, before, limit: query.limit.get() };
    let audited = service.admin.audit.record(&operator, Call::of("listReports")).await?;
    let page = service.admin.reports(&audited, &asked).await?;
    let items = page.items.into_iter().map(ReportBody::from).collect();
    Ok(HttpResponse::Ok().json(ReportPageBody { items, next_cursor: page.next.map(String::from) }))
}

/// An operator's answer to a report.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReportAnswer {
    /// The answer, for other operators.
    #[schema(min_length = 1, max_length = 500, examples("warned"))]
    answer: String,
}

/// Answer a report
///
/// Closes the report, with an answer in the place of one before. Other operators read it; players do not.
#[utoipa::path(
    operation_id = "answerReport",
    tag = "admin",
    params(Path::<ReportId>),
    request_body = ReportAnswer,
    extensions(("x-problems" = json!([Code::NotFound]))),
    responses((status = 200, description = "The report.", body = ReportBody)),
    security(("operator" = ["admin:moderate"]))
)]
#[put("/v1/admin/reports/{report_id}/answer")]
pub(crate) async fn answer_report(
    service: Shared,
    operator: Admin<Moderate>,
    Path(id): Path<ReportId>,
    JsonBody(body): JsonBody<ReportAnswer>,
) -> Result<HttpResponse, Problem> {
    let answer = report_text("answer", &body.answer)?;
    let audited = service.admin.audit.record(&operator, Call::of("answerReport").on(&id)).await?;
    let report = service.admin.answer_report(&audited, &id, &answer).await?;
    Ok(HttpResponse::Ok().json(ReportBody::from((id, report))))
}
