//! `POST /v1/matches`: make a match.

use actix_web::{HttpRequest, HttpResponse, http::header, post};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::body::match_view;
use super::clock::{ClockBody, NewClock};
use super::types::{LegalMovesForm, MatchView};
use crate::auth::Principal;
use crate::bots::Level;
use crate::http::answer::codes::Code;
use crate::http::answer::json;
use crate::http::answer::problem::Problem;
use crate::http::answer::shapes::shape;
use crate::http::extract::body::RawBody;
use crate::http::extract::caller::Playing;
use crate::http::extract::idempotency::{idempotency, mark_replayed};
use crate::http::extract::params::Within;
use crate::http::service::{Service, Shared};
use crate::ids::{MatchId, PlayerId};
use crate::matches::bots::SeatedBot;
use crate::matches::clock::WantedClock;
use crate::matches::idempotency::Answered;
use crate::matches::reserving::{ReservedSeat, Spectators, TableTerms};
use crate::matches::terms::{StartMode, UndoTerms, Visibility};
use crate::matches::{NewMatch, Reader, Unread, ViewedMatch};
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
    /// A match that the caller may read, of this game: whatever is left out here is as it was there, its bots and their seats
    /// too, instead of its default. `game` may be left out then.
    #[serde(default, rename = "like")]
    #[schema(value_type = Option<String>, pattern = "^m_[0-9a-f]{32}$")]
    _like: Option<MatchId>,
    /// The game's options; what is left out has its default.
    #[serde(default)]
    #[schema(value_type = Object)]
    options: Map<String, Value>,
    /// The number of seats; if left out, the fewest that the game allows.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 5)]
    seats: Option<SeatCount>,
    /// The caller's own seat; null to make a match for others. If left out, the lowest that is not given away.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Seat>, required = false)]
    seat: Option<Option<Seat>>,
    /// Seats that bots hold from the beginning, or that are kept for players. At least one seat is left for a person.
    #[serde(default)]
    #[schema(max_items = 5)]
    places: Vec<GivenPlace>,
    /// Whether the caller sits on every seat that is given to nobody else (`seat` is of no account then), to play at one
    /// device. With `as_seat` the caller reads and moves as any of these seats.
    #[serde(default)]
    #[schema(default = false)]
    hotseat: bool,
    /// Who may watch it while it is played, if it is public.
    #[serde(default)]
    #[schema(default = "open")]
    spectators: Spectators,
    /// Whether whoever sat there may call for a rematch afterwards.
    #[serde(default = "yes")]
    #[schema(default = true)]
    rematch: bool,
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
    /// How many seconds a seat has for each decision before others may claim; null for no limit. If left out, three days,
    /// and with a `clock` no limit: a match has one or the other.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<u32>, required = false, minimum = 1, maximum = 31536000)]
    move_time_seconds: Option<Option<MoveTime>>,
    /// How much time seats have, where the service is to see to it by itself: nobody has to claim then.
    #[serde(default)]
    clock: Option<NewClock>,
    /// How many seconds the match waits for its start; then it is called off. If left out or null, a public match waits
    /// seven days, and a private one for ever.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 60, maximum = 2592000)]
    expires_in_seconds: Option<ExpiresIn>,
}

/// No more of a request than on the pattern of which match.
#[derive(Deserialize)]
struct Pattern {
    #[serde(default)]
    like: Option<MatchId>,
}

/// Null is something else than nothing.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// A seat that is given away as the match is made: to a bot, or to a player who is invited. One of the two is named.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenPlace {
    /// Which seat.
    seat: Seat,
    /// How strong the bot is that holds it. What each level does, the game's list of bots says.
    #[serde(default)]
    bot: Option<Level>,
    /// The player for whom it is kept. They are told, may see the match, and join it or decline.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$",
        examples("p_0190163d8694739ea2a3c9f1e7d1a444"))]
    player_id: Option<PlayerId>,
}

/// The lowest seat that is not given away.
fn lowest_free(places: &[GivenPlace]) -> Option<Seat> {
    (0..MAX_SEATS).filter_map(Seat::new).find(|seat| places.iter().all(|place| place.seat != *seat))
}

fn yes() -> bool {
    true
}

fn public() -> Visibility {
    Visibility::Public
}

fn when_full() -> StartMode {
    StartMode::WhenFull
}

shape! {
    /// A match to make, told apart by `game`: [`NewMatchFields`] with the options of each game.
    pub CreateMatch
}

