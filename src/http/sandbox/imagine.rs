//! `POST /v1/sandbox/imagine`: positions that a view could be of.

use actix_web::{HttpResponse, post};

use super::forms::ImagineRequest;
use super::items::{Answer, SandboxItems, Shown};
use super::work::{SandboxCall, SandboxParts};
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use sarsen_service::sandbox::imagine::NotImagined;
use sarsen_service::sandbox::offload::IsAbandoned;

/// Imagine positions of a view
///
/// Makes positions that the view could be of: what it does not tell is drawn. The view may be that of a position or of any
/// match; `state` of a match is one. Where a game hides nothing this takes a position over as it is. JSON that no state
/// shows is `impossible_view`, and so is a view without a decision to make though the game is not over. Each position
/// counts as a step against the allowance `sandbox`. An `Idempotency-Key` is ignored, because nothing is changed.
#[utoipa::path(
    operation_id = "imaginePositions",
    tag = "sandbox",
    request_body = ImagineRequest,
    extensions(("x-problems" = json!([
        Code::GameNotFound, Code::ImpossibleView, Code::AnswerTooLarge, Code::Busy
    ]))),
    responses((status = 200, description = "The positions.", body = SandboxItems)),
    security(("bearer" = ["read"]))
)]
#[post("/v1/sandbox/imagine")]
pub(crate) async fn imagine_positions(parts: SandboxParts) -> Result<HttpResponse, Problem> {
    let (call, body) = SandboxCall::admit(parts)?;
    let (order, forms) = call.read::<ImagineRequest>(body).await?.order();
    let count = order.count;
    call.count(count)?;
    let sandbox = call.service.sandbox.clone();
    let imagine = move |is_abandoned: IsAbandoned<'_>| {
        let mut answer = Answer::of(count, forms);
        for position in sandbox.imagine(&order).map_err(problem)? {
            answer.add(&sandbox, Shown { position: &position, moves: 0, events: &[] }, is_abandoned)?;
        }
        answer.end()
    };
    Ok(json(&mut HttpResponse::Ok(), call.done(count, imagine).await?))
}

fn problem(refused: NotImagined) -> Problem {
    let detail = refused.to_string();
    match refused {
        NotImagined::GameNotFound { .. } => Problem::new(Code::GameNotFound).field("game").detail(detail),
        NotImagined::Impossible => Problem::new(Code::ImpossibleView).field("view").detail(detail),
    }
}
