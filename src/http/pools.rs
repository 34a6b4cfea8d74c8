//! Pools: "play now".

use actix_web::{HttpRequest, HttpResponse, delete, get, put};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::edge::deadline::Deadline;
use crate::edge::long_poll::{HEARTBEAT, WAIT_MAX};
use crate::extract::body::RawBody;
use crate::extract::caller::{Caller, OpenRead, Playing, Writer};
use crate::extract::params::{Path, PoolParam, Query, Within};
use crate::matches::read::Poll;
use crate::service::{Service, Shared};
use sarsen_base::ids::MatchId;
use sarsen_matches::Refused;
use sarsen_matches::feed::notifier::{Topic, Watch};
use sarsen_matches::model::clock::Speed;
use sarsen_matches::model::fairness::SeatEntropy;
use sarsen_matches::model::refused::Forbidden;
use sarsen_service::pools::{PlayerPool, PoolRefused, PoolSize, RatingRange, TicketState, TicketView, TicketWish};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(list_pools).service(put_ticket).service(get_ticket).service(take_ticket_back);
}

/// A pool.
#[derive(Serialize, ToSchema)]
#[schema(as = Pool)]
pub(crate) struct PoolBody {
    /// The id.
    #[schema(examples("contiguity-live"))]
    id: String,
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: String,
    /// The fewest players of a match.
    #[schema(minimum = 2, maximum = 5)]
    min_seats: u8,
    /// The most players of a match.
    #[schema(minimum = 2, maximum = 5)]
    max_seats: u8,
    /// The preset of its matches: `getGame` has their clock.
    #[schema(examples("live-5-5"))]
    preset: String,
    /// The speed of its matches.
    speed: Speed,
    /// Indicates whether its matches change ratings.
    rated: bool,
    /// The number of tickets that wait, rounded down to 0, 1, 2, 5, 10, 20, 50 and so on, at most 500.
    waiting: usize,
    /// The median wait of the pool's matches of the last minutes, in seconds; null where there was none.
    #[schema(required)]
    typical_wait_seconds: Option<u32>,
}

impl PoolBody {
    /// A pool of this size.
    pub(crate) fn of(pool: &PlayerPool, size: PoolSize) -> PoolBody {
        PoolBody {
            id: pool.id.clone(),
            game: pool.game.clone(),
            min_seats: pool.seats.min,
            max_seats: pool.seats.max,
            preset: pool.preset.clone(),
            speed: pool.speed(),
            rated: pool.rated,
            waiting: size.waiting,
            typical_wait_seconds: size.typical_wait_seconds,
        }
    }
}

/// The pools.
#[derive(Serialize, ToSchema)]
pub(crate) struct PoolList {
    /// The pools, always in the same order.
    pub(crate) items: Vec<PoolBody>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}

/// The ratings of opponents that a player accepts, both ends included.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RatingRange)]
pub(crate) struct RatingRangeBody {
    /// The lowest.
    #[schema(value_type = i32, minimum = 0, maximum = 10000)]
    min: Within<0, 10_000>,
    /// The highest.
    #[schema(value_type = i32, minimum = 0, maximum = 10000)]
    max: Within<0, 10_000>,
}

/// The wishes of a player who wants to play now.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TicketWishes {
    /// The ratings of opponents that the caller accepts; if left out or null, all.
    #[serde(default)]
    rating_range: Option<RatingRangeBody>,
    /// Any text; it is mixed into the dice. If left out or null, what was given before stays.
    #[serde(default)]
    #[schema(value_type = Option<String>, min_length = 1, max_length = 256, examples("oak, ash and thorn"))]
    entropy: Option<SeatEntropy>,
}

impl TicketWishes {
    fn read(self) -> Result<TicketWish, Problem> {
        let range = self.rating_range.map(|RatingRangeBody { min, max }| (min.get(), max.get()));
        if range.is_some_and(|(min, max)| min > max) {
            let detail = "the lowest rating is above the highest";
            return Err(Problem::new(Code::InvalidRequest).path("rating_range").detail(detail));
        }
        let range = range.map(|(min, max)| RatingRange { min: min.cast_signed(), max: max.cast_signed() });
        Ok(TicketWish { range, entropy: self.entropy, owner: None })
    }
}

