//! `POST /v1/sandbox/positions`: set positions up.

use actix_web::{HttpResponse, post};

use super::forms::CreatePositions;
use super::items::{Answer, SandboxItems, Shown};
use super::work::{SandboxCall, SandboxParts};
use crate::answer::codes::Code;
use crate::answer::errors::refused_options;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use sarsen_service::sandbox::offload::IsAbandoned;
use sarsen_service::sandbox::set_up::NotSetUp;

/// Set positions up
///
/// Makes positions as they are after the set-up of a match, to step from. Nothing is stored: a position is a sealed text that
/// the client keeps, and any instance takes it for as long as the service has the token key that it was sealed with. The
/// first position of a seed is that of a match whose dice have it. Each position counts as a step against the allowance
/// `sandbox`. An `Idempotency-Key` is ignored, because nothing is changed.
#[utoipa::path(
    operation_id = "createPositions",
    tag = "sandbox",
    request_body = CreatePositions,
    extensions(("x-problems" = json!([
        Code::GameNotFound, Code::InvalidOptions, Code::AnswerTooLarge, Code::Busy
    ]))),
    responses((status = 200, description = "The positions.", body = SandboxItems)),
    security(("bearer" = ["read"]))
)]
#[post("/v1/sandbox/positions")]
pub(crate) async fn create_positions(parts: SandboxParts) -> Result<HttpResponse, Problem> {
    let (call, body) = SandboxCall::admit(parts)?;
    let (order, forms) = call.read::<CreatePositions>(body).await?.order();
    let count = order.count;
    call.count(count)?;
    let sandbox = call.service.sandbox.clone();
    let set_up = move |is_abandoned: IsAbandoned<'_>| {
        let mut answer = Answer::of(count, forms);
        for reached in sandbox.set_up(order).map_err(problem)? {
            let reached = reached.map_err(Problem::internal)?;
            answer.add(
                &sandbox,
                Shown { position: &reached.position, moves: 0, events: &reached.events },
                is_abandoned,
            )?;
        }
        answer.end()
    };
    Ok(json(&mut HttpResponse::Ok(), call.done(count, set_up).await?))
}

fn problem(refused: NotSetUp) -> Problem {
    let detail = refused.to_string();
    match refused {
        NotSetUp::GameNotFound { .. } => Problem::new(Code::GameNotFound).field("game").detail(detail),
        NotSetUp::SeatCount { .. } => Problem::new(Code::InvalidOptions).field("seats").detail(detail),
        NotSetUp::Options(refused) => refused_options(refused),
        NotSetUp::Corrupt(corrupt) => Problem::internal(corrupt),
    }
}
