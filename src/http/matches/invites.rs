//! Invites: codes for friends who have no id to be invited by.

use actix_web::{HttpRequest, HttpResponse, get, post, web};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::invitation;
use super::seats::seated;
use super::types::{Match, MatchView};
use crate::answer::codes::Code;
use crate::answer::json;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::edge::allowance;
use crate::extract::body::RawBody;
use crate::extract::caller::Playing;
use crate::extract::idempotency::{Nulls, idempotency};
use crate::extract::params::{InviteCode, Path, Within};
use crate::service::Shared;
use crate::settings::ServerConfig;
use sarsen_base::ids::MatchId;
use sarsen_matches::invites::{MadeInvite, NewInvite};
use sarsen_matches::model::fairness::SeatEntropy;
use sarsen_matches::{Reader, Unread};
use sarsen_rules::Seat;

/// The number of people for whom an invite is good.
type Uses = Within<1, 100>;
/// The lifetime of an invite in seconds: a minute to thirty days.
type InviteSeconds = Within<60, 2_592_000>;
/// The default lifetime in seconds: seven days.
const INVITE_SECONDS: InviteSeconds = InviteSeconds::of::<604_800>();

/// An invite to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateInvite {
    /// The seat that it is for; if left out or null, whichever is free.
    #[serde(default)]
    seat: Option<Seat>,
    /// The number of people for whom it is good.
    #[serde(default = "one")]
    #[schema(value_type = u32, minimum = 1, maximum = 100, default = 1)]
    uses: Uses,
    /// Its lifetime in seconds.
    #[serde(default = "a_week")]
    #[schema(value_type = u32, minimum = 60, maximum = 2592000, default = 604800)]
    expires_in_seconds: InviteSeconds,
}

fn one() -> Uses {
    Uses::of::<1>()
}

fn a_week() -> InviteSeconds {
    INVITE_SECONDS
}

impl Default for CreateInvite {
    fn default() -> CreateInvite {
        CreateInvite { seat: None, uses: one(), expires_in_seconds: a_week() }
    }
}

/// An invite to a match.
#[derive(Serialize, ToSchema)]
pub(crate) struct Invite {
    /// Its code, which is shown this once.
    #[schema(examples("7k2mq9xw4tbz"))]
    pub(crate) code: String,
    /// An address to send to a friend, where the operator has set one (`--invite-url`); null else.
    #[schema(required)]
    pub(crate) url: Option<String>,
    /// The seat that it is for; null for whichever is free.
    #[schema(required)]
    pub(crate) seat: Option<Seat>,
    /// Until when it is good, at most.
    #[schema(value_type = String, format = "date-time")]
    pub(crate) expires_at: Moment,
}

impl Invite {
    fn of(MadeInvite { code, seat, until }: MadeInvite, config: &ServerConfig) -> Invite {
        let url = config.invite_url.as_ref().map(|url| url.replace("{code}", &code));
        Invite { code, url, seat, expires_at: Moment(until) }
    }
}

/// The match and the seat that an invite leads to.
#[derive(ToSchema)]
pub struct Invitation<'a> {
    /// The match, as anybody sees it.
    pub r#match: Match<'a>,
    /// The seat that the invite is for; null for whichever is free.
    #[schema(required)]
    pub seat: Option<Seat>,
    /// Until when the invite is good, at most; null for the `invite_code` of a private match, which is good as long as the
    /// match waits.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub expires_at: Option<Moment>,
}

/// Make an invite
///
/// For the seats and the creator of a match that has not started: a code with which a number of people may look at the match
/// and join it, private or not. The code is shown this once. A match can have 20 that are good. An `Idempotency-Key` is
/// ignored, because the code is a secret that is not stored.
#[utoipa::path(
    operation_id = "createInvite",
    tag = "matches",
    params(Path::<MatchId>),
    request_body = CreateInvite,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::MatchNotOpen, Code::NoSuchSeat, Code::SeatTaken, Code::SeatReserved,
        Code::Conflict
    ])), ("x-optional-body" = json!(true))),
    responses((status = 201, description = "The invite.", body = Invite)),
    security(("bearer" = ["create"]))
)]
#[post("/v1/matches/{match_id}/invites")]
pub(crate) async fn create_invite(
    service: Shared,
    config: web::Data<ServerConfig>,
    caller: Playing,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let asked = body.decode_if_any::<CreateInvite>().map(|asked| {
        let CreateInvite { seat, uses, expires_in_seconds } = asked.unwrap_or_default();
        NewInvite { seat, substitutes: false, uses: uses.get() as u8, seconds: expires_in_seconds.get() }
    });
    let reader = Reader::from(&*caller);
    let made = service.matches.make_invite(&reader, &id, asked.map_err(Unread::new)).await?;
    Ok(HttpResponse::Created().json(Invite::of(made, &config)))
}

/// The seat that a substitute may take over, and the time for which the offer is good.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubstituteRequest {
    /// The seat; if left out or null, the caller's own.
    #[serde(default)]
    seat: Option<Seat>,
    /// The lifetime of the offer in seconds.
    #[serde(default = "a_week")]
    #[schema(value_type = u32, minimum = 60, maximum = 2592000, default = 604800)]
    expires_in_seconds: InviteSeconds,
}

