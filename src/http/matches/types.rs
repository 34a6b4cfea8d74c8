//! The wire types of a match, as the document describes them. [`super::body`] writes them.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::Array;

use super::clock::{ClockBody, SeatClockBody};
use crate::answer::moment::Moment;
use crate::answer::shapes::{MatchEvent, Move, View};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_matches::bots::SeatBot;
use sarsen_matches::feed::redacted::{EventId, RedactedEvent};
use sarsen_matches::forking::ForkedFrom;
use sarsen_matches::model::seated::PlayerRef;
use sarsen_matches::model::table_terms::{JoinTerms, Programs, Spectators};
use sarsen_matches::model::terms::{StartMode, UndoTerms, Visibility};
use sarsen_matches::narration::MatchNarrator;
use sarsen_matches::undo::track::{FreeUndo, Takeback};
use sarsen_matches::{Refused, Stage};
use sarsen_rules::{Outcome, PromptSource, Seat};

fn to_act() -> Array {
    Seat::list_schema("The seats that have a decision to make, ascending.")
}

fn draw_agreed_by() -> Array {
    Seat::list_schema(
        "The seats that have offered or accepted the draw on offer, in the order in which they did; empty if none is on offer.",
    )
}

/// One seat of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatInfo<'a> {
    /// Its number, from 0.
    #[schema(maximum = 4)]
    pub seat: usize,
    /// The player who holds it; null while it is free, and where a bot holds it.
    #[schema(required)]
    pub player: Option<PlayerRef<'a>>,
    /// The bot that holds it, or plays for its player; null where none does.
    #[schema(required)]
    pub bot: Option<SeatBot>,
    /// The player for whom the seat is kept until they join or decline; null where it is kept for nobody.
    #[schema(required)]
    pub reserved_for: Option<PlayerRef<'a>>,
    /// Indicates whether the player has taken the seat over from another while the match was played, or a bot plays for
    /// the player, whose time had run out, until they are back (`bot` says so).
    pub substituted: bool,
    /// Indicates whether the player has left a match that went on.
    pub resigned: bool,
    /// Indicates whether the player has given entropy to the dice.
    pub entropy_given: bool,
    /// The time at which others may claim against this seat if it has not moved by then; null unless the seat has a
    /// decision with a time limit, and always null against a bot, and where only one person plays, on however many
    /// seats.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub claimable_at: Option<Moment>,
    /// Its clock; null before the start, where the match has none, and where a bot holds the seat.
    #[schema(required)]
    pub clock: Option<SeatClockBody>,
}

