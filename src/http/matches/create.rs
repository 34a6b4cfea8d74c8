//! `POST /v1/matches`: make a match.

use actix_web::{HttpRequest, HttpResponse, post};
use serde::Deserialize;
use serde::de::Error;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::clock::NewClock;
use super::seats::created;
use super::types::MatchView;
use crate::answer::codes::Code;
use crate::answer::problem::Problem;
use crate::answer::shapes::shape;
use crate::edge::allowance;
use crate::extract::body::{RawBody, given, given_or_null, misread};
use crate::extract::caller::Playing;
use crate::extract::idempotency::{Nulls, idempotency};
use crate::extract::params::Within;
use crate::service::{Service, Shared, refuses_program};
use sarsen_accounts::auth::Principal;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_games::bots::Level;
use sarsen_matches::idempotency::{Answered, Idempotency};
use sarsen_matches::model::clock::WantedClock;
use sarsen_matches::model::refused::CreateRefused;
use sarsen_matches::model::table_terms::{
    JoinTerms, Programs, ReservedSeat, Spectators, TAGS_MAX, TableTerms, are_tags,
};
use sarsen_matches::model::terms::{StartMode, UndoTerms, Visibility};
use sarsen_matches::presets::preset;
use sarsen_matches::{NewMatch, Reader, Refused, Unread};
use sarsen_rules::reading::Misread;
use sarsen_rules::{MAX_SEATS, Seat, SeatCount, Seats};

/// The time that a seat can have for a decision, in seconds: up to a year.
type MoveTime = Within<1, 31_536_000>;
/// The time that it has unless the creator says otherwise, in seconds: three days.
const MOVE_TIME_SECONDS: MoveTime = MoveTime::of::<259_200>();
/// The time within which a match can be made to start, in seconds: 30 days.
const STARTS_WITHIN_SECONDS: u32 = 2_592_000;
/// The time that a match can wait for its start, in seconds: a minute to thirty days.
type ExpiresIn = Within<60, 2_592_000>;
/// The properties of which null means something: in another match's terms or a preset's it takes the place of any.
pub(super) const NULLS: Nulls = Nulls::Count(&["seat", "move_time_seconds", "first_move_seconds"], &["like", "preset"]);