impl Default for SubstituteRequest {
    fn default() -> SubstituteRequest {
        SubstituteRequest { seat: None, expires_in_seconds: a_week() }
    }
}

/// Offer a seat to a substitute
///
/// While the match is played: an invite with which one other player takes over the caller's seat, with all that it sees
/// and has. A creator who has never sat at the table may offer the seat of a player whose time to move has passed; a
/// creator who plays may not, since a substitute sees a hand. So where the creator plays, an absent opponent gets no
/// substitute: their clock runs out, or another seat claims (`POST /v1/matches/{match_id}/claim`). The absent player
/// keeps the seat until somebody takes it: anything they do in the match (`POST /v1/matches/{match_id}/return`, if it
/// is not their turn) ends the offer. Once replaced, they see no more than a stranger, and take no other seat. A new
/// offer ends the one before. An `Idempotency-Key` is ignored, because the code is a secret that is not stored.
#[utoipa::path(
    operation_id = "offerSubstitute",
    tag = "play",
    params(Path::<MatchId>),
    request_body = SubstituteRequest,
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::NotSeated, Code::Forbidden, Code::MatchNotPlaying, Code::MatchOver,
        Code::AlreadyResigned, Code::Conflict
    ])), ("x-optional-body" = json!(true))),
    responses((status = 201, description = "The invite.", body = Invite)),
    security(("bearer" = ["play"]))
)]
#[post("/v1/matches/{match_id}/substitute/offer")]
pub(crate) async fn offer_substitute(
    service: Shared,
    config: web::Data<ServerConfig>,
    caller: Playing,
    Path(id): Path<MatchId>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let asked = body.decode_if_any::<SubstituteRequest>().map(|asked| {
        let SubstituteRequest { seat, expires_in_seconds } = asked.unwrap_or_default();
        NewInvite { seat, substitutes: true, uses: 1, seconds: expires_in_seconds.get() }
    });
    let reader = Reader::from(&*caller);
    let made = service.matches.make_invite(&reader, &id, asked.map_err(Unread::new)).await?;
    Ok(HttpResponse::Created().json(Invite::of(made, &config)))
}

/// Look at an invite
///
/// The match that it leads to, as anybody sees it who may, without the state of its game: by a code of `createInvite` or
/// `offerSubstitute`, or by the `invite_code` of a private match. An address may look thirty times a minute, unless the
/// operator sets another number.
#[utoipa::path(
    operation_id = "getInvite",
    tag = "matches",
    params(Path::<InviteCode>),
    extensions(("x-problems" = json!([Code::WrongInvite, Code::RateLimited, Code::StoreUnavailable]))),
    responses((status = 200, description = "The match.", body = Invitation)),
    security(())
)]
#[get("/v1/invites/{invite_code}")]
pub(crate) async fn get_invite(
    service: Shared,
    request: HttpRequest,
    Path(InviteCode(code)): Path<InviteCode>,
) -> Result<HttpResponse, Problem> {
    allowance::count_invite(&request, &service, None).await?;
    let found = service.matches.invitation(&code).await?;
    Ok(json::json(&mut HttpResponse::Ok(), invitation(&found)?))
}

/// A request to join with an invite.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteJoinRequest {
    /// Any text; it is mixed into the dice.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 256, examples("oak, ash and thorn"))]
    entropy: Option<SeatEntropy>,
}

/// Join with an invite
///
/// Takes the seat that the invite is for, or else one that is free; the body may be left out. With the invite of a seat that
/// is offered to a substitute it takes that over, while the match is played; entropy is of no account then. The `invite_code`
/// of a private match is an invite too. An invite that is unknown, used up or expired, and one to a match that has begun
/// without the caller, are answered alike.
#[utoipa::path(
    operation_id = "joinByInvite",
    tag = "matches",
    params(Path::<InviteCode>),
    request_body = InviteJoinRequest,
    extensions(("x-problems" = json!([
        Code::WrongInvite, Code::Forbidden, Code::MatchExpired, Code::MatchFull, Code::SeatTaken, Code::SeatReserved,
        Code::AlreadySeated, Code::PlayerNotFound, Code::Conflict, Code::Blocked, Code::LinkedRequired,
        Code::RatingOutOfRange
    ])), ("x-optional-body" = json!(true)), ("x-idempotent" = json!(true))),
    responses((status = 200, description = "The match with the caller in it.", body = MatchView)),
    security(("bearer" = ["play"]))
)]
#[post("/v1/invites/{invite_code}/join")]
pub(crate) async fn join_by_invite(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    Path(InviteCode(code)): Path<InviteCode>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &["joinByInvite"], body.bytes(), Nulls::AreNothing)?;
    allowance::count_invite(&request, &service, Some(&caller)).await?;
    let InviteJoinRequest { entropy } = match body.decode_if_any() {
        Ok(asked) => asked.unwrap_or_default(),
        // A wrong code is refused first.
        Err(unread) => return Err(service.matches.invitation(&code).await.map_or_else(Problem::from, |_| unread)),
    };
    seated(service.join_by_invite(&caller, &code, entropy, once.as_ref()).await?)
}