/// A match, apart from the state of its game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Match<'a> {
    /// Its id, which also sorts by time of creation.
    #[schema(value_type = String, examples("m_0190163d8694739ea2a3c9f1e7d1a111"))]
    pub id: &'a MatchId,
    /// The game's id.
    #[schema(examples("contiguity"))]
    pub game: &'a str,
    /// The version of the game's rules that this match is played by.
    #[schema(minimum = 1)]
    pub rules_version: u32,
    /// The game's options, complete with defaults, as the game's catalogue entry describes them.
    #[schema(value_type = Object)]
    pub options: &'a RawValue,
    /// The visibility: who may find and read it.
    pub visibility: Visibility,
    /// The stage of the match.
    pub status: Stage,
    /// The number of steps it has taken; each change adds 1.
    #[schema(minimum = 1)]
    pub version: u64,
    /// Its seats, in order.
    pub seats: Vec<SeatInfo<'a>>,
    /// The player who made it, seated or not; null where the service made it.
    #[schema(required)]
    pub created_by: Option<PlayerRef<'a>>,
    /// The trigger of the start: once every seat is taken, or when its creator says so.
    pub start: StartMode,
    /// Seconds that a seat has for each decision before others may claim; null for no limit.
    #[schema(required, minimum = 1, maximum = 31536000)]
    pub move_time_seconds: Option<u32>,
    /// The time that seats have, where the service itself enforces it; null where it does not.
    #[schema(required)]
    pub clock: Option<ClockBody>,
    /// Indicates whether players may ask for hints.
    pub hints: bool,
    /// Indicates whether its result changes the ratings of its players.
    pub rated: bool,
    /// The moves that can be undone.
    pub undo: UndoTerms,
    /// Indicates whether its creator sits on every seat that is given to nobody else, to play at one device: with
    /// `as_seat` they read and move as any of their seats.
    pub hotseat: bool,
    /// Indicates whether it is its creator's alone, to try out how another match could have gone on. Like every match
    /// that one player plays alone on all seats (`hotseat`) it waits for nobody, so it counts neither in lists of the
    /// matches in which it is the caller's turn nor in `GET /v1/me/summary`.
    pub analysis: bool,
    /// The match that it was forked from, and the version with whose position it began; null where `analysis` is false.
    #[schema(required)]
    pub forked_from: Option<&'a ForkedFrom>,
    /// The rule on spectators: who may watch it while it is played, if it is public.
    pub spectators: Spectators,
    /// The rule on programs: whether bot accounts, and persons by the token of a program, may take a seat and play.
    pub programs: Programs,
    /// The terms on which players take a free seat; null where anybody may.
    #[schema(required)]
    pub join: Option<&'a JoinTerms>,
    /// Indicates whether it is called off as another exclusive match starts in which its creator, who sits here, plays.
    pub exclusive: bool,
    /// Labels that group matches, such as those of one tournament; empty where it has none.
    pub tags: &'a [String],
    /// The time at which it starts if every seat is taken, and is called off if not, outages of the service left out; null
    /// where `start` alone says when.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub starts_at: Option<Moment>,
    /// The time at which it is called off unless it has started by then, outages of the service left out; null if never, and
    /// once it has started or been called off.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub expires_at: Option<Moment>,
    /// The time at which it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Moment,
    /// The time at which it started; null before.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub started_at: Option<Moment>,
    /// The time at which it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Moment,
    /// The time at which it ended; null before.
    #[schema(value_type = Option<String>, required, format = "date-time")]
    pub ended_at: Option<Moment>,
    /// The seats that have a decision to make, ascending.
    #[schema(schema_with = to_act)]
    pub to_act: Vec<Seat>,
    /// The seats that have offered or accepted the draw on offer, in the order in which they did; empty if none is on
    /// offer.
    #[schema(schema_with = draw_agreed_by)]
    pub draw_agreed_by: &'a [Seat],
    /// SHA-256 commitment to the server's seed: 64 hexadecimal digits.
    pub commitment: String,
    /// The server's seed, 64 hexadecimal digits; null until the match has ended.
    #[schema(required)]
    pub seed: Option<String>,
    /// The result; null until the match has finished.
    #[schema(required)]
    pub outcome: Option<&'a Outcome>,
    /// The caller's seat; null for everyone else.
    #[schema(required)]
    pub your_seat: Option<Seat>,
    /// The code that lets others in; shown only to the seats and the creator of a private match.
    #[schema(required)]
    pub invite_code: Option<&'a str>,
    /// The match that follows as this one's rematch; null while there is none. It is no part of the version: it is looked up
    /// where a match that has finished is read or listed, and null in streams and in answers about earlier versions.
    #[schema(value_type = Option<String>, required, pattern = "^m_[0-9a-f]{32}$")]
    pub rematch: Option<&'a MatchId>,
}

/// The form in which the caller wants legal moves.
///
/// - `full`: As JSON objects.
/// - `notation`: As texts in the game's notation.
/// - `none`: Not at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LegalMovesForm {
    #[default]
    Full,
    Notation,
    None,
}

/// The forms in which an answer tells of moves and events.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct AnswerForms {
    /// Legal moves.
    pub legal_moves: LegalMovesForm,
    /// Indicates whether moves and events come in words too.
    pub text: bool,
}

impl AnswerForms {
    /// As they stand in an entity tag.
    pub(crate) fn in_tag(self) -> &'static str {
        match (self.legal_moves, self.text) {
            (LegalMovesForm::Full, false) => "Full",
            (LegalMovesForm::Full, true) => "Full.text",
            (LegalMovesForm::Notation, false) => "Notation",
            (LegalMovesForm::Notation, true) => "Notation.text",
            (LegalMovesForm::None, false) => "None",
            (LegalMovesForm::None, true) => "None.text",
        }
    }
}

impl From<LegalMovesForm> for AnswerForms {
    fn from(legal_moves: LegalMovesForm) -> AnswerForms {
        AnswerForms { legal_moves, text: false }
    }
}

/// The moves that the caller may make.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LegalMoves)]
pub struct LegalMovesBody {
    /// Indicates whether the list is complete. If it is not, legal moves that are not listed are accepted all the same.
    pub complete: bool,
    /// The number of moves listed.
    #[schema(minimum = 1, maximum = 10000)]
    pub count: usize,
    /// The moves, if asked for with `legal_moves=full`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<Move>, nullable = false)]
    pub moves: Option<Box<RawValue>>,
    /// The moves in the game's notation, if asked for with `legal_moves=notation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, nullable = false)]
    pub notations: Option<Box<RawValue>>,
    /// The same moves in words that can be read aloud, in the same order, if asked for with `text=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, nullable = false)]
    pub texts: Option<Box<RawValue>>,
}

