//! Ratings: what a match has changed, and what a player has.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::etag;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::caller::{MaybeCaller, OpenRead};
use crate::extract::params::{BoardParam, PageLimit, Path, Query};
use crate::leaderboards::{get_leaderboard, get_leaderboard_player, list_leaderboards};
use crate::service::{Service, Shared};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_service::ratings::{Category, CategoryKind, MatchRating, RatedChange, Rating, shown};

pub(crate) fn routes(config: &mut ServiceConfig) {
    config
        .service(get_match_ratings)
        .service(get_player_ratings)
        .service(get_rating_history)
        .service(list_leaderboards)
        .service(get_leaderboard)
        .service(get_leaderboard_player);
}

/// The effect of a match on a player's rating.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingChange {
    /// The rating before, in whole points.
    before: i64,
    /// The rating after.
    after: i64,
    /// The deviation after: the lower, the more certain the rating is.
    #[schema(minimum = 45, maximum = 350)]
    deviation: i64,
    /// Indicates whether the rating after is provisional: too uncertain for a board.
    provisional: bool,
    /// Indicates whether the match counts for the player. It does not where another has lost without a move, beyond ten
    /// matches a day among the same players, and where an operator has annulled it.
    counted: bool,
}

impl From<&MatchRating> for RatingChange {
    fn from(change: &MatchRating) -> RatingChange {
        let MatchRating { before, after, provisional, counted, .. } = *change;
        let (before, rating, deviation) = (shown(before.rating), shown(after.rating), shown(after.deviation));
        RatingChange { before, after: rating, deviation, provisional, counted }
    }
}

/// The effect of a match on the player of one seat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeatRatingChange {
    /// The seat.
    seat: Seat,
    /// The effect.
    change: RatingChange,
}

/// The effect of a match on the ratings of its players.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchRatings {
    /// The board of the category in which it is rated.
    #[schema(examples("contiguity.2.live"))]
    board: String,
    /// The seats, in order.
    seats: Vec<SeatRatingChange>,
}

/// Read what a match has changed
///
/// Ratings are computed in the second after the end of the match. `match_over` comes first: until then the answer is
/// `rating_not_ready`, so ask again after a moment.
#[utoipa::path(
    operation_id = "getMatchRatings",
    tag = "ratings",
    params(Path::<MatchId>),
    extensions(("x-problems" = json!([
        Code::MatchNotFound, Code::MatchNotOver, Code::RatingNotReady, Code::NotFound
    ])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The changes.", body = MatchRatings)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/matches/{match_id}/ratings")]
pub(crate) async fn get_match_ratings(
    service: Shared,
    caller: MaybeCaller,
    request: HttpRequest,
    Path(id): Path<MatchId>,
) -> Result<HttpResponse, Problem> {
    let viewed = service.matches.read(&caller.reader(None), &id).await?;
    let stored = &viewed.live.stored;
    if !stored.terms.is_rated() {
        return Err(Problem::new(Code::NotFound).detail("the match is not rated"));
    }
    let result = viewed.live.rated_result().ok_or(Code::MatchNotOver)?;
    let changes = service.ratings.of_match(&result).await?.ok_or(Code::RatingNotReady)?;
    let seats = viewed.live.seat_count().seats().zip(&changes);
    let seats = seats.map(|(seat, change)| SeatRatingChange { seat, change: change.into() }).collect();
    answer(&request, &MatchRatings { board: result.category, seats })
}

/// A player's rating in one category.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerRating {
    /// The board of the category.
    #[schema(examples("contiguity.2.live"))]
    board: String,
    /// The rating, in whole points. Everybody begins with 1500.
    rating: i64,
    /// The deviation: the lower, the more certain the rating is.
    #[schema(minimum = 45, maximum = 350)]
    deviation: i64,
    /// Indicates whether the rating is provisional: too uncertain for the board.
    provisional: bool,
    /// The number of matches that have counted.
    played: u32,
    /// The end of the last of them, RFC 3339 in UTC; null where none has counted.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    last_at: Option<Moment>,
}

impl PlayerRating {
    /// The rating in a category.
    pub(crate) fn of(category: Category, rating: &Rating) -> PlayerRating {
        PlayerRating {
            rating: shown(rating.rating),
            deviation: shown(rating.deviation),
            provisional: rating.is_provisional(matches!(category.kind, CategoryKind::Ratings { two_seats: true, .. })),
            played: rating.played,
            last_at: rating.at.map(Moment),
            board: category.name,
        }
    }
}

/// The ratings of a player.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerRatings {
    /// One for each category in which a match has counted.
    items: Vec<PlayerRating>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Read a player's ratings
