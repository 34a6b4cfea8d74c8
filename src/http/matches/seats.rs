//! Taking a seat, and freeing the seat of another. The other commands are in [`super::commands`].

use actix_web::{HttpRequest, HttpResponse, delete, http::header, post, put};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::match_view;
use super::types::{LegalMovesForm, MatchView};
use crate::answer::codes::Code;
use crate::answer::json::json;
use crate::answer::problem::Problem;
use crate::extract::body::RawBody;
use crate::extract::caller::{Playing, Writer};
use crate::extract::idempotency::{Nulls, idempotency, mark_replayed};
use crate::extract::params::{Path, SeatParam};
use crate::service::Shared;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_matches::idempotency::Answered;
use sarsen_matches::model::fairness::SeatEntropy;
use sarsen_matches::seats::Joining;
use sarsen_matches::{Reader, Refused, Unread};
use sarsen_rules::Seat;

/// The match, as it is after what was asked.
pub(super) fn answer(answered: Result<Answered, Refused>) -> Result<HttpResponse, Problem> {
    seated(answered?)
}

/// The same once it has been done.
pub(super) fn seated(Answered { viewed, replayed }: Answered) -> Result<HttpResponse, Problem> {
    let mut answer = HttpResponse::Ok();
    mark_replayed(&mut answer, replayed);
    Ok(json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}

/// The match that was made, and where it is.
pub(super) fn created(answered: Result<Answered, Refused>) -> Result<HttpResponse, Problem> {
    let Answered { viewed, replayed } = answered?;
    let mut answer = HttpResponse::Created();
    mark_replayed(&mut answer, replayed);
    answer.insert_header((header::LOCATION, format!("/v1/matches/{}", viewed.live.stored.id)));
    Ok(json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}

/// The most characters of what can be an invite code.
const INVITE_MAX: usize = 64;

/// A request to join.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
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

impl JoinRequest {
    fn read(self) -> Result<Joining, Problem> {
        let JoinRequest { seat, entropy, invite } = self;
        if invite.as_ref().is_some_and(|invite| invite.chars().count() > INVITE_MAX) {
            let detail = format!("an invite code has at most {INVITE_MAX} characters");
            return Err(Problem::new(Code::InvalidRequest).path("invite").detail(detail));
        }
        Ok(Joining { seat, entropy, invite, ..Joining::default() })
    }
}

/// Join a match
///
/// Takes a seat of an open match; the body may be left out. Joining again without asking for anything else returns the
/// match as it is.
#[utoipa::path(
    operation_id = "joinMatch",
    tag = "matches",
    params(Path::<MatchId>),
    request_body = JoinRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::WrongInvite, Code::Forbidden, Code::MatchExpired, Code::MatchNotOpen,
        Code::MatchFull, Code::SeatTaken, Code::SeatReserved, Code::NoSuchSeat, Code::AlreadySeated,
        Code::PlayerNotFound, Code::Conflict, Code::Blocked, Code::LinkedRequired, Code::RatingOutOfRange
    ])), ("x-optional-body" = json!(true)), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match with the caller in it.", body = MatchView)),
    security(("bearer" = ["play"]))
)]
#[post("/v1/matches/{match_id}/join")]
pub(crate) async fn join_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let joining = body.decode_if_any::<JoinRequest>().and_then(|asked| asked.unwrap_or_default().read());
    let joining = joining.unwrap_or_else(|unread| Joining { unread: Some(Unread::new(unread)), ..Joining::default() });
    let once = idempotency(&request, &["joinMatch"], body.bytes(), Nulls::AreNothing)?;
    seated(service.join(&caller, &id, joining, once.as_ref()).await?)
}

/// Send a player away
///
/// For the creator, before the start: frees a seat that another player holds, or that is kept for one. A player who was
/// sent away cannot join the match again, unless the creator keeps a seat for them. A free seat stays free.
#[utoipa::path(
    operation_id = "removePlayer",
    tag = "matches",
    params(Path::<MatchId>, Path::<SeatParam>),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::Forbidden, Code::NoSuchSeat, Code::MatchNotOpen, Code::Conflict
    ]))),
    responses((status = 200, description = "The match with the seat free.", body = MatchView)),
    security(("bearer" = ["create"]))
)]
#[delete("/v1/matches/{match_id}/seats/{seat}")]
pub(crate) async fn remove_player(
    service: Shared,
    caller: Writer,
    Path(id): Path<MatchId>,
    Path(SeatParam(seat)): Path<SeatParam>,
) -> Result<HttpResponse, Problem> {
    answer(service.matches.send_away(&Reader::player(caller.player.clone()), &id, seat).await)
}

/// The player for whom a seat is kept.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReservationRequest {
    /// The player. They are notified, may see the match, and join it or decline.
    #[schema(value_type = String, pattern = "^p_[0-9a-f]{32}$", examples("p_0190163d8694739ea2a3c9f1e7d1a444"))]
    player_id: PlayerId,
}

/// Keep a seat for a player
///
/// For the creator, before the start: keeps a free seat for a player, as `places` does when a match is made, until they join
/// or decline. A player who was sent away may then join. A seat that is already kept for that player stays kept; free
/// one that is kept for another first (`removePlayer`).
#[utoipa::path(
    operation_id = "reserveSeat",
    tag = "matches",
    params(Path::<MatchId>, Path::<SeatParam>),
    request_body = ReservationRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::Forbidden, Code::NoSuchSeat, Code::MatchNotOpen, Code::SeatTaken, Code::SeatReserved,
        Code::AlreadySeated, Code::PlayerNotFound, Code::Conflict, Code::Blocked
    ]))),
    responses((status = 200, description = "The match with the seat kept.", body = MatchView)),
    security(("bearer" = ["create"]))
)]
#[put("/v1/matches/{match_id}/seats/{seat}/reservation")]
pub(crate) async fn reserve_seat(
    service: Shared,
    caller: Playing,
    Path(id): Path<MatchId>,
    Path(SeatParam(seat)): Path<SeatParam>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let reader = Reader::player(caller.player.clone());
    let table = service.matches.read(&reader, &id).await.ok();
    let player = async {
        let player = body.decode::<ReservationRequest>()?.player_id;
        service.invited(&caller, &player, table.as_ref().map(|table| &*table.live)).await
    };
    let player = player.await.map_err(Unread::new);
    answer(service.matches.keep_seat(&reader, &id, seat, player).await)
}
