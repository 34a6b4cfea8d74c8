//! `POST /v1/matches/{match_id}/hint`: ask what a bot would do.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answer::codes::Code;
use crate::answer::json;
use crate::answer::problem::Problem;
use crate::answer::shapes::Move;
use crate::edge::allowance;
use crate::edge::deadline::Deadline;
use crate::extract::as_seat::SeatQuery;
use crate::extract::body::RawBody;
use crate::extract::caller::Playing;
use crate::extract::idempotency::{Nulls, idempotency, mark_replayed};
use crate::extract::params::{Path, Query};
use crate::service::Shared;
use sarsen_base::ids::MatchId;
use sarsen_games::bots::{Level, NotedMove};
use sarsen_matches::Unread;
use sarsen_matches::hints::{HINT_WAIT, Hint};

/// The hint that is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetHint {
    /// The level of the bot that gives it.
    level: Level,
}

/// A move that a bot has looked at.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HintedMove {
    /// The move in the game's notation.
    #[schema(examples("29b-5b"))]
    notation: String,
    /// The result that the bot expects of it, from 0 (lost) to 10,000 (won).
    #[schema(minimum = 0, maximum = 10000)]
    score: i32,
    /// The standard error of the score: moves whose scores are no further apart are as good as each other. 0 where nothing
    /// was sampled.
    #[schema(minimum = 0)]
    standard_error: i32,
    /// The moves that would most likely follow, in notation, up to where chance or something hidden decides.
    line: Vec<String>,
}

/// The move that a bot would make for the caller's open decision.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Hint)]
pub(crate) struct HintBody {
    /// The move.
    #[schema(value_type = Move)]
    r#move: Box<RawValue>,
    /// The move in the game's notation.
    #[schema(examples("29b-5b"))]
    notation: String,
    /// The reason why it is a good move, in a sentence for people; null where the figures are all there is to say.
    #[schema(required)]
    reason: Option<String>,
    /// The result that the bot expects of it, from 0 (lost) to 10,000 (won).
    #[schema(minimum = 0, maximum = 10000)]
    score: i32,
    /// The standard error of the score; 0 where nothing was sampled.
    #[schema(minimum = 0)]
    standard_error: i32,
    /// The moves that would most likely follow, in notation, up to where chance or something hidden decides.
    line: Vec<String>,
    /// Other moves that the bot has looked at, five at most, best first: none scores more than one before it, nor than the
    /// hint.
    #[schema(max_items = 5)]
    alternatives: Vec<HintedMove>,
    /// The version of the match that tells of the hint.
    #[schema(minimum = 1)]
    version: u64,
}

/// Ask for a hint
///
/// Answers the move that a bot of this level would make for the caller's open decision, from what the caller sees.
/// Everybody at the table sees that the seat has used a hint. Possible where the match says `hints`; a player may ask
/// for ten a minute. A hint that does not come within ten seconds is refused, and nobody sees it.
#[utoipa::path(
    operation_id = "getHint",
    tag = "play",
    params(Path::<MatchId>, SeatQuery),
    request_body = GetHint,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying,
        Code::MatchOver, Code::HintsOff, Code::NotYourTurn, Code::StaleDecision, Code::Busy
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The hint.", body = HintBody)),
    security(("bearer" = ["play"]))
)]
#[post("/v1/matches/{match_id}/hint")]
pub(crate) async fn get_hint(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    deadline: Deadline,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let level = body.decode::<GetHint>().map(|asked| asked.level).map_err(Unread::new);
    let once = idempotency(&request, &["getHint", &seat.fingerprint()], body.bytes(), Nulls::AreNothing)?;
    allowance::count_hint(&request, &service, &caller.player).await?;
    deadline.extend(HINT_WAIT);
    let hint = service.matches.hint(&seat.reader(&caller), &id, level, once.as_ref()).await?;
    let Hint { mv, best, others, version, replayed } = hint;
    let other = |NotedMove { notation, value, error, line, .. }| HintedMove {
        notation,
        score: value,
        standard_error: error,
        line,
    };
    let body = HintBody {
        r#move: mv,
        notation: best.notation,
        reason: best.reason,
        score: best.value,
        standard_error: best.error,
        line: best.line,
        alternatives: others.into_iter().map(other).collect(),
        version,
    };
    let mut answer = HttpResponse::Ok();
    mark_replayed(&mut answer, replayed);
    Ok(json::json(&mut answer, json::body(&body)?))
}