/// A match to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMatchFields {
    /// The game's id.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = String, required)]
    game: Option<String>,
    /// A match that the caller may read, of this game. What is left out here is copied from it, its bots and their
    /// seats too, instead of getting its default. `game` may be left out then.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^m_[0-9a-f]{32}$")]
    like: Option<MatchId>,
    /// A preset of the game, whose time limit the match has unless `clock` or `move_time_seconds` says otherwise. `getGame`
    /// lists them.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = String, required = false, examples("days-3"))]
    preset: Option<String>,
    /// Labels that group matches, such as those of one tournament: `GET /v1/matches?player=…&tag=…` lists them. At most 8,
    /// each of 1 to 32 lower-case letters, digits and hyphens.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Vec<String>, required = false, max_items = 8)]
    tags: Option<Vec<String>>,
    /// The moment at which the match starts: then it starts if every seat is taken, and is called off if not, with the reason
    /// `not_started_in_time`. Its creator may start it earlier. At most 30 days ahead. If left out, `start` says when.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = String, required = false, format = "date-time", examples("2026-11-21T18:30:00.000Z"))]
    starts_at: Option<String>,
    /// The game's options; what is left out has its default.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Object)]
    options: Option<Map<String, Value>>,
    /// The number of seats; if left out, the fewest that the game allows.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<i64>, required = false, minimum = 1, maximum = 5)]
    seats: Option<Option<SeatCount>>,
    /// The caller's own seat; null to make a match for others. If left out, the lowest that is not given away.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<Seat>, required = false)]
    seat: Option<Option<Seat>>,
    /// Seats that bots hold from the beginning, or that are kept for players. Where bots hold all of them the caller has no
    /// seat and watches: the match starts at once.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Vec<GivenPlace>, required = false, max_items = 5)]
    places: Option<Vec<GivenPlace>>,
    /// Puts the caller on every seat that is given to nobody else (`seat` is of no account then), to play at one
    /// device. With `as_seat` the caller reads and moves as any of these seats.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = bool, required = false, default = false)]
    hotseat: Option<bool>,
    /// The rule on spectators: who may watch it while it is played, if it is public.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Spectators, required = false, default = "open")]
    spectators: Option<Spectators>,
    /// The rule on programs: whether bot accounts, and persons by the token of a program, may take a seat and play.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Programs, required = false, default = "allow")]
    programs: Option<Programs>,
    /// The terms on which players take a free seat; those for whom a seat is kept need not meet them. If left out or null,
    /// anybody may.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<JoinTerms>, required = false)]
    join: Option<Option<JoinTerms>>,
    /// Calls the match off, with the reason `started_elsewhere`, as another exclusive match starts in which the caller plays,
    /// if the caller sits here. If left out, so it is with a live `clock`, unless the match has a `starts_at` or no seat for
    /// anybody else.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = bool, required = false)]
    exclusive: Option<bool>,
    /// Allows those who sat there to call for a rematch afterwards.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = bool, required = false, default = true)]
    rematch: Option<bool>,
    /// Allows players to ask for hints; if left out or null, only where one person plays. A match with hints counts on no
    /// board.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<bool>, required = false)]
    hints: Option<Option<bool>>,
    /// Lets the result change the ratings of the players. A rated match is of a game with opponents and its default options,
    /// has a `clock` under which no bot takes over, no `undo`, no hints and no bots of the service, and its seats are all of
    /// persons or all of bot accounts; if it is private, every other seat is kept for somebody.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = bool, required = false, default = false)]
    rated: Option<bool>,
    /// The moves that can be undone; in a rated match nothing. A player undoes at most 20 times in a match, unless
    /// they hold every seat.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = UndoTerms, required = false, default = "consent")]
    undo: Option<UndoTerms>,
    /// The visibility: who may find and read it. If left out, everybody, unless it has no seat for a stranger anyway: a
    /// match with `hotseat`, and one in which bots hold all seats, or all but the caller's, is private then.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Visibility, required = false)]
    visibility: Option<Visibility>,
    /// The trigger of its start. With `manual` the creator can wait for everyone's entropy; in a solo game, for their
    /// own.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = StartMode, required = false, default = "when_full")]
    start: Option<StartMode>,
    /// The number of seconds that a seat has for each decision before others may claim; null for no limit. If left out,
    /// three days, and with a `clock` no limit: a match has one or the other.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<u32>, required = false, minimum = 1, maximum = 31536000)]
    move_time_seconds: Option<Option<MoveTime>>,
    /// The time that seats have, where the service itself enforces it: nobody has to claim then.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<NewClock>, required = false)]
    clock: Option<Option<NewClock>>,
    /// The number of seconds that the match waits for its start; then it is called off. If left out or null, a public
    /// match waits seven days, one with a live clock an hour, and a private one for ever.
    #[serde(default, deserialize_with = "given_or_null")]
    #[schema(value_type = Option<u32>, required = false, minimum = 60, maximum = 2592000)]
    expires_in_seconds: Option<Option<ExpiresIn>>,
}

/// A seat that is given away as the match is made: to a bot, or to a player who is invited. One of the two is named.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenPlace {
    /// The seat to give away.
    seat: Seat,
    /// The strength of the bot that holds it. The game's list of bots describes each level.
    #[serde(default)]
    bot: Option<Level>,
    /// The player for whom it is kept. They are notified, may see the match, and join it or decline.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$",
        examples("p_0190163d8694739ea2a3c9f1e7d1a444"))]
    player_id: Option<PlayerId>,
}

shape! {
    /// A match to make, told apart by `game`: [`NewMatchFields`] with the options of each game.
    pub CreateMatch
}

