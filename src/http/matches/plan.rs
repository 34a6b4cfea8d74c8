//! The caller's own plan: moves that are made when the others have moved as expected.

use actix_web::{HttpRequest, HttpResponse, delete, get, put};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::answer::{etag, json};
use crate::extract::body::RawBody;
use crate::extract::caller::{Caller, Playing, Writer};
use crate::extract::params::{Path, Within};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_matches::plans::{AskedPlan, PlanBranch, PlanDropped, PlanStanding};
use sarsen_matches::{Reader, Unread};

/// A version; no match has more.
type Version = Within<1, { u32::MAX }>;

/// A plan to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanRequest {
    /// The version of the match that the plan is for, which is its present one.
    #[schema(value_type = i64, minimum = 1, maximum = 4294967295_i64, examples(17))]
    version: Version,
    /// The tree of moves that may come first and moves to play then. It has at most 64 branches in all, and looks at
    /// most 12 turns of the caller ahead; a move has at most 100 characters.
    #[schema(min_items = 1, max_items = 64)]
    tree: Vec<PlanBranch>,
}

/// The state of a plan.
///
/// - `none`: There is none.
/// - `waiting`: It is followed.
/// - `dropped`: It is not followed any more; `reason` says why.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlanState {
    None,
    Waiting,
    Dropped,
}

/// The caller's own plan. Nobody else is ever told that there is one.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlanView {
    /// The state of the plan.
    state: PlanState,
    /// The version of the match that it was made for; null where there is none.
    #[schema(required, minimum = 1)]
    version: Option<u64>,
    /// The branches of the plan, as it was made; null where it is not followed.
    #[schema(required)]
    tree: Option<Vec<PlanBranch>>,
    /// The reason why it is not followed any more; null unless it was dropped.
    #[schema(required)]
    reason: Option<PlanDropped>,
}

impl From<PlanStanding> for PlanView {
    fn from(standing: PlanStanding) -> PlanView {
        let nothing = PlanView { state: PlanState::None, version: None, tree: None, reason: None };
        match standing {
            PlanStanding::Nothing => nothing,
            PlanStanding::Waiting { version, tree } => {
                PlanView { state: PlanState::Waiting, version: Some(version), tree: Some(tree), ..nothing }
            }
            PlanStanding::Dropped { version, reason } => {
                PlanView { state: PlanState::Dropped, version: Some(version), reason: Some(reason), ..nothing }
            }
        }
    }
}

fn answer(standing: PlanStanding) -> Result<HttpResponse, Problem> {
    Ok(json::json(&mut HttpResponse::Ok(), json::body(&PlanView::from(standing))?))
}

/// Make a plan
///
/// Settles moves in advance. A branch says for which moves of all others it is, until the caller's turn (`when`), what the
/// caller plays in that turn (`then`), and how it goes on (`next`). When the turn has come the service makes the moves, one
/// by one, as moves like any other: their events say `planned`, and they take none of the caller's time. A move of one's
/// own, other moves than expected, an undo or a move that is not legal drops the plan. A plan replaces the one before.
/// Nobody else sees it, or that it exists.
///
/// Possible where nothing is hidden and nothing is left to chance during play (Contiguity), without a live clock, and while
/// it is not the caller's turn. A repeated request is answered with the plan's present state.
#[utoipa::path(
    operation_id = "makePlan",
    tag = "play",
    params(Path::<MatchId>),
    request_body = PlanRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::PlanNotSupported, Code::StaleVersion, Code::InvalidPlan, Code::Conflict
    ]))),
    responses((status = 200, description = "The plan.", body = PlanView)),
    security(("bearer" = ["play"]))
)]
#[put("/v1/matches/{match_id}/plan")]
pub(crate) async fn make_plan(
    service: Shared,
    caller: Playing,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let asked = body.decode::<PlanRequest>().map_err(Unread::new);
    let asked = asked.map(|PlanRequest { version, tree }| AskedPlan { version: version.get().into(), tree });
    answer(service.matches.make_plan(&Reader::from(&*caller), &id, asked).await?)
}

/// Read the own plan
///
/// The present state of the caller's own plan. After the end of the match there is none.
#[utoipa::path(
    operation_id = "getPlan",
    tag = "play",
    params(Path::<MatchId>),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::NotSeated])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The plan.", body = PlanView)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/plan")]
pub(crate) async fn get_plan(
    service: Shared,
    Caller(caller): Caller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let standing = service.matches.plan(&Reader::from(&caller), &id).await?;
    Ok(etag::answer_with(&request, json::body(&PlanView::from(standing))?))
}

/// Drop the own plan
///
/// Without a plan nothing changes. A move that is just being made for it may still be made.
#[utoipa::path(
    operation_id = "dropPlan",
    tag = "play",
    params(Path::<MatchId>),
    extensions(("x-problems" = json!([Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::Conflict]))),
    responses((status = 200, description = "There is none any more.", body = PlanView)),
    security(("bearer" = ["play"]))
)]
#[delete("/v1/matches/{match_id}/plan")]
pub(crate) async fn drop_plan(
    service: Shared,
    caller: Writer,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    service.matches.drop_plan(&Reader::from(&*caller), &id).await?;
    answer(PlanStanding::Nothing)
}
