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
use sarsen_rules::Effort;

pub(crate) fn routes(config: &mut ServiceConfig) {
    config.service(list_bots);
}

/// A bot of a game.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Bot)]
pub(crate) struct BotBody {
    /// The strength of the bot, as `places` of a new match names it.
    level: Level,
    /// The rung of the ladder of strengths, from 1; null for a level with a name.
    #[schema(required, minimum = 1, maximum = 8)]
    strength: Option<u8>,
    /// The same in a word or two for people.
    #[schema(examples("Easy"))]
    title: String,
    /// The behaviour to expect of the bot, in a sentence for people.
    description: String,
    /// The number of decisions in a thousand that it leaves to lot among all legal moves, as people slip.
    #[schema(maximum = 1000)]
    slips: u32,
    /// The number of simulations it makes for a decision; 0 if it goes by what it knows alone. Never a time: a busy
    /// service answers later, and as well.
    simulations: u32,
    /// The usual time from the opening of a decision to the bot's answer, in milliseconds, however much there was to
    /// think about.
    answer_milliseconds: u32,
    /// Rises with every change of how the bot plays.
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
        let (strength, slips) = (level.strength(), level.slips(&tuning));
        let title = match (level, strength) {
            (_, Some(rung)) => format!("Strength {rung}"),
            (Level::Easy, _) => "Easy".to_owned(),
            (Level::Medium, _) => "Medium".to_owned(),
            _ => "Hard".to_owned(),
        };
        BotBody {
            level,
            strength,
            title,
            description: in_words(effort, slips),
            slips,
            simulations: effort.simulations,
            answer_milliseconds: effort.answer_milliseconds,
            version: tuning.version,
        }
    }
}

/// The behaviour of a bot with this effort and these slips.
fn in_words(effort: Effort, slips: u32) -> String {
    let decides = match effort.simulations {
        0 => "goes by what it knows of the game".to_owned(),
        many => format!("looks {many} times into what may follow"),
    };
    match slips {
        0 if effort.noise > 0 => {
            let most = effort.noise / 100;
            format!("For every decision it {decides}; it misjudges moves on purpose, by up to {most} % of a win.")
        }
        0 => format!("For every decision it {decides}; it makes no mistake on purpose."),
        1000 => "Makes every move at random.".to_owned(),
        _ => {
            let (some, rest) = (slips / 10, 100 - slips / 10);
            format!("Of 100 decisions it makes about {some} at random, and for the other {rest} it {decides}.")
        }
    }
}

/// List a game's bots
///
/// Lists the holders of a seat that are not persons: `places` of a new match says which seats they hold. Bots see what
/// a player on their seat sees, and nothing else.
#[utoipa::path(
    operation_id = "listBots",
    tag = "games",
    params(Path::<GameParam>),
    security(()),
    extensions(("x-problems" = json!([Code::GameNotFound])), ("x-cached" = json!(true))),
    responses((status = 200, description = "The bots.", body = BotList))
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
