//! Seats that are kept for players: declining, sending away, and playing again.

use actix_web::{HttpRequest, HttpResponse, delete, post};

use super::seats::answer;
use super::types::MatchView;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::caller::{Playing, Writer};
use crate::http::extract::idempotency::idempotency;
use crate::http::extract::params::{Path, SeatParam};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::Reader;

/// Decline an invitation
///
/// Gives up the seat that a match which has not started keeps for the caller; anybody may take it then. A rematch of two is
/// called off.
#[utoipa::path(
    operation_id = "declineInvitation",
    tag = "matches",
    params(MatchId),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotInvited, Code::Conflict, Code::MatchNotOpen
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match without the reservation.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/decline")]
pub async fn decline_invitation(
    service: Shared,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"declineInvitation\n"])?;
    answer(service.matches.decline(&Reader::player(caller.player.clone()), &id, once.as_ref()).await)
}

/// Send a player away
///
/// For the creator, before the start: frees a seat that another player holds, or that is kept for one. Whoever was sent away
/// cannot join the match again. A free seat stays free.
#[utoipa::path(
    operation_id = "removePlayer",
    tag = "matches",
    params(MatchId, SeatParam),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::Forbidden, Code::NoSuchSeat, Code::MatchNotOpen, Code::Conflict
    ]))),
    responses((status = 200, description = "The match with the seat free.", body = MatchView)),
    security(("bearer" = []))
)]
#[delete("/v1/matches/{match_id}/seats/{seat}")]
pub async fn remove_player(
    service: Shared,
    caller: Writer,
    Path(id): Path<MatchId>,
    Path(SeatParam(seat)): Path<SeatParam>,
) -> Result<HttpResponse, Problem> {
    answer(service.matches.send_away(&Reader::player(caller.player.clone()), &id, seat).await)
}

/// Call for a rematch
///
/// For whoever sat in a match that has finished. The first call makes a match with the same terms, in which everybody sits
/// one seat further on, bots too; the caller takes their seat, and the others' are kept for them: for ten minutes where a
/// decision had to be made within less than an hour, else for a day. The others call the same operation and sit down. Called
/// again, it answers that match as it is.
#[utoipa::path(
    operation_id = "callRematch",
    tag = "matches",
    params(MatchId),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::MatchNotOver, Code::RematchOff,
        Code::PlayerNotFound, Code::TooManyOpen, Code::MatchExpired, Code::MatchNotOpen, Code::MatchFull, Code::Conflict
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match that follows, with the caller in it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/rematch")]
pub async fn call_rematch(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"callRematch\n"])?;
    let player = service.seated(&caller).await?;
    answer(service.matches.rematch(player, &id, once.as_ref()).await)
}

/// Decline a rematch
///
/// Gives up the seat that the rematch of a finished match keeps for the caller. With two seats the rematch is called off.
#[utoipa::path(
    operation_id = "declineRematch",
    tag = "matches",
    params(MatchId),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::MatchNotOver, Code::RematchOff, Code::NotInvited,
        Code::MatchNotOpen, Code::Conflict
    ]))),
    responses((status = 200, description = "The match that follows, without the reservation.", body = MatchView)),
    security(("bearer" = []))
)]
#[delete("/v1/matches/{match_id}/rematch")]
pub async fn decline_rematch(
    service: Shared,
    caller: Writer,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    answer(service.matches.decline_rematch(&caller.player, &id).await)
}
