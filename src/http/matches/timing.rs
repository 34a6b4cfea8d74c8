//! Giving time to others, and coming back to a seat for which a bot plays.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::seats::answer;
use super::types::MatchView;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::as_seat::SeatQuery;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::Playing;
use crate::http::extract::idempotency::idempotency;
use crate::http::extract::params::{Path, Query, Within};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::Unread;
use crate::matches::timing::TimeGiven;
use crate::rules::Seat;

/// How long somebody can be given at a time, in seconds: 5 to a day.
type Gift = Within<5, 86_400>;

/// Time to give.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveTimeRequest {
    /// The seat that gets it.
    seat: Seat,
    /// How many seconds.
    #[schema(value_type = u32, minimum = 5, maximum = 86400)]
    seconds: Gift,
}

impl GiveTimeRequest {
    fn parse(self) -> TimeGiven {
        TimeGiven { seat: self.seat, seconds: self.seconds.get() }
    }
}

/// Give time
///
/// Adds time to the clock of another seat. It is in the bank at once, also beyond `max_bank_seconds`, which counts again
/// after the seat's next turn; in a first turn that has a time of its own, it is added to that. A seat may give time 20
/// times between two moves of its own.
#[utoipa::path(
    operation_id = "giveTime",
    tag = "play",
    params(MatchId, SeatQuery),
    request_body = GiveTimeRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::NoSuchSeat, Code::NoClock, Code::ClockFixed
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/clock/give")]
pub async fn give_time(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let given = body.decode::<GiveTimeRequest>().map(GiveTimeRequest::parse).map_err(Unread::new);
    let once = idempotency(&request, &[b"giveTime\n", body.bytes(), seat.fingerprint().as_bytes()])?;
    answer(service.matches.give_time(&seat.reader(&caller.player), &id, given, once.as_ref()).await)
}

/// Come back
///
/// Gives the caller's seat back to them, for which a bot plays since their time has run out, from the seat's next decision
/// on. Doing so again returns the match as it is.
#[utoipa::path(
    operation_id = "comeBack",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::NotSubstituted
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/return")]
pub async fn come_back(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"comeBack\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.come_back(&seat.reader(&caller.player), &id, once.as_ref()).await)
}
