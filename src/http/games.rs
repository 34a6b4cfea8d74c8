//! The games on offer. Nothing here changes while the process runs, so every answer is written once, at start-up.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::ser::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::games::{AnyGame, Games};
use crate::http::answer::codes::Code;
use crate::http::answer::drawing::drawing;
use crate::http::answer::etag::{CachedAnswer, Lasting, digest_of};
use crate::http::answer::problem::Problem;
use crate::http::extract::params::{GameParam, Path, Query};
use crate::http::extract::picture::{PictureTheme, SpaceList, yes};
use crate::pictures::Ask;
use crate::rules::{Board, Chance, GameInfo, Glossary, Mode, Part, Ruling, Signal, bound_integers};

/// Mounts the resource.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(list_games)
        .service(get_game)
        .service(get_rules)
        .service(get_board)
        .service(get_board_picture)
        .service(get_glossary);
}

/// A game on offer.
#[derive(Serialize, ToSchema)]
pub struct GameSummary {
    /// Stable id, used wherever a game is named.
    #[schema(examples("contiguity"))]
    pub id: &'static str,
    /// The title, as people know it.
    pub title: &'static str,
    /// Who designed it.
    pub designer: &'static str,
    /// The fewest seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub min_seats: u8,
    /// The most seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub max_seats: u8,
    /// Whether the seats play alone, together or against each other.
    pub mode: Mode,
    /// Whether anything is hidden from any viewer, such as a hand or the order of a pile.
    pub hidden_information: bool,
    /// Where chance comes into the game.
    pub chance: Chance,
    /// Whether seats may agree on a draw.
    pub draws: bool,
    /// Version of the rules as coded; each match keeps the one it was created with.
    #[schema(minimum = 1)]
    pub rules_version: u32,
}

/// The games on offer.
#[derive(Serialize, ToSchema)]
pub struct GameList {
    /// The games, always in the same order.
    pub items: Vec<GameSummary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// A game with everything a client needs to offer it.
#[derive(Serialize, ToSchema)]
#[schema(as = Game)]
pub struct GameBody {
    /// Stable id, used wherever a game is named.
    #[schema(examples("contiguity"))]
    pub id: &'static str,
    /// The title, as people know it.
    pub title: &'static str,
    /// Who designed it.
    pub designer: &'static str,
    /// The fewest seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub min_seats: u8,
    /// The most seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub max_seats: u8,
    /// Whether the seats play alone, together or against each other.
    pub mode: Mode,
    /// Whether anything is hidden from any viewer, such as a hand or the order of a pile.
    pub hidden_information: bool,
    /// Where chance comes into the game.
    pub chance: Chance,
    /// Whether seats may agree on a draw.
    pub draws: bool,
    /// Version of the rules as coded; each match keeps the one it was created with.
    #[schema(minimum = 1)]
    pub rules_version: u32,
    /// The rules in short, in Markdown; `getGameRules` has the whole.
    pub summary: &'static str,
    /// How moves are written, in a few lines.
    pub notation: &'static str,
    /// The endings that this game's outcomes name.
    pub endings: &'static [&'static str],
    /// The types of its moves: which parts of `Move` it has. A later release may add some.
    pub move_types: Vec<&'static str>,
    /// The types of its own events: which parts of `MatchEvent` it has, beside those of any match's life. A later
    /// release may add some.
    pub event_types: Vec<&'static str>,
    /// JSON Schema of the options that a match may be created with. It refers to nothing outside itself.
    #[schema(value_type = std::collections::BTreeMap<String, serde_json::Value>)]
    pub options_schema: Value,
    /// How this service decides what the printed rules leave open.
    pub rulings: Vec<Ruling>,
    /// The moves that need no turn: any seat may make them while the match is played, and they close no decision. They
    /// are not among the legal moves.
    pub signals: &'static [Signal],
}

impl From<&GameInfo> for GameSummary {
    fn from(info: &GameInfo) -> GameSummary {
        GameSummary {
            id: info.id,
            title: info.title,
            designer: info.designer,
            min_seats: info.min_seats,
            max_seats: info.max_seats,
            mode: info.mode,
            hidden_information: info.hidden_information,
            chance: info.chance,
            draws: info.draws,
            rules_version: info.rules_version,
        }
    }
}

