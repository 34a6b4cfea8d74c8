//! `GET /v1/games` and below: every answer is prepared in the [`CatalogueAnswers`], except pictures, which are drawn
//! for each request and so are counted as reads.

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::boards::{BoardAnswer, BoardPictureQuery, BoardQuery};
use super::catalogue::CatalogueAnswers;
use super::game::GameBody;
use super::glossary::GlossaryList;
use super::list::GameList;
use crate::answer::codes::Code;
use crate::answer::drawing::drawing;
use crate::answer::etag::{Lasting, digest_of};
use crate::answer::problem::Problem;
use crate::extract::caller::OpenRead;
use crate::extract::params::{GameParam, Path, Query};
use crate::extract::picture::SpaceList;
use sarsen_games::pictures::Ask;
use sarsen_rules::Board;

/// The version of how boards are drawn, in the entity tag: raise it with each change, to make cached pictures stale.
const DRAWINGS: u16 = 1;

/// List the games
///
/// Every game that this instance offers.
#[utoipa::path(
    operation_id = "listGames",
    tag = "games",
    security(()),
    extensions(("x-problems" = json!([])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The games.", body = GameList))
)]
#[get("/v1/games")]
pub(crate) async fn list_games(catalogue: web::Data<CatalogueAnswers>, request: HttpRequest) -> HttpResponse {
    catalogue.list.respond(&request)
}

/// Read one game
///
/// Seats, options, notation, rulings, endings, signals, and the rules in short.
#[utoipa::path(
    operation_id = "getGame",
    tag = "games",
    params(Path::<GameParam>),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The game.", body = GameBody))
)]
#[get("/v1/games/{game}")]
pub(crate) async fn get_game(
    game: Path<GameParam>,
    catalogue: web::Data<CatalogueAnswers>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(catalogue.find(&game.0.0)?.game.respond(&request))
}

/// Read a game's rules
///
/// The complete rules as they are played here, in Markdown. Sections are numbered and rulings have ids; the `rule` of a
/// refusal is one of these and begins the heading that decides.
#[utoipa::path(
    operation_id = "getGameRules",
    tag = "games",
    params(Path::<GameParam>),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The rules.", content_type = "text/markdown", body = String))
)]
#[get("/v1/games/{game}/rules")]
pub(crate) async fn get_rules(
    game: Path<GameParam>,
    catalogue: web::Data<CatalogueAnswers>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(catalogue.find(&game.0.0)?.rules.respond(&request))
}

/// Read a game's board
///
/// Places with coordinates on the unit disc, which of them touch, and the zones they form. A game whose components can
/// be replaced has a board for each edition of them. Without `edition` this is the one that new matches get; the options
/// of a match say which edition it is played with (`set.digest` in Henge). What moves, events, views and decisions name
/// are ids of its places, or of the glossary.
#[utoipa::path(
    operation_id = "getBoard",
    tag = "games",
    params(Path::<GameParam>, BoardQuery),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound, Code::EditionNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The board.", body = Board))
)]
#[get("/v1/games/{game}/board")]
pub(crate) async fn get_board(
    game: Path<GameParam>,
    query: Query<BoardQuery>,
    catalogue: web::Data<CatalogueAnswers>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let BoardQuery { edition, side } = query.0;
    let board = catalogue.find(&game.0.0)?.boards.find(edition.as_ref(), side.as_deref())?;
    Ok(board.answer.respond(&request))
}

/// See a game's board
///
/// The empty board as a picture. Each space is an element with the id `space-<id>` and the property `data-space`, whose
/// ids are those of `getBoard`.
#[utoipa::path(
    operation_id = "getBoardPicture",
    tag = "games",
    params(Path::<GameParam>, BoardPictureQuery),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound, Code::EditionNotFound, Code::RateLimited])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String))
)]
#[get("/v1/games/{game}/board.svg")]
pub(crate) async fn get_board_picture(
    _: OpenRead,
    game: Path<GameParam>,
    query: Query<BoardPictureQuery>,
    catalogue: web::Data<CatalogueAnswers>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let BoardPictureQuery { edition, side, theme, layout, part, coordinates, highlight } = query.0;
    let answers = catalogue.find(&game.0.0)?;
    let BoardAnswer { board, tag, .. } = answers.boards.find(edition.as_ref(), side.as_deref())?;
    let asked = format!("{theme:?} {layout:?} {part:?} {coordinates} {highlight:?}");
    let tag = format!("{tag}.svg.{}.{}-{DRAWINGS}", digest_of(asked.as_bytes()), env!("CARGO_PKG_VERSION"));
    let highlight = highlight.as_ref().map(SpaceList::ids).unwrap_or_default();
    let ask = Ask { theme, layout, part, coordinates, highlight, ..Ask::default() };
    drawing(&request, &tag, Lasting::UntilRelease, || Ok(answers.drawn.draw_empty(board, &ask)?))
}

/// Read a game's glossary
///
/// Returns descriptions of the game's cards, tiles and tracks and their effects, in words, for each edition of the
/// components that matches may have.
#[utoipa::path(
    operation_id = "getGlossary",
    tag = "games",
    params(Path::<GameParam>),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The glossary.", body = GlossaryList))
)]
#[get("/v1/games/{game}/glossary")]
pub(crate) async fn get_glossary(
    game: Path<GameParam>,
    catalogue: web::Data<CatalogueAnswers>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(catalogue.find(&game.0.0)?.glossary.respond(&request))
}
