//! `POST /v1/matches`: make a match.

use actix_web::{HttpRequest, HttpResponse, http::header, post};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::body::match_view;
use super::types::{LegalMovesForm, MatchView};
use crate::bots::Level;
use crate::http::answer::codes::Code;
use crate::http::answer::json::json;
use crate::http::answer::problem::Problem;
use crate::http::answer::shapes::shape;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::Playing;
use crate::http::extract::idempotency::{idempotency, mark_replayed};
use crate::http::extract::params::Within;
use crate::http::service::Shared;
use crate::matches::idempotency::Answered;
use crate::matches::terms::{StartMode, UndoTerms, Visibility};
use crate::matches::{NewMatch, Unread};
use crate::rules::{MAX_SEATS, Seat, SeatCount};

/// How long a seat can have for a decision, in seconds: up to a year.
type MoveTime = Within<1, 31_536_000>;
/// How long it has unless the creator says otherwise, in seconds: three days.
const MOVE_TIME_SECONDS: MoveTime = MoveTime::of::<259_200>();
/// How long a match can wait for its start, in seconds: a minute to thirty days.
type ExpiresIn = Within<60, 2_592_000>;

/// A match to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatchFields {
    /// The game's id.
    game: String,
    /// The game's options; what is left out has its default.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The number of seats; if left out, the fewest that the game allows.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 5)]
    seats: Option<SeatCount>,
    /// The caller's own seat; null to make a match for others. If left out, the lowest that no bot holds.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Seat>, required = false)]
    seat: Option<Option<Seat>>,
    /// Seats that bots hold from the beginning. At least one seat is left for a person.
    #[serde(default)]
    #[schema(max_items = 4)]
    places: Vec<GivenPlace>,
    /// Whether players may ask for hints; if left out or null, where only one person plays.
    #[serde(default)]
    hints: Option<bool>,
    /// What can be undone.
    #[serde(default)]
    #[schema(default = "consent")]
    undo: UndoTerms,
    /// Who may find and read it.
    #[serde(default = "public")]
    #[schema(default = "public")]
    visibility: Visibility,
    /// When it starts. With `manual` the creator can wait for everyone's entropy; in a solo game, for their own.
    #[serde(default = "when_full")]
    #[schema(default = "when_full")]
    start: StartMode,
    /// How many seconds a seat has for each decision before others may claim; null for no limit.
    #[serde(default = "move_time")]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 31536000, default = 259200)]
    move_time_seconds: Option<MoveTime>,
    /// How many seconds the match waits for its start; then it is called off. If left out or null, a public match waits
    /// seven days, and a private one for ever.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 60, maximum = 2592000)]
    expires_in_seconds: Option<ExpiresIn>,
}

/// Null is something else than nothing.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A seat that is given away as the match is made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenPlace {
    /// Which seat.
    seat: Seat,
    /// How strong the bot is that holds it. What each level does, the game's list of bots says.
    bot: Level,
}

/// The lowest seat that no bot holds.
fn lowest_free(bots: &[(Seat, Level)]) -> Option<Seat> {
    (0..MAX_SEATS).filter_map(Seat::new).find(|seat| bots.iter().all(|(held, _)| held != seat))
}

fn public() -> Visibility {
    Visibility::Public
}

fn when_full() -> StartMode {
    StartMode::WhenFull
}

fn move_time() -> Option<MoveTime> {
    Some(MOVE_TIME_SECONDS)
}

shape! {
    /// A match to make, told apart by `game`: [`NewMatchFields`] with the options of each game.
    pub CreateMatch
}

impl NewMatchFields {
    fn parse(self) -> NewMatch {
        let bots: Vec<(Seat, Level)> = self.places.iter().map(|place| (place.seat, place.bot)).collect();
        NewMatch {
            game: self.game,
            options: Value::Object(self.options),
            seats: self.seats,
            seat: self.seat.unwrap_or_else(|| lowest_free(&bots)),
            bots,
            hints: self.hints,
            undo: self.undo,
            visibility: self.visibility,
            start: self.start,
            move_time_seconds: self.move_time_seconds.map(Within::get),
            expires_in_seconds: self.expires_in_seconds.map(Within::get),
        }
    }
}

/// Create a match
///
/// The caller becomes its creator and, unless `seat` is null, takes a seat. A public match is listed for everyone; a
/// private one is seen only by its seats, its creator and holders of its `invite_code`. The answer's `commitment`
/// fixes the server's part of the dice before anyone else has contributed. A match that has not started when its time
/// is over is called off. A player may have a limited number of matches that have not started, 10 unless the operator
/// sets another number. An idempotency key counts for 24 hours.
///
/// Bots (`places`) sit down at once; the match starts when the people sit, so with one person at once.
#[utoipa::path(
    operation_id = "createMatch",
    tag = "matches",
    request_body = CreateMatch,
    extensions(("x-problems" = json!([
        Code::GameNotFound, Code::InvalidOptions, Code::NoSuchSeat, Code::PlayerNotFound, Code::TooManyOpen,
        Code::MatchNotFound
    ])), ("x-idempotent" = json!(true))),
    responses((status = 201, description = "The match.", body = MatchView, headers(
        ("Location" = String, description = "Address of the match.")
    ))),
    security(("bearer" = []))
)]
#[post("/v1/matches")]
pub async fn create_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let new = body.decode().map(NewMatchFields::parse).map_err(Unread::new);
    let once = idempotency(&request, &[b"createMatch\n", body.bytes()])?;
    let creator = service.seated(&caller).await?;
    let Answered { viewed, replayed } = service.matches.create(creator, new, once.as_ref()).await?;
    let mut answer = HttpResponse::Created();
    mark_replayed(&mut answer, replayed);
    answer.insert_header((header::LOCATION, format!("/v1/matches/{}", viewed.live.stored.id)));
    Ok(json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}