impl NewMatchFields {
    /// Returns the match that is asked for, with the names of those who are invited.
    async fn parse(self, service: &Service, caller: &Principal) -> Result<NewMatch, Problem> {
        let mut pattern = self.pattern(service, caller).await?;
        if let Some(id) = &self.preset {
            let seats = service.matches.max_seats(&pattern.game);
            let preset = seats.and_then(|most| preset(id, most)).ok_or_else(|| {
                Problem::new(Code::InvalidRequest).path("preset").detail("the game has no preset of this id")
            })?;
            (pattern.move_time_seconds, pattern.clock) = (None, preset.clock);
        }
        if let Some(text) = &self.starts_at {
            pattern.table.starts_at = Some(read_start(text, service.clock.now())?);
        }
        if let Some(tags) = self.tags {
            pattern.table.tags = read_tags(tags)?;
        }
        if let Some(places) = self.places {
            (pattern.bots, pattern.table.reserved) = given_away(places, service, caller).await?;
        }
        // Of a clock and a time to move, which exclude each other, the one that is asked for counts.
        if matches!(self.clock, Some(Some(_))) {
            pattern.move_time_seconds = None;
        } else if matches!(self.move_time_seconds, Some(Some(_))) {
            pattern.clock = None;
        }
        let table = TableTerms {
            no_spectators: self.spectators.map_or(pattern.table.no_spectators, |may| may == Spectators::None),
            no_programs: self.programs.map_or(pattern.table.no_programs, |rule| rule == Programs::Refuse),
            hotseat: self.hotseat.unwrap_or(pattern.table.hotseat),
            no_rematch: self.rematch.map_or(pattern.table.no_rematch, |may| !may),
            join: self.join.unwrap_or(pattern.table.join),
            ..pattern.table
        };
        if !table.join.as_ref().is_none_or(JoinTerms::are_possible) {
            let detail = "ratings are from 0 to 10000, and `rating_min` is not above `rating_max`";
            return Err(Problem::new(Code::InvalidRequest).path("join").detail(detail));
        }
        let rated = self.rated.unwrap_or(pattern.rated);
        // What was copied gives way, what is asked for does not.
        let copied = !rated || pattern.rated;
        let seat = self.seat.unwrap_or_else(|| lowest_free(&pattern.bots, &table.reserved));
        Ok(NewMatch {
            options: self.options.map_or(pattern.options, Value::Object),
            seats: self.seats.unwrap_or(pattern.seats),
            // A player who holds all seats has none to choose.
            seat: seat.filter(|_| !table.hotseat),
            hints: self.hints.unwrap_or(pattern.hints.filter(|_| copied)),
            undo: self.undo.or(pattern.undo.filter(|_| copied)),
            visibility: self.visibility.or(pattern.visibility),
            start: self.start.unwrap_or(pattern.start),
            move_time_seconds: self.move_time_seconds.map_or(pattern.move_time_seconds, |time| time.map(Within::get)),
            expires_in_seconds: self
                .expires_in_seconds
                .map_or(pattern.expires_in_seconds, |time| time.map(Within::get)),
            table,
            clock: self.clock.map_or(pattern.clock, |clock| clock.map(WantedClock::from)),
            rated,
            exclusive: self.exclusive.or(pattern.exclusive),
            ..pattern
        })
    }

    /// Returns the defaults of a new match: the usual ones, or else those of another match.
    async fn pattern(&self, service: &Service, caller: &Principal) -> Result<NewMatch, Problem> {
        let Some(like) = &self.like else {
            let game = self.game.clone().ok_or_else(|| misread(&Misread::missing_field("game")))?;
            return Ok(NewMatch { move_time_seconds: Some(MOVE_TIME_SECONDS.get()), ..NewMatch::of(game) });
        };
        let viewed = service.matches.read(&Reader::player(caller.player.clone()), like).await?;
        let pattern = viewed.live.like().map_err(Refused::from)?;
        if self.game.as_ref().is_some_and(|game| *game != pattern.game) {
            let detail = "`like` names a match of another game";
            return Err(Problem::new(Code::InvalidRequest).path("like").detail(detail));
        }
        Ok(pattern)
    }
}

/// Reads the moment at which a match starts.
fn read_start(text: &str, now: Timestamp) -> Result<Timestamp, Problem> {
    let ahead = |at: &Timestamp| now < *at && *at <= now.plus_seconds(STARTS_WITHIN_SECONDS);
    Timestamp::from_rfc3339(text).filter(ahead).ok_or_else(|| {
        let detail = "`starts_at` is a moment of the next 30 days, as RFC 3339";
        Problem::new(Code::InvalidRequest).path("starts_at").detail(detail)
    })
}

