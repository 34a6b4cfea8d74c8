//! Ratings and boards: what a match has changed, what a player has, and who stands where.

use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::etag;
use crate::answer::moment::Moment;
use crate::answer::problem::Problem;
use crate::extract::caller::MaybeCaller;
use crate::extract::params::{BoardParam, PageLimit, Path, Query, Within};
use crate::players::PlayerBody;
use crate::service::{Service, Shared};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_service::ratings::{BoardCursor, BoardRow, Category, MatchRating, RatedChange, Rating, StaleCursor, shown};

/// Mounts the resource.
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
    responses((status = 200, description = "The changes.", body = MatchRatings, example = json!({
        "board": "contiguity.2.live",
        "seats": [
            {"seat": 0, "change": {"before": 1500, "after": 1662, "deviation": 290, "provisional": true, "counted": true}},
            {"seat": 1, "change": {"before": 1500, "after": 1338, "deviation": 290, "provisional": true, "counted": true}}
        ]
    }))),
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
    fn of(category: Category, rating: &Rating) -> PlayerRating {
        PlayerRating {
            rating: shown(rating.rating),
            deviation: shown(rating.deviation),
            provisional: rating.is_provisional(category.two_seats),
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
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The ratings.", body = PlayerRatings, example = json!({
        "items": [{
            "board": "contiguity.2.live", "rating": 1662, "deviation": 290, "provisional": true, "played": 1,
            "last_at": "2026-11-22T00:10:00.120Z"
        }],
        "next_cursor": null
    }))),
    security(())
)]
#[get("/v1/players/{player_id}/ratings")]
pub(crate) async fn get_player_ratings(
    service: Shared,
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
    /// The match, which may have been deleted since.
    #[schema(value_type = String)]
    match_id: MatchId,
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
    limit: PageLimit<50, 100>,
    /// The place to continue from: the `next_cursor` of the page before.
    #[serde(default)]
    #[param(nullable = false, max_length = 200)]
    cursor: Option<String>,
}

/// The problem of a cursor that is none, or none any more.
fn no_cursor(detail: &str) -> Problem {
    Problem::new(Code::InvalidParameter).field("cursor").detail(detail)
}

/// Read the history of a rating
///
/// The matches that have changed a player's rating in a category, as they were computed then. Of a match that was annulled
/// `counted` is false; the ratings of later matches are not told anew.
#[utoipa::path(
    operation_id = "getRatingHistory",
    tag = "ratings",
    params(Path::<PlayerId>, Path::<BoardParam>, RatingPageQuery),
    extensions(("x-problems" = json!([Code::PlayerNotFound, Code::BoardNotFound, Code::StoreUnavailable]))),
    responses((status = 200, description = "The changes.", body = RatingHistoryPage, example = json!({
        "items": [{
            "match_id": "m_0190163d8694739ea2a3c9f1e7d1a111", "at": "2026-11-22T00:10:00.120Z",
            "change": {"before": 1500, "after": 1662, "deviation": 290, "provisional": true, "counted": true}
        }],
        "next_cursor": null
    }))),
    security(())
)]
#[get("/v1/players/{player_id}/ratings/{board}/history")]
pub(crate) async fn get_rating_history(
    service: Shared,
    Path(id): Path<PlayerId>,
    Path(BoardParam(board)): Path<BoardParam>,
    Query(query): Query<RatingPageQuery>,
) -> Result<HttpResponse, Problem> {
    let id = somebody(&service, &id).await?.id;
    let category = known_board(&service, &board).await?;
    let wrong = || no_cursor("this is no cursor of a history of ratings");
    let cursor = query.cursor.map(|cursor| cursor.parse::<u32>()).transpose().map_err(|_| wrong())?;
    let found = service.ratings.history(&category.name, &id, cursor.map(u64::from), query.limit.get()).await?;
    let (changes, next) = found.ok_or_else(wrong)?;
    let item = |RatedChange { match_id, at, change }: RatedChange| RatedMatchChange {
        match_id,
        at: Moment(at),
        change: (&change).into(),
    };
    let items = changes.into_iter().map(item).collect();
    Ok(HttpResponse::Ok().json(RatingHistoryPage { items, next_cursor: next.map(|next| next.to_string()) }))
}

