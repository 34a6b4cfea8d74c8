//! `POST /v1/sandbox/playout`: play on from positions, by lot or by bots.

use actix_web::{HttpResponse, post};

use super::forms::SandboxPlayouts;
use super::items::{Answer, SandboxItems, Shown};
use super::work::{SandboxCall, SandboxParts};
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use sarsen_service::sandbox::offload::IsAbandoned;
use sarsen_service::sandbox::playout::{NotPlayedOut, PlayedOut, PlayoutMeans};

/// Play on from positions
///
/// Plays on from each position, with random moves or those of bots, to the end of the game or for some moves, and answers
/// the positions that were come to, with the result. They stand in the order of the positions that were sent, `count` of
/// each; a position that cannot be played on from is one item with a `problem` (`position_invalid`, `invalid_request`). Each
/// playout has a seed of its own, which decides its moves and what chance decides in it. The same request with the same seed
/// is answered the same.
///
/// Each move counts as a step against the allowance `sandbox`, and a decision that a bot searches for as one more for every
/// four simulations of its level. A request for more than what is left is 429 `rate_limited`; what was played till then
/// counts. A request that is not done in time is 503 `busy`. An `Idempotency-Key` is ignored, because nothing is changed.
#[utoipa::path(
    operation_id = "playOut",
    tag = "sandbox",
    request_body = SandboxPlayouts,
    extensions(("x-problems" = json!([Code::AnswerTooLarge, Code::Busy]))),
    responses((status = 200, description = "The ends of the playouts.", body = SandboxItems)),
    security(("bearer" = ["read"]))
)]
#[post("/v1/sandbox/playout")]
pub(crate) async fn play_out(parts: SandboxParts) -> Result<HttpResponse, Problem> {
    let (call, body) = SandboxCall::admit(parts)?;
    let (order, forms) = call.read::<SandboxPlayouts>(body).await?.order()?;
    let (sandbox, mut pay) = (call.service.sandbox.clone(), call.purse());
    let play = move |is_abandoned: IsAbandoned<'_>| {
        let mut answer = Answer::of(order.positions.len() * order.count, forms);
        let mut means = PlayoutMeans { pay: &mut pay, is_over: is_abandoned };
        sandbox.play_out(&order, &mut means, &mut |played| match played {
            Ok(PlayedOut { position, moves }) => {
                let shown = Shown { position: &position, moves: moves as u32, events: &[] };
                answer.add(&sandbox, shown, is_abandoned)
            }
            Err(refused) => answer.refuse(&problem(refused)?, is_abandoned),
        })?;
        answer.end()
    };
    Ok(json(&mut HttpResponse::Ok(), call.delegate(play).await?))
}

/// Returns the problem that the item of a position holds which is not played on from.
///
/// # Errors
/// A fault of the service, which fails the request.
fn problem(refused: NotPlayedOut) -> Result<Problem, Problem> {
    let detail = refused.to_string();
    match refused {
        NotPlayedOut::PositionInvalid => Ok(Problem::new(Code::PositionInvalid).field("positions")),
        NotPlayedOut::NoBots => Ok(Problem::new(Code::InvalidRequest).field("level").detail(detail)),
        NotPlayedOut::Corrupt(_) | NotPlayedOut::Stuck => Err(Problem::internal(refused)),
    }
}