/// The last move of a match.
#[derive(Debug, Serialize, ToSchema)]
pub struct LastMove {
    /// The seat that made it.
    pub seat: Seat,
    /// The move; null where the caller may not know it.
    #[schema(value_type = Option<Move>, required)]
    pub r#move: Option<Box<RawValue>>,
    /// The move in the game's notation; null where the caller may not know it.
    #[schema(required, examples("29b-5b"))]
    pub notation: Option<String>,
    /// The move in words that can be read aloud, if asked for with `text=true` and the caller may know it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, examples("Move from 29b to 5b."))]
    pub text: Option<String>,
}

/// The caller's open decision.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct Decision {
    /// The id that a move names in order to answer it: `<version at which it opened>.<seat>`. It stays valid while
    /// other seats act.
    #[schema(examples("17.0"))]
    pub id: String,
    /// The seat that is to decide: the caller's.
    pub seat: Seat,
    /// The time at which it opened, RFC 3339 in UTC; the seat's `move_time_seconds` run from then.
    #[schema(value_type = String, format = "date-time")]
    pub opened_at: Moment,
    /// The question, in a stable word: an entry of the kind `decision` in the game's glossary.
    #[schema(value_type = String, examples("bid"))]
    pub kind: &'static str,
    /// The question, in a sentence for people.
    #[schema(value_type = String, examples("Move one of your white pieces."))]
    pub text: std::borrow::Cow<'static, str>,
    /// The source of the question: a place of the board or an entry of the glossary, such as the card whose effect it
    /// is; null where nothing in particular asks.
    #[schema(required)]
    pub source: Option<PromptSource>,
    /// The legal moves; null with `legal_moves=none`.
    #[schema(required)]
    pub legal_moves: Option<LegalMovesBody>,
}

/// A match with the state of its game and the caller's decision.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct MatchView<'a> {
    /// The match.
    pub r#match: Match<'a>,
    /// The part of the game's state that the caller may see; null before the start.
    #[schema(value_type = Option<View>, required)]
    pub state: Option<Box<RawValue>>,
    /// The last move that belonged to a turn, as the caller may see it, for pictures and for clients that have just
    /// connected; null before the first.
    #[schema(required)]
    pub last_move: Option<LastMove>,
    /// The free undo that the caller could make right now without asking anybody; null if there is none.
    #[schema(required)]
    pub undo: Option<FreeUndo>,
    /// The takeback on offer; null if there is none.
    #[schema(required)]
    pub takeback: Option<Takeback>,
    /// The caller's open decision with its legal moves; null if the caller has nothing to decide.
    #[schema(required)]
    pub decision: Option<Decision>,
}

/// The deadline of a seat.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SeatDeadline {
    /// The seat.
    pub seat: Seat,
    /// The deadline of its turn, RFC 3339 in UTC; a move is in time that is received up to
    /// `clock_grace_milliseconds` later.
    #[schema(value_type = String, format = "date-time")]
    pub deadline_at: Moment,
}

/// Something that happened in a match, as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LoggedEvent)]
pub struct EventBody<'a> {
    /// The server's time as it sends the item, RFC 3339 in UTC; in streams alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, nullable = false, format = "date-time")]
    pub server_time: Option<Moment>,
    /// Its place in the log as the caller sees it: `<version>.<index>`. Resume after it with `after` or
    /// `Last-Event-ID`.
    #[schema(value_type = String, examples("18.0"))]
    pub id: EventId,
    /// The version of the match that it belongs to.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The time at which the step that brought it was committed, RFC 3339 in UTC.
    #[schema(value_type = String, format = "date-time")]
    pub at: Moment,
    /// Indicates whether it is the last event of its version that the caller gets: the step is complete with it.
    pub last: bool,
    /// The deadlines of all seats that are to act after the step, in its last event, while a match with a clock is
    /// played.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<SeatDeadline>, required = false, nullable = false)]
    pub deadlines: Option<Vec<SeatDeadline>>,
    /// The event itself, told apart by `type`.
    #[schema(value_type = MatchEvent)]
    pub event: &'a RawValue,
    /// The event in words that can be read aloud, if asked for with `text=true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, nullable = false, examples("Turn 1: white slides from 29b to 5b; its pieces are in 5 groups."))]
    pub text: Option<String>,
}