///
/// One for each category in which a match of the player has counted. A deviation is as of the last match, and grows until
/// the next.
#[utoipa::path(
    operation_id = "getPlayerRatings",
    tag = "ratings",
    params(Path::<PlayerId>),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::RateLimited, Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The ratings.", body = PlayerRatings)),
    security(())
)]
#[get("/v1/players/{player_id}/ratings")]
pub(crate) async fn get_player_ratings(
    service: Shared,
    _: OpenRead,
    request: HttpRequest,
    Path(id): Path<PlayerId>,
) -> Result<HttpResponse, Problem> {
    let id = somebody(&service, &id).await?.id;
    let found = service.ratings.of_player(&id).await?;
    let items = found.into_iter().map(|(category, rating)| PlayerRating::of(category, &rating)).collect();
    answer(&request, &PlayerRatings { items, next_cursor: None })
}

/// A change of a player's rating.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatedMatchChange {
    /// The match, which may have been deleted since; null for a private match in which the caller did not play.
    #[schema(value_type = Option<String>, required)]
    match_id: Option<MatchId>,
    /// The end of the match, RFC 3339 in UTC.
    #[schema(value_type = String, format = "date-time")]
    at: Moment,
    /// The effect.
    change: RatingChange,
}

/// A page of changes of a player's rating.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RatingHistoryPage {
    /// The changes, the newest first.
    items: Vec<RatedMatchChange>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// The page of a list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RatingPageQuery {
    /// At most this many.
    #[serde(default)]
    #[param(value_type = u32, minimum = 1, maximum = 100, default = 50)]
    pub(crate) limit: PageLimit<50, 100>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[serde(default)]
    #[param(nullable = false, max_length = 200)]
    pub(crate) cursor: Option<String>,
}

/// The problem of a cursor that is none, or none any more.
pub(crate) fn no_cursor(detail: &str) -> Problem {
    Problem::new(Code::InvalidParameter).field("cursor").detail(detail)
}

/// Read the history of a rating
///
/// The matches that have changed a player's rating in a category, as they were computed then. Of a match that was
/// annulled `counted` is false; the entries of later matches keep the ratings computed then. Boards of results have no
/// history.
#[utoipa::path(
    operation_id = "getRatingHistory",
    tag = "ratings",
    params(Path::<PlayerId>, Path::<BoardParam>, RatingPageQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::BoardNotFound, Code::StoreUnavailable]))),
    responses((status = 200, description = "The changes.", body = RatingHistoryPage)),
    security((), ("bearer" = ["read"]))
)]
#[get("/v1/players/{player_id}/ratings/{board}/history")]
pub(crate) async fn get_rating_history(
    service: Shared,
    caller: MaybeCaller,
    Path(id): Path<PlayerId>,
    Path(BoardParam(board)): Path<BoardParam>,
    Query(query): Query<RatingPageQuery>,
) -> Result<HttpResponse, Problem> {
    let id = somebody(&service, &id).await?.id;
    let category = Some(known_board(&service, &board).await?).filter(Category::is_rated).ok_or(Code::BoardNotFound)?;
    let reader = caller.0.as_ref().map(|caller| &caller.player);
    let wrong = || no_cursor("this is no cursor of a history of ratings");
    let cursor = query.cursor.map(|cursor| cursor.parse::<u32>()).transpose().map_err(|_| wrong())?;
    let of = (category.name.as_str(), reader);
    let found = service.ratings.history(of, &id, cursor.map(u64::from), query.limit.get()).await?;
    let (changes, next) = found.ok_or_else(wrong)?;
    let item = |RatedChange { match_id, at, change }: RatedChange| RatedMatchChange {
        match_id,
        at: Moment(at),
        change: (&change).into(),
    };
    let items = changes.into_iter().map(item).collect();
    Ok(HttpResponse::Ok().json(RatingHistoryPage { items, next_cursor: next.map(|next| next.to_string()) }))
}

pub(crate) fn answer(request: &HttpRequest, body: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(etag::answer_with(request, serde_json::to_vec(body).map_err(Problem::internal)?))
}

/// A player who has not left for good.
async fn somebody(service: &Service, id: &PlayerId) -> Result<sarsen_accounts::players::Player, Problem> {
    if service.statuses.is_gone(id) { Err(Code::PlayerNotFound.into()) } else { service.known_player(id).await }
}

pub(crate) async fn known_board(service: &Service, board: &str) -> Result<Category, Problem> {
    service.ratings.category(board).await?.ok_or_else(|| Code::BoardNotFound.into())
}
