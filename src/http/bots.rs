//! `GET /v1/games/{game}/bots`: who plays a game that is not a person.

use actix_web::{HttpRequest, HttpResponse, get};
use serde::Serialize;
use strum::VariantArray;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::answer::{etag, json};
use crate::extract::params::{GameParam, Path};
use crate::service::Shared;
use sarsen_games::bots::{AnyBot, Level};

/// Mounts the resource.
pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(list_bots);
}

/// A bot of a game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Bot)]
pub(crate) struct BotBody {
    /// How strong it is: what `places` of a new match names.
    level: Level,
    /// The same in a word for people.
    #[schema(examples("Easy"))]
    title: &'static str,
    /// What to expect of it, in a sentence for people.
    description: &'static str,
    /// How many simulations it makes for a decision; 0 if it goes by what it knows alone. Never a time: a busy service
    /// answers later, and as well.
    simulations: u32,
    /// How long after the opening of a decision it usually answers, in milliseconds, however much there was to think
    /// about.
    answer_milliseconds: u32,
    /// Goes up with whatever changes what it plays.
    #[schema(minimum = 1)]
    version: u32,
}

/// The bots of a game.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BotList {
    /// The bots, the weakest first; empty if the game has none here.
    items: Vec<BotBody>,
    /// Always null: the list is complete.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl BotBody {
    fn of(bot: &dyn AnyBot, level: Level) -> BotBody {
        let tuning = bot.tuning();
        let effort = level.effort(&tuning);
        let (title, description) = match level {
            Level::Easy => ("Easy", "For those who learn the game: makes mistakes on purpose."),
            Level::Medium => ("Medium", "Knows how the game is played, and errs now and then."),
            Level::Hard => ("Hard", "Thinks as hard as it is worth, and makes no mistake on purpose."),
        };
        BotBody {
            level,
            title,
            description,
            simulations: effort.simulations,
            answer_milliseconds: effort.answer_milliseconds,
            version: tuning.version,
        }
    }
}

/// List a game's bots
///
/// Who can hold a seat of a match that is not a person: `places` of a new match says which seats. Bots see what a player
/// on their seat sees, and nothing else.
#[utoipa::path(
    operation_id = "listBots",
    tag = "games",
    params(Path::<GameParam>),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((
        status = 200, description = "The bots.", body = BotList,
        example = json!({
            "items": [
                {"level": "easy", "title": "Easy",
                 "description": "For those who learn the game: makes mistakes on purpose.",
                 "simulations": 200, "answer_milliseconds": 500, "version": 1},
                {"level": "medium", "title": "Medium",
                 "description": "Knows how the game is played, and errs now and then.",
                 "simulations": 800, "answer_milliseconds": 1000, "version": 1},
                {"level": "hard", "title": "Hard",
                 "description": "Thinks as hard as it is worth, and makes no mistake on purpose.",
                 "simulations": 4000, "answer_milliseconds": 2000, "version": 1}
            ],
            "next_cursor": null
        })
    ))
)]
#[get("/v1/games/{game}/bots")]
pub(crate) async fn list_bots(
    service: Shared,
    Path(GameParam(game)): Path<GameParam>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let bot = service.matches.bots_of(&game).ok_or_else(|| Problem::new(Code::GameNotFound).field("game"))?;
    let items = bot.map(|bot| Level::VARIANTS.iter().map(|level| BotBody::of(&**bot, *level)).collect());
    let list = BotList { items: items.unwrap_or_default(), next_cursor: None };
    Ok(etag::answer_with(&request, json::body(&list)?))
}