/// A board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Leaderboard {
    /// Its id: the game, the number of seats, the speed, and `programs` for bot accounts.
    #[schema(examples("contiguity.2.live"))]
    id: String,
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: String,
    /// The number of seats of its matches: `2` or `3-5`.
    #[schema(value_type = String, examples("2"))]
    seats: &'static str,
    /// The speed of its matches: `live` or `correspondence`.
    #[schema(value_type = String, examples("live"))]
    speed: &'static str,
    /// Indicates whether its matches are of bot accounts.
    programs: bool,
}

/// All boards.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LeaderboardList {
    /// The boards, in the order of their ids.
    items: Vec<Leaderboard>,
    /// Always null: the list has one page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List the boards
///
/// One for each category in which matches are rated together; most may be empty.
#[utoipa::path(
    operation_id = "listLeaderboards",
    tag = "ratings",
    extensions(("x-problems" = json!([Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The boards.", body = LeaderboardList, example = json!({
        "items": [
            {"id": "contiguity.2.live", "game": "contiguity", "seats": "2", "speed": "live", "programs": false}
        ],
        "next_cursor": null
    }))),
    security(())
)]
#[get("/v1/leaderboards")]
pub(crate) async fn list_leaderboards(service: Shared, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let board = |category: Category| Leaderboard {
        seats: category.seats(),
        speed: category.speed(),
        programs: category.programs,
        id: category.name,
        game: category.game,
    };
    let items = service.ratings.categories().await?.into_iter().map(board).collect();
    answer(&request, &LeaderboardList { items, next_cursor: None })
}

/// A row of a board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LeaderboardRow {
    /// The rank, from 1. Equals share one: 1, 2, 2, 2, 5.
    #[schema(minimum = 1)]
    rank: u64,
    /// The player as anybody sees them.
    player: PlayerBody,
    /// The rating, in whole points. Ranks go by hundredths of a point.
    rating: i64,
    /// The deviation: the lower, the more certain the rating is.
    #[schema(minimum = 45, maximum = 350)]
    deviation: i64,
    /// The number of matches that have counted.
    played: u32,
}

/// A page of a board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LeaderboardPage {
    /// The rows, the best first; of equals who was there first. Who is banned is left out, so a page may be short while more
    /// follow.
    items: Vec<LeaderboardRow>,
    /// The cursor of the next page; null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// Read a board
///
/// The players whose rating is not provisional and who have played in the last 90 days. All pages of one walk show the board
/// of its first page, whatever is rated meanwhile. A walk that takes too long is 400 `invalid_parameter`: begin it again.
#[utoipa::path(
    operation_id = "getLeaderboard",
    tag = "ratings",
    params(Path::<BoardParam>, RatingPageQuery),
    extensions(("x-problems" = json!([Code::BoardNotFound, Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "A page of the board.", body = LeaderboardPage, example = json!(board_example()))),
    security(())
)]
#[get("/v1/leaderboards/{board}")]
pub(crate) async fn get_leaderboard(
    service: Shared,
    request: HttpRequest,
    Path(BoardParam(board)): Path<BoardParam>,
    Query(query): Query<RatingPageQuery>,
) -> Result<HttpResponse, Problem> {
    let category = known_board(&service, &board).await?;
    let cursor = query.cursor.as_deref().map(Cursor::from_str).transpose();
    let cursor = cursor.map_err(|()| no_cursor("this is no cursor of a board"))?;
    let page =
        service.ratings.board(&category.name, cursor.as_ref().map(|cursor| &cursor.0), query.limit.get()).await?;
    let page = page.map_err(|stale: StaleCursor| no_cursor(&stale.to_string()))?;
    let items = rows(&service, page.rows).await?;
    answer(&request, &LeaderboardPage { items, next_cursor: page.next.map(|next| Cursor(next).to_string()) })
}

/// The neighbours to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct NeighbourQuery {
    /// The most neighbours on each side.
    #[serde(default = "neighbours")]
    #[param(value_type = u32, minimum = 0, maximum = 25, default = 5)]
    around: Within<0, 25>,
}

fn neighbours() -> Within<0, 25> {
    Within::of::<5>()
}

