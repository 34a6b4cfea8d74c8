//! Taking and leaving seats, starting, calling off, giving up, and agreeing on a draw.

use actix_web::{HttpRequest, HttpResponse, http::header, post, put};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::match_view;
use super::types::{LegalMovesForm, MatchView};
use crate::http::answer::codes::Code;
use crate::http::answer::json::json;
use crate::http::answer::problem::Problem;
use crate::http::extract::as_seat::SeatQuery;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::{Playing, Writer};
use crate::http::extract::idempotency::{idempotency, mark_replayed};
use crate::http::extract::params::{Path, Query};
use crate::http::service::Shared;
use crate::ids::MatchId;
use crate::matches::fairness::SeatEntropy;
use crate::matches::idempotency::Answered;
use crate::matches::seats::Joining;
use crate::matches::{Reader, Refused, Unread};
use crate::rules::Seat;

/// The match, as it is after what was asked.
///
/// # Errors
/// Why that was refused.
pub(super) fn answer(answered: Result<Answered, Refused>) -> Result<HttpResponse, Problem> {
    let Answered { viewed, replayed } = answered?;
    let mut answer = HttpResponse::Ok();
    mark_replayed(&mut answer, replayed);
    Ok(json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}

/// The match that was made, and where it is.
///
/// # Errors
/// Why it was refused.
pub(super) fn created(answered: Result<Answered, Refused>) -> Result<HttpResponse, Problem> {
    let Answered { viewed, replayed } = answered?;
    let mut answer = HttpResponse::Created();
    mark_replayed(&mut answer, replayed);
    answer.insert_header((header::LOCATION, format!("/v1/matches/{}", viewed.live.stored.id)));
    Ok(json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}

/// The most characters of what can be an invite code.
const INVITE_MAX: usize = 64;

/// How to join.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The seat to take; if left out, the one that is kept for the caller, or else the lowest free one.
    #[serde(default)]
    seat: Option<Seat>,
    /// Any text; it is mixed into the dice. The service committed itself to its own part beforehand.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 256, examples("oak, ash and thorn"))]
    entropy: Option<SeatEntropy>,
    /// The invite code of a private match.
    #[serde(default)]
    #[schema(max_length = 64)]
    invite: Option<String>,
}

/// Join a match
///
/// Takes a seat of an open match; the body may be left out. Joining again without asking for anything else returns the
/// match as it is.
#[utoipa::path(
    operation_id = "joinMatch",
    tag = "matches",
    params(MatchId),
    request_body = JoinRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::Forbidden, Code::MatchExpired, Code::MatchNotOpen,
        Code::MatchFull, Code::SeatTaken, Code::SeatReserved, Code::NoSuchSeat, Code::AlreadySeated,
        Code::PlayerNotFound, Code::Conflict
    ])), ("x-optional-body" = json!(true)), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match with the caller in it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/join")]
pub async fn join_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let JoinRequest { seat, entropy, invite } = body.decode_if_any()?.unwrap_or_default();
    if invite.as_ref().is_some_and(|invite| invite.chars().count() > INVITE_MAX) {
        let detail = format!("an invite code has at most {INVITE_MAX} characters");
        return Err(Problem::new(Code::InvalidRequest).path("invite").detail(detail));
    }
    let once = idempotency(&request, &[b"joinMatch\n", body.bytes()])?;
    let player = service.seated(&caller).await?;
    answer(service.matches.join(player, &id, Joining { seat, entropy, invite }, once.as_ref()).await)
}

/// Leave a match
///
/// Gives up the caller's seat before the start. After the start, resign.
#[utoipa::path(
    operation_id = "leaveMatch",
    tag = "matches",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotOpen
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match without the caller.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/leave")]
pub async fn leave_match(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"leaveMatch\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.leave(&seat.reader(&caller.player), &id, once.as_ref()).await)
}

/// Start a match
///
/// For the creator of a match with `start: "manual"` (or of any open match), when every seat is taken.
#[utoipa::path(
    operation_id = "startMatch",
    tag = "matches",
    params(MatchId),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::Forbidden, Code::MatchExpired, Code::MatchNotOpen, Code::SeatsOpen, Code::Conflict
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match, started.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/start")]
pub async fn start_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"startMatch\n"])?;
    answer(service.matches.start(&Reader::player(caller.player.clone()), &id, once.as_ref()).await)
}