impl GameBody {
    /// The game, described.
    ///
    /// # Errors
    /// If its options' schema has no JSON form.
    pub(crate) fn of(game: &dyn AnyGame) -> Result<GameBody, serde_json::Error> {
        let info = game.info();
        let base = GameSummary::from(info);
        Ok(GameBody {
            id: base.id,
            title: base.title,
            designer: base.designer,
            min_seats: base.min_seats,
            max_seats: base.max_seats,
            mode: base.mode,
            hidden_information: base.hidden_information,
            chance: base.chance,
            draws: base.draws,
            rules_version: base.rules_version,
            summary: info.summary,
            notation: info.notation,
            endings: info.endings,
            move_types: tags(game.move_parts()),
            event_types: tags(game.event_parts()),
            options_schema: standalone_schema(&game.options_part())?,
            rulings: game.rulebook().rulings().to_vec(),
            signals: game.signals(),
        })
    }
}

fn tags(parts: Vec<Part>) -> Vec<&'static str> {
    parts.into_iter().map(|part| part.tag).collect()
}

/// The payload's schema as a document of its own: what it refers to stands in the place of the reference, so that
/// whoever reads it, or quotes it, needs nothing else.
fn standalone_schema(part: &Part) -> Result<Value, serde_json::Error> {
    let written = |schema: &RefOr<Schema>| {
        let mut schema = schema.clone();
        bound_integers(&mut schema);
        serde_json::to_value(schema)
    };
    let nested = part.nested.iter().map(|(name, schema)| Ok((name.as_str(), written(schema)?)));
    let nested: HashMap<&str, Value> = nested.collect::<Result<_, serde_json::Error>>()?;
    let mut schema = inlined(written(&part.schema)?, &nested, nested.len())?;
    if let Value::Object(root) = &mut schema {
        root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    }
    Ok(schema)
}

/// The schema without references; what stands beside one counts instead of what it refers to. `depth` is how many may
/// lead from one to the next: more than there are schemas only where one holds itself.
fn inlined(schema: Value, nested: &HashMap<&str, Value>, depth: usize) -> Result<Value, serde_json::Error> {
    match schema {
        Value::Object(mut object) => {
            let Some(Value::String(reference)) = object.remove("$ref") else {
                let inner = object.into_iter().map(|(key, value)| Ok((key, inlined(value, nested, depth)?)));
                return Ok(Value::Object(inner.collect::<Result<_, serde_json::Error>>()?));
            };
            let name = reference.strip_prefix("#/components/schemas/").unwrap_or(&reference);
            let meant = nested.get(name).filter(|_| depth > 0);
            let lost =
                || serde_json::Error::custom(format!("the options refer to {name}, which cannot be written out"));
            let mut meant = inlined(meant.ok_or_else(lost)?.clone(), nested, depth - 1)?;
            if let Value::Object(meant) = &mut meant {
                meant.extend(object);
            }
            Ok(meant)
        }
        Value::Array(items) => {
            let inner = items.into_iter().map(|value| inlined(value, nested, depth));
            Ok(Value::Array(inner.collect::<Result<_, _>>()?))
        }
        plain => Ok(plain),
    }
}

/// A game's components in words.
#[derive(Serialize, ToSchema)]
pub struct GlossaryList {
    /// One glossary for each edition that matches may use; empty for games that name nothing but places.
    pub items: Vec<Glossary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

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
struct EditionDigest(String);

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
struct BoardAnswer {
    digest: Option<String>,
    side: Option<String>,
    answer: CachedAnswer,
    board: Board,
}

impl BoardAnswer {
    fn of(board: Board) -> Result<BoardAnswer, serde_json::Error> {
        Ok(BoardAnswer {
            digest: board.edition.as_ref().map(|edition| edition.digest.clone()),
            side: board.side.clone(),
            answer: CachedAnswer::json(&board)?,
            board,
        })
    }
}

/// The answers about one game.
pub(super) struct Answers {
    drawn: Arc<dyn AnyGame>,
    game: CachedAnswer,
    rules: CachedAnswer,
    /// The first is that of new matches; those of an edition stand together, the side for the fewest players first.
    boards: Vec<BoardAnswer>,
    glossary: CachedAnswer,
}

impl Answers {
    fn of(drawn: &Arc<dyn AnyGame>) -> Result<Answers, serde_json::Error> {
        let game = &**drawn;
        let glossary = GlossaryList { items: game.glossaries(), next_cursor: None };
        let boards = std::iter::once(game.board()).chain(game.boards());
        Ok(Answers {
            drawn: Arc::clone(drawn),
            game: CachedAnswer::json(&GameBody::of(game)?)?,
            rules: CachedAnswer::markdown(game.rulebook().text()),
            boards: boards.map(BoardAnswer::of).collect::<Result<_, _>>()?,
            glossary: CachedAnswer::json(&glossary)?,
        })
    }

