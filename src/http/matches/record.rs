//! `GET /v1/matches/{match_id}/record`: the whole record of a finished match.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::answer::codes::Code;
use crate::answer::etag::{self, Lasting};
use crate::answer::json::body;
use crate::answer::problem::Problem;
use crate::extract::caller::MaybeCaller;
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_matches::Stage;
use sarsen_matches::export::MatchExport;

/// The options of reading a record.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordQuery {
    /// The invite code of a private match.
    #[param(nullable = false)]
    invite: Option<String>,
}

/// Export a finished match
///
/// Everything the match was made of: seed, entropy, options, every step with its events, and the result. Save it as a
/// file and `sarsen verify` replays it without this service, says whether seed, draws, moves and result agree, and names what
/// nobody can find out from a record.
#[utoipa::path(
    operation_id = "exportMatch",
    tag = "matches",
    params(Path::<MatchId>, RecordQuery),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::WrongInvite, Code::MatchNotOver])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The record.", body = MatchExport)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/record")]
pub(crate) async fn export_match(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    Query(query): Query<RecordQuery>,
) -> Result<HttpResponse, Problem> {
    let reader = caller.reader(query.invite);
    let viewed = service.matches.read(&reader, &id).await?;
    // A finished match has no further steps, so its version names its record, and the stamp which of those that a failover
    // may have put in each other's place.
    let stamp = viewed.live.stamp;
    let tag = format!("{}.{stamp}.record.{}", viewed.live.stored.version, env!("CARGO_PKG_VERSION"));
    // Unless somebody is shown under another name: it may be one of those who have left the table, too.
    let as_stored = !service.matches.shows_other_names();
    if as_stored && viewed.live.stored.stage == Stage::Finished && etag::is_unchanged(&request, &tag) {
        return etag::answer_for(&request, &tag, Lasting::ButForNames, || Ok(Vec::new()));
    }
    let (export, names) = service.matches.export(viewed).await?;
    etag::answer_for(&request, &format!("{tag}{names}"), Lasting::ButForNames, || body(&export))
}
