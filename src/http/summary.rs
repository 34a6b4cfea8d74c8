//! `GET /v1/me/summary`: what waits for the caller, in numbers.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::answer::{etag, json};
use crate::extract::caller::Caller;
use crate::service::Shared;
use sarsen_matches::summary::Waiting;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(get_summary);
}

/// Counts of the matches that wait for the caller, for a badge.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Summary {
    /// Matches in which the caller has a decision to make, but for those that are an `analysis`.
    #[schema(maximum = 1000)]
    pub(crate) my_turn: u32,
    /// Matches in which a seat is kept for the caller.
    #[schema(maximum = 1000)]
    pub(crate) invites: u32,
    /// Matches that the caller made or sits in and that have not started.
    #[schema(maximum = 1000)]
    pub(crate) open: u32,
}

/// Count the matches that wait for me
///
/// In numbers, for a badge. The newest 1,000 matches of the caller that are being played are looked at, and the newest 1,000
/// that have not started.
#[utoipa::path(
    operation_id = "getSummary",
    tag = "players",
    extensions(("x-problems" = json!([Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The numbers.", body = Summary)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/me/summary")]
pub(crate) async fn get_summary(
    service: Shared,
    Caller(caller): Caller,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let Waiting { my_turn, invites, open } = service.matches.waiting_for(&caller.player).await?;
    Ok(etag::answer_with(&request, json::body(&Summary { my_turn, invites, open })?))
}