/// The wait for a match.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TicketQuery {
    /// Seconds to wait for the match, before the answer says that the ticket still waits.
    #[serde(default)]
    #[param(value_type = u32, minimum = 0, maximum = 30, default = 0)]
    wait: Within<0, WAIT_MAX>,
}

/// The state of a ticket.
///
/// - `waiting`: It waits for others.
/// - `matched`: Its match is made, and has started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PoolTicketState {
    Waiting,
    Matched,
}

/// A ticket of a pool.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PoolTicket)]
pub(crate) struct PoolTicketBody {
    /// The pool.
    #[schema(examples("contiguity-live"))]
    pool: String,
    /// The state of the ticket.
    state: PoolTicketState,
    /// The time at which it was put in.
    #[schema(value_type = String, format = "date-time")]
    since: Moment,
    /// The time at which it lapses unless it is put in again; null once it is matched.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    keep_until: Option<Moment>,
    /// The commitment of the match if this is the oldest ticket in it: 64 hexadecimal digits; null once it is matched.
    #[schema(required)]
    commitment: Option<String>,
    /// The match; null while it waits.
    #[schema(value_type = Option<String>, required)]
    match_id: Option<MatchId>,
}

impl PoolTicketBody {
    /// A ticket of this pool.
    pub(crate) fn of(pool: &str, TicketView { since, state }: TicketView) -> PoolTicketBody {
        let (state, keep_until, commitment, match_id) = match state {
            TicketState::Waiting { keep_until, commitment } => {
                (PoolTicketState::Waiting, Some(Moment(keep_until)), Some(commitment), None)
            }
            TicketState::Matched { match_id } => (PoolTicketState::Matched, None, None, Some(match_id)),
        };
        PoolTicketBody { pool: pool.to_owned(), state, since: Moment(since), keep_until, commitment, match_id }
    }
}

impl From<PoolRefused> for Problem {
    fn from(refused: PoolRefused) -> Problem {
        let detail = refused.to_string();
        match refused {
            PoolRefused::PoolNotFound => Problem::new(Code::PoolNotFound),
            PoolRefused::NoTicket => Problem::new(Code::NotFound).detail(detail),
            PoolRefused::AlreadyPlaying(id) => Problem::new(Code::AlreadyPlaying).match_id(&id).detail(detail),
            PoolRefused::AlreadyMatched(id) => Problem::new(Code::AlreadyMatched).match_id(&id).detail(detail),
            PoolRefused::Full => Problem::new(Code::LimitReached).detail(detail),
            PoolRefused::Busy => Problem::new(Code::Conflict).detail(detail),
            PoolRefused::Matches(refused) => refused.into(),
            PoolRefused::People(refused) => refused.into(),
            PoolRefused::Store(error) => error.into(),
        }
    }
}

fn find<'a>(service: &'a Service, pool: &PoolParam) -> Result<&'a PlayerPool, Problem> {
    Ok(service.pools.find(&pool.0)?)
}

/// List the pools
///
/// Each pool makes matches of one game with one preset, for players who want to play now.
#[utoipa::path(
    operation_id = "listPools",
    tag = "pools",
    security(()),
    extensions(("x-problems" = json!([Code::RateLimited, Code::StoreUnavailable]))),
    responses((status = 200, description = "The pools.", body = PoolList))
)]
#[get("/v1/pools")]
pub(crate) async fn list_pools(service: Shared, _: OpenRead) -> Result<HttpResponse, Problem> {
    let (pools, sizes) = (service.pools.all(), service.pools.sizes().await?);
    let items = pools.iter().zip(sizes).map(|(pool, size)| PoolBody::of(pool, size)).collect();
    Ok(HttpResponse::Ok().json(PoolList { items, next_cursor: None }))
}

