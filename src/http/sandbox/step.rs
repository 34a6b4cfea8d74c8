//! `POST /v1/sandbox/step`: move on from positions.

use actix_web::{HttpResponse, post};

use super::forms::SandboxSteps;
use super::items::{Answer, SandboxItems, Shown};
use super::work::{SandboxCall, SandboxParts};
use crate::answer::codes::Code;
use crate::answer::errors::malformed_move;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use sarsen_service::sandbox::offload::IsAbandoned;
use sarsen_service::sandbox::seal::KindHint;
use sarsen_service::sandbox::set_up::Reached;
use sarsen_service::sandbox::step::NotStepped;

/// Step from positions
///
/// Makes a move from each position, and answers the positions that they lead to, chance included. The steps know nothing of
/// each other: one that is refused is an item with a `problem` (`position_invalid`, `malformed_move`, `no_such_seat`,
/// `match_over`, `not_your_turn`, `illegal_move`), and the others are taken. The same position and the same move always lead
/// to the same. Each step counts against the allowance `sandbox`. An `Idempotency-Key` is ignored, because nothing is changed.
#[utoipa::path(
    operation_id = "stepPositions",
    tag = "sandbox",
    request_body = SandboxSteps,
    extensions(("x-problems" = json!([Code::AnswerTooLarge, Code::Busy]))),
    responses((status = 200, description = "The positions after the steps.", body = SandboxItems)),
    security(("bearer" = ["read"]))
)]
#[post("/v1/sandbox/step")]
pub(crate) async fn step_positions(parts: SandboxParts) -> Result<HttpResponse, Problem> {
    let (call, body) = SandboxCall::admit(parts)?;
    let (orders, forms) = call.read::<SandboxSteps>(body).await?.order()?;
    let count = orders.len();
    call.count(count)?;
    let sandbox = call.service.sandbox.clone();
    let step = move |is_abandoned: IsAbandoned<'_>| {
        let mut answer = Answer::of(count, forms);
        let mut hint = KindHint::default();
        for order in &orders {
            match sandbox.step(order, &mut hint) {
                Ok(Reached { position, events }) => {
                    answer.add(&sandbox, Shown { position: &position, moves: 1, events: &events }, is_abandoned)?;
                }
                Err(refused) => answer.refuse(&problem(refused)?, is_abandoned)?,
            }
        }
        answer.end()
    };
    Ok(json(&mut HttpResponse::Ok(), call.done(count, step).await?))
}

/// Returns the problem that the item of a refused step holds.
///
/// # Errors
/// A fault of the service, which fails the request.
fn problem(refused: NotStepped) -> Result<Problem, Problem> {
    let detail = refused.to_string();
    Ok(match refused {
        NotStepped::PositionInvalid => Problem::new(Code::PositionInvalid).field("position"),
        NotStepped::Malformed(malformed) => malformed_move(malformed),
        NotStepped::NoSuchIndex(_) => Problem::new(Code::MalformedMove).field("index").detail(detail),
        NotStepped::NoSuchSeat(_) => Problem::new(Code::NoSuchSeat).field("seat").detail(detail),
        NotStepped::Over => Problem::new(Code::MatchOver).detail(detail),
        NotStepped::NotYourTurn(_) => Problem::new(Code::NotYourTurn).detail(detail),
        NotStepped::Illegal(refusal) => Problem::new(Code::IllegalMove).refusal(&refusal),
        NotStepped::Corrupt(corrupt) => return Err(Problem::internal(corrupt)),
    })
}
