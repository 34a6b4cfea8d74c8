//! Undoing moves: one's own at once, others with everybody's consent.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use utoipa::ToSchema;

use super::seats::answer;
use super::types::MatchView;
use crate::http::answer::codes::Code;
use crate::http::answer::problem::Problem;
use crate::http::extract::as_seat::SeatQuery;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::{Playing, Writer};
use crate::http::extract::idempotency::idempotency;
use crate::http::extract::params::{Path, Query, Within};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::Unread;

/// A version; no match has more.
pub(super) type Version = Within<1, { u32::MAX }>;

/// How far to go back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// The version whose state the match is to have again.
    #[schema(value_type = i64, minimum = 1, maximum = 4294967295_i64, examples(17))]
    to_version: Version,
}

fn version(body: &RawBody) -> Result<u64, Unread> {
    body.decode::<UndoRequest>().map(|asked| asked.to_version.get().into()).map_err(Unread::new)
}

/// Undo moves
///
/// Puts the match back to the state of an earlier version, over the caller's own moves of the present turn. Nobody is asked,
/// everybody is told. `undo` of a match says how far that goes: not behind a step in which chance had a part or something
/// hidden was shown. It is a step like any other, so the version rises, and decisions open anew. A player may undo 20 times in
/// a match. Going back to where the match is changes nothing.
#[utoipa::path(
    operation_id = "undoMove",
    tag = "play",
    params(MatchId, SeatQuery),
    request_body = UndoRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::VersionNotFound, Code::Conflict,
        Code::MatchNotPlaying, Code::MatchOver, Code::AlreadyResigned, Code::UndoOff, Code::UndoBarrier
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match, put back.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/undo")]
pub async fn undo_move(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"undoMove\n", body.bytes(), seat.fingerprint().as_bytes()])?;
    let reader = seat.reader(&caller.player);
    answer(service.matches.undo(&reader, &id, version(&body), once.as_ref()).await)
}

/// Offer a takeback
///
/// Offers to put the match back to the state of an earlier version, over anybody's moves. It is done when every other player
/// has accepted; bots always do, so against bots alone it is done at once. An offer lapses with any move, and a seat may make
/// one for each turn of its own. Possible where `undo` of the match is `consent`; nothing goes back behind a step in which
/// chance had a part or something hidden was shown.
#[utoipa::path(
    operation_id = "offerTakeback",
    tag = "play",
    params(MatchId, SeatQuery),
    request_body = UndoRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::VersionNotFound, Code::Conflict,
        Code::MatchNotPlaying, Code::MatchOver, Code::AlreadyResigned, Code::UndoOff, Code::UndoBarrier,
        Code::TakebackOffered
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match with the offer, or put back.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/takeback")]
pub async fn offer_takeback(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"offerTakeback\n", body.bytes(), seat.fingerprint().as_bytes()])?;
    let reader = seat.reader(&caller.player);
    answer(service.matches.offer_takeback(&reader, &id, version(&body), once.as_ref()).await)
}

/// Accept a takeback
///
/// When every other player has agreed, the match is put back.
#[utoipa::path(
    operation_id = "acceptTakeback",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::NoTakebackOffer
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/takeback/accept")]
pub async fn accept_takeback(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"acceptTakeback\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.accept_takeback(&seat.reader(&caller.player), &id, once.as_ref()).await)
}

/// Decline a takeback
///
/// Takes the offer off the table.
#[utoipa::path(
    operation_id = "declineTakeback",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::NoTakebackOffer
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match without the offer.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/takeback/decline")]
pub async fn decline_takeback(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"declineTakeback\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.decline_takeback(&seat.reader(&caller.player), &id, once.as_ref()).await)
}