/// Call a match off
///
/// For the creator, before the start.
#[utoipa::path(
    operation_id = "abortMatch",
    tag = "matches",
    params(MatchId),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::Forbidden, Code::MatchNotOpen, Code::Conflict
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match, called off.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/abort")]
pub async fn abort_match(
    service: Shared,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"abortMatch\n"])?;
    answer(service.matches.abort(&Reader::player(caller.player.clone()), &id, once.as_ref()).await)
}

/// Entropy for the dice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntropyRequest {
    /// Any text; it is mixed into the dice.
    #[schema(value_type = String, min_length = 1, max_length = 256, examples("oak, ash and thorn"))]
    entropy: SeatEntropy,
}

/// Give entropy to the dice
///
/// Replaces what the caller gave before; possible until the start. The service committed itself to its own part of the
/// dice when the match was created, so once any seat's entropy is in them, nobody can have chosen them.
#[utoipa::path(
    operation_id = "giveEntropy",
    tag = "matches",
    params(MatchId, SeatQuery),
    request_body = EntropyRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotOpen
    ]))),
    responses((status = 200, description = "The match.", body = MatchView)),
    security(("bearer" = []))
)]
#[put("/v1/matches/{match_id}/entropy")]
pub async fn give_entropy(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let reader = seat.reader(&caller.player);
    let entropy = body.decode::<EntropyRequest>().map(|body| body.entropy).map_err(Unread::new);
    answer(service.matches.give_entropy(&reader, &id, entropy).await)
}

/// Resign
///
/// Ends a solo or cooperative match as lost. With two seats, the other wins; with more, the seat ranks last and a fixed
/// rule makes its decisions from then on.
#[utoipa::path(
    operation_id = "resignMatch",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/resign")]
pub async fn resign_match(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"resignMatch\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.resign(&seat.reader(&caller.player), &id, once.as_ref()).await)
}

/// A claim against an absent player.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimRequest {
    /// The seat whose time has run out.
    seat: Seat,
}

/// Claim against an absent player
///
/// Once a seat has let `move_time_seconds` pass, any other seat may have it treated as resigned. Not where the match has a
/// clock: there the service sees to it.
#[utoipa::path(
    operation_id = "claimAbsence",
    tag = "play",
    params(MatchId, SeatQuery),
    request_body = ClaimRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::ClaimNotPossible, Code::ClaimTooEarly, Code::NoSuchSeat
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/claim")]
pub async fn claim_absence(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let absent = body.decode::<ClaimRequest>().map(|body| body.seat).map_err(Unread::new);
    let once = idempotency(&request, &[b"claimAbsence\n", body.bytes(), seat.fingerprint().as_bytes()])?;
    answer(service.matches.claim(&seat.reader(&caller.player), &id, absent, once.as_ref()).await)
}

/// Offer a draw
///
/// Once for each move of one's own. The offer stands until it is declined, a seat that has not agreed moves, or a seat
/// resigns.
#[utoipa::path(
    operation_id = "offerDraw",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::DrawNotSupported, Code::DrawOffered
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match with the offer.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/draw/offer")]
pub async fn offer_draw(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"offerDraw\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.offer_draw(&seat.reader(&caller.player), &id, once.as_ref()).await)
}

/// Accept a draw
///
/// When every seat has agreed the match ends as a draw.
#[utoipa::path(
    operation_id = "acceptDraw",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::DrawNotSupported, Code::NoDrawOffer
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match after it.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/draw/accept")]
pub async fn accept_draw(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"acceptDraw\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.accept_draw(&seat.reader(&caller.player), &id, once.as_ref()).await)
}

/// Decline a draw
///
/// Takes the offer off the table; another may follow.
#[utoipa::path(
    operation_id = "declineDraw",
    tag = "play",
    params(MatchId, SeatQuery),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::HotseatOnly, Code::Conflict, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::DrawNotSupported, Code::NoDrawOffer
    ])), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match without the offer.", body = MatchView)),
    security(("bearer" = []))
)]
#[post("/v1/matches/{match_id}/draw/decline")]
pub async fn decline_draw(
    service: Shared,
    Query(seat): Query<SeatQuery>,
    caller: Writer,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &[b"declineDraw\n", seat.fingerprint().as_bytes()])?;
    answer(service.matches.decline_draw(&seat.reader(&caller.player), &id, once.as_ref()).await)
}