impl<'a> EventBody<'a> {
    /// The event as it was told, with words where somebody speaks.
    pub(crate) fn of(told: &'a RedactedEvent, narrator: Option<&MatchNarrator<'_>>) -> Result<EventBody<'a>, Refused> {
        let RedactedEvent { id, at, last, event, deadlines, .. } = told;
        let text = narrator.map(|narrator| narrator.event(told)).transpose()?;
        let deadline = |(seat, at): &(Seat, Timestamp)| SeatDeadline { seat: *seat, deadline_at: Moment(*at) };
        let deadlines = deadlines.as_ref().map(|all| all.iter().map(deadline).collect());
        // A stream puts the time in as it sends the item.
        let server_time = None;
        Ok(EventBody {
            server_time,
            id: *id,
            version: id.version,
            at: Moment(*at),
            last: *last,
            deadlines,
            event,
            text,
        })
    }
}

/// A match as it is at one version, and what has happened in it since the client last heard of it.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct MatchStep<'a> {
    /// The server's time as it sends the item, RFC 3339 in UTC; in streams alone.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = String, required = false, nullable = false, format = "date-time")]
    pub server_time: Option<Moment>,
    /// The place to go on behind it: the value to pass as `after`, or as `Last-Event-ID`.
    #[schema(examples("18.0.5f0c9a7be2d41386"))]
    pub cursor: String,
    /// The version of the match.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The events, in order: those of the step that made the version, and before them those of steps that were missed;
    /// or a `resync` alone. Empty where the client has been told all, or has come without a cursor.
    pub events: Vec<EventBody<'a>>,
    /// The match.
    pub r#match: Match<'a>,
    /// The part of the game's state that the caller may see; null before the start.
    #[schema(value_type = Option<View>, required)]
    pub state: Option<Box<RawValue>>,
    /// The last move that belonged to a turn, as the caller may see it; null before the first.
    #[schema(required)]
    pub last_move: Option<LastMove>,
    /// The free undo that the caller could make right now without asking anybody; null if there is none.
    #[schema(required)]
    pub undo: Option<FreeUndo>,
    /// The takeback on offer; null if there is none.
    #[schema(required)]
    pub takeback: Option<Takeback>,
    /// The caller's open decision with its legal moves; null if the caller has nothing to decide. Only with
    /// `include=view,decision`.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(value_type = Option<Decision>, required = false)]
    pub decision: Option<Option<Decision>>,
}

/// A move that was made, or was tried with `dry_run=true`, and what came of it.
#[derive(Debug, ToSchema)]
#[cfg_attr(test, derive(Serialize))]
pub struct MoveResult<'a> {
    /// The version of the match after the move.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The move.
    #[schema(value_type = Move)]
    pub r#move: &'a RawValue,
    /// The move in the game's notation.
    #[schema(examples("29b-5b"))]
    pub notation: &'a str,
    /// The move in words that can be read aloud, if asked for with `text=true`.
    #[cfg_attr(test, serde(skip_serializing_if = "Option::is_none"))]
    #[schema(required = false, nullable = false, examples("Move from 29b to 5b."))]
    pub text: Option<String>,
    /// The events of the move, as the caller sees them.
    pub events: Vec<EventBody<'a>>,
    /// The match after the move.
    pub r#match: Match<'a>,
    /// The part of the game's state that the caller may see after the move; null where a dry run would have to show
    /// what only the real move may reveal.
    #[schema(value_type = Option<View>, required)]
    pub state: Option<Box<RawValue>>,
    /// The last move that belonged to a turn: this one, unless moves of seats whose players have left followed it.
    #[schema(required)]
    pub last_move: Option<LastMove>,
    /// The free undo that the caller could make right now without asking anybody; null if there is none.
    #[schema(required)]
    pub undo: Option<FreeUndo>,
    /// The takeback on offer; null if there is none.
    #[schema(required)]
    pub takeback: Option<Takeback>,
    /// The seats that have a decision to make, ascending.
    #[schema(schema_with = to_act)]
    pub to_act: Vec<Seat>,
    /// The caller's next decision with its legal moves; null if it is not the caller's turn.
    #[schema(required)]
    pub decision: Option<Decision>,
    /// Indicates whether this only shows the effect of the move.
    pub dry_run: bool,
    /// Indicates whether chance, or something that the caller may not know yet, would decide what follows; true only in
    /// a dry run.
    pub chance_pending: bool,
}