/// Play now
///
/// Puts the caller's ticket into a pool, or renews it; the body may be left out. The service pairs tickets every two seconds,
/// draws seats and starts the match: nobody accepts anything. A ticket of a live pool lapses 60 seconds after it was last
/// put in, one of a correspondence pool after seven days, so repeat the request with `wait` until the `state` is `matched`.
/// The state stays `matched` for ten minutes, and `/v1/me/stream` tells of the match too.
///
/// A player has one ticket in a pool, also with several devices, and waits in at most three pools. Once matched, all
/// tickets of a player are gone. A live pool refuses players who sit in a live match that is being played. Players who
/// block each other are not paired, nor persons with bot accounts, nor the opponents of the pool's last match if others
/// wait (for an hour after a live one, otherwise for a week). Matches of persons have `programs: refuse`, so a person's
/// program gets no ticket (403 `forbidden`).
///
/// Of the dice: `commitment` fixes the service's part, where this is the oldest ticket of the match. Where no player gave
/// `entropy` the service alone chose the dice.
#[utoipa::path(
    operation_id = "putTicket",
    tag = "pools",
    params(Path::<PoolParam>, TicketQuery),
    request_body = TicketWishes,
    extensions(("x-problems" = json!([
        Code::PoolNotFound, Code::NotFound, Code::LinkedRequired, Code::AlreadyPlaying, Code::LimitReached,
        Code::PlayerNotFound, Code::Forbidden, Code::Conflict
    ])), ("x-optional-body" = json!(true))),
    responses((status = 200, description = "The ticket.", body = PoolTicketBody)),
    security(("bearer" = ["play"]))
)]
#[put("/v1/pools/{pool_id}/ticket")]
pub(crate) async fn put_ticket(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    deadline: Deadline,
    Path(pool): Path<PoolParam>,
    Query(query): Query<TicketQuery>,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let pool = find(&service, &pool)?;
    if caller.program.is_some() && caller.kind().is_person() {
        return Err(Refused::from(Forbidden::NoPrograms).into());
    }
    if pool.rated && !service.may_be_rated(&caller).await? {
        return Err(Code::LinkedRequired.into());
    }
    let mut wish = body.decode_if_any::<TicketWishes>()?.unwrap_or_default().read()?;
    wish.owner = caller.program.as_ref().and_then(|program| program.owner.clone());
    let player = service.seated(&caller).await?;
    let poll = Poll { service: &service, request: &request, deadline: &deadline, principal: Some(&*caller) };
    let ticket = async |seen: Option<(&Watch, &TicketView)>| match seen {
        None => Ok(service.pools.put(&player, pool, &wish).await?),
        Some(_) => Ok(service.pools.read(&caller.player, pool).await?),
    };
    let waits = |view: &TicketView| matches!(view.state, TicketState::Waiting { .. });
    let view =
        poll.again(query.wait.seconds(), (Topic::Inbox(caller.player.clone()), HEARTBEAT), ticket, waits).await?;
    Ok(HttpResponse::Ok().json(PoolTicketBody::of(&pool.id, view)))
}

/// Read my ticket
///
/// It does not renew the ticket. 404 `not_found` where the caller has none in this pool.
#[utoipa::path(
    operation_id = "getTicket",
    tag = "pools",
    params(Path::<PoolParam>),
    extensions(("x-problems" = json!([Code::PoolNotFound, Code::NotFound]))),
    responses((status = 200, description = "The ticket.", body = PoolTicketBody)),
    security(("bearer" = ["read"]))
)]
#[get("/v1/pools/{pool_id}/ticket")]
pub(crate) async fn get_ticket(
    service: Shared,
    Caller(caller): Caller,
    Path(pool): Path<PoolParam>,
) -> Result<HttpResponse, Problem> {
    let pool = find(&service, &pool)?;
    let view = service.pools.read(&caller.player, pool).await?;
    Ok(HttpResponse::Ok().json(PoolTicketBody::of(&pool.id, view)))
}

/// Take my ticket back
///
/// Does nothing where the caller has none. One that was matched before is answered with 409 `already_matched` and `match_id`.
#[utoipa::path(
    operation_id = "takeTicketBack",
    tag = "pools",
    params(Path::<PoolParam>),
    extensions(("x-problems" = json!([Code::PoolNotFound, Code::AlreadyMatched, Code::Conflict]))),
    responses((status = 204, description = "The caller has no ticket in the pool.")),
    security(("bearer" = ["play"]))
)]
#[delete("/v1/pools/{pool_id}/ticket")]
pub(crate) async fn take_ticket_back(
    service: Shared,
    Writer(caller): Writer,
    Path(pool): Path<PoolParam>,
) -> Result<HttpResponse, Problem> {
    service.pools.take_back(&caller.player, find(&service, &pool)?).await?;
    Ok(HttpResponse::NoContent().finish())
}