impl NewMatchFields {
    /// What is asked for, with the names of those who are invited.
    async fn parse(self, service: &Service) -> Result<NewMatch, Problem> {
        let refused = |detail: &str| Problem::new(Code::InvalidRequest).path("places").detail(detail);
        let named = |problem: Problem| match problem.code() {
            Code::PlayerNotFound => refused("there is no player with the `player_id` of a place"),
            _ => problem,
        };
        if self.places.len() > usize::from(MAX_SEATS) {
            return Err(refused("there are more places than a match has seats"));
        }
        let own = || if self.hotseat { None } else { lowest_free(&self.places) };
        let seat = self.seat.filter(|_| !self.hotseat).unwrap_or_else(own);
        let (mut bots, mut reserved) = (Vec::new(), Vec::new());
        for GivenPlace { seat, bot, player_id } in self.places {
            match (bot, player_id) {
                (Some(level), None) => bots.push((seat, level)),
                (None, Some(id)) => {
                    reserved.push(ReservedSeat { seat, player: service.invited(&id).await.map_err(named)? })
                }
                _ => return Err(refused("a place names either its `bot` or the `player_id` for whom it is kept")),
            }
        }
        let table = TableTerms {
            reserved,
            no_spectators: self.spectators == Spectators::None,
            hotseat: self.hotseat,
            no_rematch: !self.rematch,
            ..TableTerms::default()
        };
        let usual = self.clock.is_none().then_some(MOVE_TIME_SECONDS);
        Ok(NewMatch {
            game: self.game,
            options: Value::Object(self.options),
            seats: self.seats,
            seat,
            bots,
            hints: self.hints,
            undo: self.undo,
            visibility: self.visibility,
            start: self.start,
            move_time_seconds: self.move_time_seconds.unwrap_or(usual).map(Within::get),
            expires_in_seconds: self.expires_in_seconds.map(Within::get),
            table,
            clock: self.clock.map(WantedClock::from),
        })
    }
}

/// What is asked for, on the pattern of another match if one is named.
async fn asked(service: &Service, caller: &Principal, body: &RawBody) -> Result<NewMatch, Problem> {
    let Pattern { like } = body.decode()?;
    let fields: NewMatchFields = match like {
        None => body.decode()?,
        Some(id) => {
            let viewed = service.matches.read(&Reader::player(caller.player.clone()), &id).await?;
            let mut fields = like_those_of(&viewed)?;
            let given: Map<String, Value> = body.decode()?;
            if given.get("game").is_some_and(|game| fields.get("game") != Some(game)) {
                let detail = "`like` names a match of another game";
                return Err(Problem::new(Code::InvalidRequest).path("like").detail(detail));
            }
            // Of a clock and a time to move, which exclude each other, the one that is asked for counts.
            let asks_for = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
            if asks_for("clock") {
                fields.insert("move_time_seconds".to_owned(), Value::Null);
            } else if asks_for("move_time_seconds") {
                fields.insert("clock".to_owned(), Value::Null);
            }
            fields.extend(given);
            body.replaced(serde_json::to_vec(&fields).map_err(Problem::internal)?).decode()?
        }
    };
    fields.parse(service).await
}

/// The fields that would have made this match, as far as they are the table's and not its players'.
fn like_those_of(viewed: &ViewedMatch) -> Result<Map<String, Value>, Problem> {
    let stored = &viewed.live.stored;
    let terms = &stored.terms;
    let options: Value = serde_json::from_str(terms.options.get()).map_err(Problem::internal)?;
    let mut clock = serde_json::to_value(terms.clock.map(ClockBody::from)).map_err(Problem::internal)?;
    // That follows from the rest.
    clock.as_object_mut().map(|clock| clock.remove("speed"));
    let bot = |bot: &SeatedBot| json!({"seat": bot.seat, "bot": bot.level});
    let fields = json!({
        "game": terms.game,
        "options": options,
        "seats": stored.seats.len(),
        "places": terms.bots.iter().map(bot).collect::<Vec<_>>(),
        "hints": terms.hints,
        "visibility": terms.visibility,
        "start": terms.start,
        "move_time_seconds": terms.move_time_seconds,
        "clock": clock,
        "expires_in_seconds": terms.expires_in_seconds,
        "spectators": terms.table.spectators(),
        "undo": viewed.live.undo_terms(),
        "hotseat": terms.table.hotseat,
        "rematch": !terms.table.no_rematch,
    });
    Ok(fields.as_object().cloned().unwrap_or_default())
}

/// Create a match
///
/// The caller becomes its creator and, unless `seat` is null, takes a seat. A public match is listed for everyone; a
/// private one is seen only by its seats, its creator and holders of its `invite_code`. The answer's `commitment`
/// fixes the server's part of the dice before anyone else has contributed. A match that has not started when its time
/// is over is called off. A player may have a limited number of matches that have not started, 10 unless the operator
/// sets another number. An idempotency key counts for 24 hours.
///
/// With a `clock` the service itself sees to it that nobody waits for ever: a seat whose time has run out loses, or is
/// played for until its turn is over, as the clock says. A seat that does not take its first turn in time has the match
/// called off.
///
/// Bots (`places`) sit down at once; the match starts when the people sit, so with one person at once. Seats can be kept for
/// players, who learn of it as of any step of a match of theirs. `like` names a match whose terms are to be taken over.
#[utoipa::path(
    operation_id = "createMatch",
    tag = "matches",
    request_body = CreateMatch,
    extensions(("x-problems" = json!([
        Code::GameNotFound, Code::InvalidOptions, Code::InvalidClock, Code::NoSuchSeat, Code::PlayerNotFound,
        Code::TooManyOpen, Code::MatchNotFound
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
    let new = asked(&service, &caller, &body).await.map_err(Unread::new);
    let once = idempotency(&request, &[b"createMatch\n", body.bytes()])?;
    let creator = service.seated(&caller).await?;
    let Answered { viewed, replayed } = service.matches.create(creator, new, once.as_ref()).await?;
    let mut answer = HttpResponse::Created();
    mark_replayed(&mut answer, replayed);
    answer.insert_header((header::LOCATION, format!("/v1/matches/{}", viewed.live.stored.id)));
    Ok(json::json(&mut answer, match_view(&viewed, LegalMovesForm::Full.into())?))
}
