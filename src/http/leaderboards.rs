//! Boards: the ranks of players, by rating or by result.

use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::future::try_join_all;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::extract::caller::OpenRead;
use crate::extract::params::{BoardParam, Path, Query, Within};
use crate::players::PlayerBody;
use crate::ratings::{RatingPageQuery, answer, known_board, no_cursor};
use crate::service::{Service, Shared};
use sarsen_base::ids::PlayerId;
use sarsen_service::ratings::{BoardCursor, BoardRow, Category, CategoryKind, StaleCursor, shown};

/// A board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Leaderboard {
    /// Its id. Of ratings: the game, the number of seats, the speed, and `programs` for bot accounts. Of results: the game,
    /// `solo` or `coop`, the options, and the month.
    #[schema(examples("contiguity.2.live"))]
    id: String,
    /// The game's id.
    #[schema(examples("contiguity"))]
    game: String,
    /// The kind: `ratings`; `solo`, by the best score of a player alone; `coop`, by the longest streak of wins of a set of
    /// players. More may come: ignore one that you do not know.
    #[schema(value_type = String, examples("ratings"))]
    kind: &'static str,
    /// The number of seats of its matches: `2` or `3-5`; null on boards of results.
    #[schema(value_type = Option<String>, required, examples("2"))]
    seats: Option<&'static str>,
    /// The speed of its matches: `live` or `correspondence`; null on boards of results.
    #[schema(value_type = Option<String>, required, examples("live"))]
    speed: Option<&'static str>,
    /// Indicates whether its matches are of bot accounts. On boards of results there are none.
    programs: bool,
    /// The name of the game's options that count on a board of results, such as `default`; null on boards of ratings.
    #[schema(required, examples("default"))]
    options: Option<String>,
    /// The time that a board of results is of: `all`, or a month such as `month:2026-11`; null on boards of ratings.
    #[schema(required, examples("month:2026-11"))]
    window: Option<String>,
}

impl Leaderboard {
    fn of(Category { name: id, game, kind }: Category) -> Leaderboard {
        match kind {
            CategoryKind::Ratings { two_seats, live, programs } => {
                let (seats, speed) = (Some(Category::seats(two_seats)), Some(Category::speed(live)));
                Leaderboard { id, game, kind: "ratings", seats, speed, programs, options: None, window: None }
            }
            CategoryKind::Results { together, options, month } => Leaderboard {
                id,
                game,
                kind: if together { "coop" } else { "solo" },
                seats: None,
                speed: None,
                programs: false,
                options: Some(options),
                window: Some(month.map_or_else(|| "all".to_owned(), |month| format!("month:{month}"))),
            },
        }
    }
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
/// One for each category in which matches are rated together, and the boards of results; most may be empty.
///
/// On a board of results a public match counts from its start that one person plays, or persons together in a cooperative
/// game, with the options of the board, without bots of the service and with `hints` false. A month has a board of its own for
/// the matches that start in it, which is kept for 13 months.
#[utoipa::path(
    operation_id = "listLeaderboards",
    tag = "ratings",
    extensions(("x-problems" = json!([Code::RateLimited, Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The boards.", body = LeaderboardList)),
    security(())
)]
#[get("/v1/leaderboards")]
pub(crate) async fn list_leaderboards(
    service: Shared,
    _: OpenRead,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let items = service.ratings.categories().await?.into_iter().map(Leaderboard::of).collect();
    answer(&request, &LeaderboardList { items, next_cursor: None })
}

/// A row of a board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LeaderboardRow {
    /// The rank, from 1. Equals share one: 1, 2, 2, 2, 5.
    #[schema(minimum = 1)]
    rank: u64,
    /// The player as anybody sees them; on a `coop` board one of those who have played together.
    player: PlayerBody,
    /// The others of those who have played together; empty on other boards.
    #[schema(max_items = 4)]
    partners: Vec<PlayerBody>,
    /// The rating, in whole points; null on boards of results. Ranks go by hundredths of a point.
    #[schema(required)]
    rating: Option<i64>,
    /// The deviation: the lower, the more certain the rating is; null on boards of results.
    #[schema(required, minimum = 45, maximum = 350)]
    deviation: Option<i64>,
    /// The number of matches that have counted; on boards of results those that are over.
    played: u32,
    /// On a `solo` board the best score, on a `coop` board the most wins in a row; null on boards of ratings.
    #[schema(required)]
    score: Option<i64>,
    /// The number of matches that were won; null on boards of ratings.
    #[schema(required)]
    wins: Option<u32>,
    /// The number of matches that were started, also those that were never played to the end; null on boards of ratings.
    #[schema(required)]
    attempts: Option<u32>,
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
/// Of ratings: the players whose rating is not provisional and who have played in the last 90 days. Of results: those with a
/// score above 0. All pages of one walk show the board as of its first page. A walk that takes too long is 400
/// `invalid_parameter`: begin it again.
#[utoipa::path(
    operation_id = "getLeaderboard",
    tag = "ratings",
    params(Path::<BoardParam>, RatingPageQuery),
    extensions(("x-problems" = json!([Code::BoardNotFound, Code::RateLimited, Code::StoreUnavailable])), ("x-cached" = json!(true))),
    responses((status = 200, description = "A page of the board.", body = LeaderboardPage)),
    security(())
)]
#[get("/v1/leaderboards/{board}")]
pub(crate) async fn get_leaderboard(
    service: Shared,
    _: OpenRead,
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
/// The player with the neighbours on both sides, on a `coop` board in the best set of players that they belong to.
/// `player_not_found` for who is not on the board.
#[utoipa::path(
    operation_id = "getLeaderboardPlayer",
    tag = "ratings",
    params(Path::<BoardParam>, Path::<PlayerId>, NeighbourQuery),
    extensions(("x-problems" = json!([
        Code::BoardNotFound, Code::PlayerNotFound, Code::RateLimited, Code::StoreUnavailable
    ])),
        ("x-cached" = json!(true))),
    responses((status = 200, description = "The rows.", body = LeaderboardPage)),
    security(())
)]
#[get("/v1/leaderboards/{board}/players/{player_id}")]
pub(crate) async fn get_leaderboard_player(
    service: Shared,
    _: OpenRead,
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

async fn rows(service: &Service, found: Vec<BoardRow>) -> Result<Vec<LeaderboardRow>, Problem> {
    let rows = found.into_iter().map(|BoardRow { rank, players, rating, counts }| async move {
        let players = players.iter().map(|player| service.players.player(player));
        let mut players = try_join_all(players).await?.into_iter();
        let Some(player) = players.next().flatten() else { return Ok(None) };
        let partners = players.flatten().map(Into::into).collect();
        let rated = counts.is_none();
        Ok::<_, Problem>(Some(LeaderboardRow {
            rank,
            player: player.into(),
            partners,
            rating: rated.then(|| shown(rating.rating)),
            deviation: rated.then(|| shown(rating.deviation)),
            played: rating.played,
            score: (!rated).then_some(rating.rating),
            wins: counts.as_ref().map(|counts| counts.wins),
            attempts: counts.as_ref().map(|counts| counts.attempts),
        }))
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