/// Reads the labels of a match: each once, in order.
fn read_tags(mut tags: Vec<String>) -> Result<Vec<String>, Problem> {
    tags.sort_unstable();
    tags.dedup();
    if !are_tags(&tags) {
        let detail =
            format!("a match has at most {TAGS_MAX} tags, each of 1 to 32 lower-case letters, digits and hyphens");
        return Err(Problem::new(Code::InvalidRequest).path("tags").detail(detail));
    }
    Ok(tags)
}

/// Returns the seats that are given to bots, and the seats that are kept for players.
async fn given_away(
    places: Vec<GivenPlace>,
    service: &Service,
    caller: &Principal,
) -> Result<(Vec<(Seat, Level)>, Vec<ReservedSeat>), Problem> {
    let refused = |detail: &str| Problem::new(Code::InvalidRequest).path("places").detail(detail);
    let named = |problem: Problem| match problem.code() {
        Code::PlayerNotFound => refused("there is no player with the `player_id` of a place"),
        _ => problem,
    };
    if places.len() > usize::from(MAX_SEATS) {
        return Err(refused("there are more places than a match has seats"));
    }
    let (mut bots, mut reserved) = (Vec::new(), Vec::new());
    for GivenPlace { seat, bot, player_id } in places {
        match (bot, player_id) {
            (Some(level), None) => bots.push((seat, level)),
            (None, Some(id)) => {
                reserved.push(ReservedSeat { seat, player: service.invited(caller, &id, None).await.map_err(named)? });
            }
            _ => return Err(refused("a place names either its `bot` or the `player_id` for whom it is kept")),
        }
    }
    Ok((bots, reserved))
}

/// The lowest seat that is not given away.
fn lowest_free(bots: &[(Seat, Level)], reserved: &[ReservedSeat]) -> Option<Seat> {
    let given: Seats = bots.iter().map(|(seat, _)| *seat).chain(reserved.iter().map(|kept| kept.seat)).collect();
    (0..MAX_SEATS).filter_map(Seat::new).find(|seat| !given.contains(*seat))
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
/// Bots (`places`) sit down at once; the match starts when the people sit, so with one person or none at once. Seats can be
/// kept for players, who learn of it as of any step of a match of theirs. `like` names a match whose terms are to be taken
/// over.
#[utoipa::path(
    operation_id = "createMatch",
    tag = "matches",
    request_body = CreateMatch,
    extensions(("x-problems" = json!([
        Code::GameNotFound, Code::InvalidOptions, Code::InvalidClock, Code::NoSuchSeat, Code::PlayerNotFound,
        Code::TooManyOpen, Code::TooManyWithBots, Code::MatchNotFound, Code::Blocked, Code::Forbidden,
        Code::NotRateable, Code::LinkedRequired
    ])), ("x-idempotent" = json!(true))),
    responses((status = 201, description = "The match.", body = MatchView, headers(
        ("Location" = String, description = "Address of the match.")
    ))),
    security(("bearer" = ["create"]))
)]
#[post("/v1/matches")]
pub(crate) async fn create_match(
    service: Shared,
    caller: Playing,
    request: HttpRequest,
    body: RawBody,
) -> Result<HttpResponse, Problem> {
    let once = idempotency(&request, &["createMatch"], body.bytes(), NULLS)?;
    created(Ok(make(&service, &caller, &request, body.decode(), once.as_ref()).await?))
}

/// Makes the match that the caller asks for.
pub(crate) async fn make(
    service: &Service,
    caller: &Principal,
    request: &HttpRequest,
    asked: Result<NewMatchFields, Problem>,
    once: Option<&Idempotency>,
) -> Result<Answered, Problem> {
    let new = async { asked?.parse(service, caller).await };
    // The lobby is everybody's.
    let new = match new.await.map_err(Unread::new) {
        Ok(new) if (new.seat.is_some() || new.table.hotseat) && refuses_program(caller, &new.table) => {
            Err(Unread::new(Problem::from(Refused::from(CreateRefused::NoPrograms))))
        }
        Ok(new) if new.rated && !service.may_be_rated(caller).await? => {
            Err(Unread::new(Problem::from(Code::LinkedRequired)))
        }
        Ok(mut new) if service.matches.may_be_listed(&new) => {
            new.table.made_from = Some(allowance::count_table(request, service, caller).await?);
            Ok(new)
        }
        new => new,
    };
    let creator = service.seated(caller).await?;
    Ok(service.matches.create(creator, new, once).await?)
}