    fn board_of(&self, edition: Option<&EditionDigest>, side: Option<&str>) -> Result<&BoardAnswer, Problem> {
        let wanted = edition.map(|edition| edition.0.as_str());
        let offered = self.boards.first().and_then(|board| board.digest.as_deref());
        let digest = wanted.or(offered);
        let mut sides = self.boards.iter().filter(|board| board.digest.as_deref() == digest).peekable();
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
            known.dedup();
            let detail = match known[..] {
                [] => "the board of this game has one side".to_owned(),
                _ => format!("`side` is one of {}", known.join(", ")),
            };
            Problem::new(Code::InvalidParameter).field("side").detail(detail)
        })
    }
}

/// The answers of this resource.
pub struct Catalogue {
    list: CachedAnswer,
    /// In the order of the list.
    ids: Vec<&'static str>,
    games: HashMap<&'static str, Answers>,
}

impl Catalogue {
    /// Writes the answers for `games`.
    ///
    /// # Errors
    /// If a game's description has no JSON form.
    pub fn of(games: &Games) -> Result<Catalogue, serde_json::Error> {
        let items = games.iter().map(|game| GameSummary::from(game.info())).collect();
        let list = CachedAnswer::json(&GameList { items, next_cursor: None })?;
        let one = |game: &Arc<dyn AnyGame>| Ok((game.info().id, Answers::of(game)?));
        Ok(Catalogue {
            list,
            ids: games.ids(),
            games: games.iter().map(one).collect::<Result<_, serde_json::Error>>()?,
        })
    }

    pub(super) fn find(&self, id: &str) -> Result<&Answers, Problem> {
        let missing = || {
            let detail = format!("there is no such game here; there are {}", self.ids.join(", "));
            Problem::new(Code::GameNotFound).field("game").detail(detail)
        };
        self.games.get(id).ok_or_else(missing)
    }
}

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
pub async fn list_games(catalogue: web::Data<Catalogue>, request: HttpRequest) -> HttpResponse {
    catalogue.list.respond(&request)
}

/// Read one game
///
/// Seats, options, notation, rulings, endings, signals, and the rules in short.
#[utoipa::path(
    operation_id = "getGame",
    tag = "games",
    params(GameParam),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The game.", body = GameBody))
)]
#[get("/v1/games/{game}")]
pub async fn get_game(
    game: Path<GameParam>,
    catalogue: web::Data<Catalogue>,
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
    params(GameParam),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The rules.", content_type = "text/markdown", body = String))
)]
#[get("/v1/games/{game}/rules")]
pub async fn get_rules(
    game: Path<GameParam>,
    catalogue: web::Data<Catalogue>,
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
    let board = catalogue.find(&game.0.0)?.board_of(edition.as_ref(), side.as_deref())?;
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
    let board = &answers.board_of(edition.as_ref(), side.as_deref())?.board;
    let highlight = highlight.as_ref().map(SpaceList::ids).unwrap_or_default();
    let ask = Ask { theme: theme.into(), coordinates, highlight, ..Ask::default() };
    let svg = answers.drawn.draw_empty(board, &ask)?;
    drawing(&request, &digest_of(svg.as_str().as_bytes()), Lasting::No, || Ok(svg))
}

/// Read a game's glossary
///
/// What its cards, tiles and tracks are and do, in words, for each edition of the components that matches may have.
#[utoipa::path(
    operation_id = "getGlossary",
    tag = "games",
    params(GameParam),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The glossary.", body = GlossaryList))
)]
#[get("/v1/games/{game}/glossary")]
pub async fn get_glossary(
    game: Path<GameParam>,
    catalogue: web::Data<Catalogue>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    Ok(catalogue.find(&game.0.0)?.glossary.respond(&request))
}
