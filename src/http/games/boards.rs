//! `GET /v1/games/{game}/board`, and the board as a picture.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Catalogue;
use crate::games::AnyGame;
use crate::http::answer::codes::Code;
use crate::http::answer::drawing::drawing;
use crate::http::answer::etag::{CachedAnswer, Lasting, digest_of};
use crate::http::answer::problem::Problem;
use crate::http::extract::params::{GameParam, Path, Query};
use crate::http::extract::picture::{PictureTheme, SpaceList, yes};
use crate::pictures::Ask;
use crate::rules::Board;

/// Goes up with whatever changes how the same board is drawn: what was kept of before must not pass for it.
const DRAWINGS: u16 = 1;

/// Which board to read.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardQuery {
    /// Digest of the edition, as in the glossary and in the options of a match. If left out: the edition that new
    /// matches get.
    #[param(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{16}$")]
    edition: Option<EditionDigest>,
    /// Which side of the board lies up, as the views say it (`side` in Henge). If left out: that for the fewest players.
    #[param(nullable = false)]
    side: Option<String>,
}

/// A digest of an edition, in form.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct EditionDigest(pub(super) String);

impl TryFrom<String> for EditionDigest {
    type Error = &'static str;
    fn try_from(text: String) -> Result<EditionDigest, &'static str> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == 16 && text.bytes().all(is_digit) {
            true => Ok(EditionDigest(text)),
            false => Err("an edition is named by 16 hexadecimal digits, small letters"),
        }
    }
}

/// How to draw an empty board.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardPictureQuery {
    /// Digest of the edition, as in the glossary and in the options of a match. If left out: the edition that new
    /// matches get.
    #[param(value_type = Option<String>, nullable = false, pattern = "^[0-9a-f]{16}$")]
    edition: Option<EditionDigest>,
    /// Which side of the board lies up, as the views say it (`side` in Henge). If left out: that for the fewest players.
    #[param(nullable = false)]
    side: Option<String>,
    /// The colours: those that the reader's device prefers, or one of the two.
    #[serde(default)]
    #[param(default = "auto")]
    theme: PictureTheme,
    /// Whether ids are written on the board.
    #[serde(default = "yes")]
    #[param(default = true)]
    coordinates: bool,
    /// Spaces to point out: up to 20 ids of the board, separated by commas.
    #[param(value_type = Option<String>, nullable = false, example = "29b,5b")]
    highlight: Option<SpaceList>,
}

/// A board as it is answered.
pub(super) struct BoardAnswer {
    digest: Option<String>,
    side: Option<String>,
    answer: CachedAnswer,
    /// What entity tags of its pictures say of it.
    tag: String,
    board: Board,
}

impl BoardAnswer {
    fn of(board: Board) -> Result<BoardAnswer, serde_json::Error> {
        let answer = CachedAnswer::json(&board)?;
        Ok(BoardAnswer {
            digest: board.edition.as_ref().map(|edition| edition.digest.clone()),
            side: board.side.clone(),
            tag: digest_of(answer.bytes()),
            answer,
            board,
        })
    }
}

/// The boards of a game. The first is that of new matches; those of an edition stand together, the side for the fewest
/// players first.
pub(super) struct Boards(Vec<BoardAnswer>);

impl Boards {
    /// Those of this game.
    ///
    /// # Errors
    /// If one has no JSON form.
    pub(super) fn of(game: &dyn AnyGame) -> Result<Boards, serde_json::Error> {
        let mut boards = game.boards();
        let offered = game.board().edition;
        // The order is stable.
        boards.sort_by_key(|board| board.edition != offered);
        boards.into_iter().map(BoardAnswer::of).collect::<Result<_, _>>().map(Boards)
    }

    /// The board of an edition, that of new matches if none is named, with this side up, or the first.
    ///
    /// # Errors
    /// `edition_not_found`, and `invalid_parameter` for a side that its boards have not.
    pub(super) fn find(&self, edition: Option<&EditionDigest>, side: Option<&str>) -> Result<&BoardAnswer, Problem> {
        let wanted = edition.map(|edition| edition.0.as_str());
        let offered = self.0.first().and_then(|board| board.digest.as_deref());
        let digest = wanted.or(offered);
        let mut sides = self.0.iter().filter(|board| board.digest.as_deref() == digest).peekable();
        if sides.peek().is_none() {
            let digest = digest.unwrap_or_default();
            let missing = format!("no edition here has the digest {digest}");
            return Err(Problem::new(Code::EditionNotFound).detail(missing));
        }
        let all: Vec<&BoardAnswer> = sides.collect();
        let one = match side {
            None => all.first(),
            some => all.iter().find(|board| board.side.as_deref() == some),
        };
        one.copied().ok_or_else(|| {
            let mut known: Vec<&str> = all.iter().filter_map(|board| board.side.as_deref()).collect();
            known.sort_unstable();
            let detail = match known[..] {
                [] => "the board of this game has one side".to_owned(),
                _ => format!("`side` is one of {}", known.join(", ")),
            };
            Problem::new(Code::InvalidParameter).field("side").detail(detail)
        })
    }
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
    params(GameParam, BoardQuery),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound, Code::EditionNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The board.", body = Board))
)]
#[get("/v1/games/{game}/board")]
pub async fn get_board(
    game: Path<GameParam>,
    query: Query<BoardQuery>,
    catalogue: web::Data<Catalogue>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let BoardQuery { edition, side } = query.0;
    let board = catalogue.find(&game.0.0)?.boards.find(edition.as_ref(), side.as_deref())?;
    Ok(board.answer.respond(&request))
}

/// See a game's board
///
/// The board before anything stands on it, as a picture. Each space is an element with the id `space-<id>` and the
/// property `data-space`, whose ids are those of `getBoard`.
#[utoipa::path(
    operation_id = "getBoardPicture",
    tag = "games",
    params(GameParam, BoardPictureQuery),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound, Code::EditionNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The picture.", content_type = "image/svg+xml", body = String))
)]
#[get("/v1/games/{game}/board.svg")]
pub async fn get_board_picture(
    game: Path<GameParam>,
    query: Query<BoardPictureQuery>,
    catalogue: web::Data<Catalogue>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let BoardPictureQuery { edition, side, theme, coordinates, highlight } = query.0;
    let answers = catalogue.find(&game.0.0)?;
    let BoardAnswer { board, tag, .. } = answers.boards.find(edition.as_ref(), side.as_deref())?;
    let asked = format!("{theme:?} {coordinates} {highlight:?}");
    let tag = format!("{tag}.svg.{}.{}-{DRAWINGS}", digest_of(asked.as_bytes()), env!("CARGO_PKG_VERSION"));
    let highlight = highlight.as_ref().map(SpaceList::ids).unwrap_or_default();
    let ask = Ask { theme: theme.into(), coordinates, highlight, ..Ask::default() };
    drawing(&request, &tag, Lasting::UntilRelease, || Ok(answers.drawn.draw_empty(board, &ask)?))
}