/// Read a player's place on a board
///
/// The player with the neighbours on both sides. `player_not_found` for who is not on the board.
#[utoipa::path(
    operation_id = "getLeaderboardPlayer",
    tag = "ratings",
    params(Path::<BoardParam>, Path::<PlayerId>, NeighbourQuery),
    extensions(("x-problems" = json!([Code::BoardNotFound, Code::PlayerNotFound, Code::StoreUnavailable])),
        ("x-cached" = json!(true))),
    responses((status = 200, description = "The rows.", body = LeaderboardPage, example = json!(board_example()))),
    security(())
)]
#[get("/v1/leaderboards/{board}/players/{player_id}")]
pub(crate) async fn get_leaderboard_player(
    service: Shared,
    request: HttpRequest,
    Path(BoardParam(board)): Path<BoardParam>,
    Path(id): Path<PlayerId>,
    Query(query): Query<NeighbourQuery>,
) -> Result<HttpResponse, Problem> {
    let category = known_board(&service, &board).await?;
    let found = service.ratings.around(&category.name, &id, query.around.get() as usize).await?;
    let items = rows(&service, found.ok_or(Code::PlayerNotFound)?).await?;
    answer(&request, &LeaderboardPage { items, next_cursor: None })
}

fn board_example() -> serde_json::Value {
    serde_json::json!({
        "items": [{
            "rank": 1,
            "player": {
                "id": "p_0190163d8694739ea2a3c9f1e7d1a444", "name": "Sorrel", "kind": "person", "tag": "3924",
                "created_at": "2026-11-20T18:30:00.123Z"
            },
            "rating": 1804, "deviation": 71, "played": 48
        }],
        "next_cursor": null
    })
}

fn answer(request: &HttpRequest, body: &impl Serialize) -> Result<HttpResponse, Problem> {
    Ok(etag::answer_with(request, serde_json::to_vec(body).map_err(Problem::internal)?))
}

/// A player who has not left for good.
async fn somebody(service: &Service, id: &PlayerId) -> Result<sarsen_accounts::players::Player, Problem> {
    if service.marks.is_gone(id) { Err(Code::PlayerNotFound.into()) } else { service.known_player(id).await }
}

async fn known_board(service: &Service, board: &str) -> Result<Category, Problem> {
    service.ratings.category(board).await?.ok_or_else(|| Code::BoardNotFound.into())
}

async fn rows(service: &Service, found: Vec<BoardRow>) -> Result<Vec<LeaderboardRow>, Problem> {
    let rows = found.into_iter().map(|BoardRow { rank, player, rating }| async move {
        let player = service.players.player(&player).await?;
        let (rating, deviation, played) = (shown(rating.rating), shown(rating.deviation), rating.played);
        Ok::<_, Problem>(player.map(|player| LeaderboardRow { rank, player: player.into(), rating, deviation, played }))
    });
    Ok(try_join_all(rows).await?.into_iter().flatten().collect())
}

/// A cursor of a board as clients keep it.
#[derive(Debug, PartialEq)]
struct Cursor(BoardCursor);

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BoardCursor { length, last: (key, player), passed, rank } = &self.0;
        write!(f, "{length}.{key}.{player}.{passed}.{rank}")
    }
}

impl FromStr for Cursor {
    type Err = ();
    fn from_str(text: &str) -> Result<Cursor, ()> {
        let parts: Vec<&str> = text.split('.').collect();
        let &[length, key, player, passed, rank] = parts.as_slice() else { return Err(()) };
        let number = |text: &str| text.parse::<u32>().map(u64::from).map_err(|_| ());
        let last = (key.parse().map_err(|_| ())?, player.parse().map_err(|_| ())?);
        let (length, passed, rank) = (number(length)?, number(passed)?, number(rank)?);
        Ok(Cursor(BoardCursor { length, last, passed, rank }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let last = (-15_046_003_736_510, PlayerId::from_number(7));
        let cursor = Cursor(BoardCursor { length: 12, last, passed: 5, rank: 4 });
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
        for wrong in ["", "12", "12.1.p_x.5.4", "-1.1.p_00000000000000000000000000000007.5.4", "a.b.c.d.e"] {
            assert_eq!(wrong.parse::<Cursor>(), Err(()), "{wrong}");
        }
    }
}
