//! The JSON format of a record.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use crate::model::adjudication::Adjudication;
use crate::model::bots::SeatedBot;
use crate::model::clock::{ClockTerms, CreditReason, OnTimeout, TakeoverBot, TimeoutConsequence};
use crate::model::fairness::SeatEntropy;
use crate::model::fork::ForkedFrom;
use crate::model::seated::{PlayerRef, Seated};
use crate::model::terms::{StartMode, UndoTerms};
use sarsen_base::ids::MatchId;
use sarsen_games::bots::Level;
use sarsen_rules::{Outcome, Seat};

/// The format's name, with its version.
pub(crate) const EXPORT_FORMAT: &str = "sarsen/record/1";
/// The format of a record of a match with bots, hints, undos, takebacks, planned moves, a clock, invites, players sent
/// away, or reserved or handed-on seats; also of a fork, a rematch, a hotseat match, and a match with tags or of a pool.
/// Releases that know none of these cannot read it.
pub(crate) const EXPORT_FORMAT_WITH_BOTS: &str = "sarsen/record/2";

impl MatchExport {
    /// The lowest format in which the record can be written.
    pub(super) fn lowest_format(&self) -> &'static str {
        let heads = self.bots.is_empty() && self.reserved.is_empty() && self.from_match.is_none() && !self.hotseat;
        let heads = heads && self.forked_from.is_none() && self.pool.is_none() && self.tags.is_empty();
        // All actions behind it came with the second format, or need a clock.
        let newer = |step: &ExportStep| step.planned || step.action > ExportAction::DeclineDraw;
        let plain = heads && self.clock.is_none() && !self.steps.iter().any(newer);
        if plain { EXPORT_FORMAT } else { EXPORT_FORMAT_WITH_BOTS }
    }
}

/// The whole record of a finished match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchExport {
    /// `sarsen/record/1`, or `sarsen/record/2` where there were bots, hints, undos, takebacks, planned moves, or
    /// seats that were kept for players or handed on, or where it was forked or has tags.
    #[schema(examples("sarsen/record/1"))]
    pub format: String,
    /// Id of the match.
    #[schema(value_type = String)]
    pub match_id: MatchId,
    /// Id of the game.
    #[schema(examples("contiguity"))]
    pub game: String,
    /// The version of the game's rules.
    #[schema(minimum = 1)]
    pub rules_version: u32,
    /// Its options, complete with defaults, as the game's catalogue entry describes them.
    #[schema(value_type = Object)]
    pub options: Value,
    /// The number of its seats.
    #[schema(minimum = 1, maximum = 5)]
    pub seats: u8,
    /// The seats that bots held; absent where there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub bots: Vec<RecordedBot>,
    /// The seats that were kept for players as the match was made; absent where there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) reserved: Vec<RecordedReservation>,
    /// True if the creator sat on every seat that was given to nobody else; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub(crate) hotseat: bool,
    /// The match whose rematch it was; absent where it was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false)]
    pub(crate) from_match: Option<MatchId>,
    /// The match from which it was forked, and the version whose position it began with; absent where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) forked_from: Option<ForkedFrom>,
    /// The player who made it; null where the service paired its players.
    #[serde(serialize_with = "PlayerRef::any")]
    #[schema(value_type = Option<PlayerRef>, required)]
    pub(crate) created_by: Option<Seated>,
    /// The pool that paired its players; absent where none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) pool: Option<String>,
    /// The players whom the pool paired, whose seats were drawn; absent where none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub(crate) paired: Vec<RecordedPlayer>,
    /// Its labels; absent where it had none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 8)]
    pub(crate) tags: Vec<String>,
    /// The condition under which it started.
    pub(crate) start: StartMode,
    /// Seconds that a seat had for each decision before others could claim; null for no limit.
    #[schema(required, minimum = 1)]
    pub(crate) move_time_seconds: Option<u32>,
    /// The time that seats had; absent where there was no clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) clock: Option<RecordedClock>,
    /// The moves that could be undone.
    pub undo: UndoTerms,
    /// True if players could ask for hints.
    pub hints: bool,
    /// True if the result changed ratings; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub(crate) rated: bool,
    /// The server's seed: 64 hexadecimal digits.
    pub seed: String,
    /// The commitment published when the match was made: 64 hexadecimal digits.
    pub(crate) commitment: String,
    /// Every step, in order; the first is the creation, or the fork.
    pub steps: Vec<ExportStep>,
    /// The ending of the match, and each seat's result.
    pub outcome: Outcome,
}

/// The action of a step. More may come: ignore one that you do not know.
///
/// - `create`: The match was made.
/// - `fork`: The match was made, and began with `position`.
/// - `join`: `player` sat down on `seat`, perhaps with `entropy`.
/// - `leave`: `seat` was left.
/// - `entropy`: `seat` gave `entropy`.
/// - `start`: The creator started the match.
/// - `move`: `seat` made `move`.
/// - `resign`: `seat` resigned.
/// - `claim`: `claimed_by` claimed against the absent `seat`.
/// - `offer_draw`: `seat` offered a draw.
/// - `accept_draw`: `seat` accepted the draw.
/// - `decline_draw`: `seat` declined the draw.
/// - `hint`: `seat` had a hint.
/// - `undo`: `seat` undid own moves: the match has the state of `to_version` again.
/// - `offer_takeback`: `seat` offered to go back to `to_version`; where nobody had to agree, the match has its state again.
/// - `accept_takeback`: `seat` agreed; with the last to do so the match has the state again that was offered.
/// - `decline_takeback`: `seat` declined the takeback.
/// - `decline`: The player for whom `seat` was kept did not want it.
/// - `reserve`: The creator kept `seat` for `player`.
/// - `end_reservations`: Seats were kept long enough for players who did not come.
/// - `invite`: Somebody at the table made an invite, for `seat` or for any.
/// - `substitute`: `player` took over `seat` while the match was played.
/// - `kick`: The creator sent away who held `seat`, or for whom it was kept.
/// - `timeout`: `seat` let its time run out, with `consequence`.
/// - `return`: The player of `seat` was back, after a bot had played for them.
/// - `adjudicate`: The creator, who held no seat, settled the match with `ruling`, for a `reason`.
/// - `clock_credit`: Time was added to clocks, as `credit` says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum ExportAction {
    #[default]
    Create,
    Fork,
    Join,
    Leave,
    Entropy,
    Start,
    Move,
    Resign,
    Claim,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    Hint,
    Undo,
    OfferTakeback,
    AcceptTakeback,
    DeclineTakeback,
    Decline,
    Reserve,
    EndReservations,
    Invite,
    Substitute,
    Kick,
    Timeout,
    Return,
    Adjudicate,
    ClockCredit,
}

/// A seat that was kept for a player.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedReservation {
    /// The seat that was kept.
    pub(crate) seat: Seat,
    /// The player for whom it was kept.
    #[serde(serialize_with = "PlayerRef::one")]
    #[schema(value_type = PlayerRef)]
    pub(crate) player: Seated,
}

/// A player whom a pool paired.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedPlayer {
    /// The player.
    #[serde(serialize_with = "PlayerRef::one")]
    #[schema(value_type = PlayerRef)]
    pub(crate) player: Seated,
    /// The entropy that they gave to the dice before they were paired.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false)]
    pub(crate) entropy: Option<SeatEntropy>,
}

/// The time that seats had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedClock {
    /// The bank at the start.
    #[schema(maximum = 31536000)]
    pub(crate) initial_seconds: u32,
    /// The time that each turn added to the bank.
    #[schema(maximum = 2592000)]
    pub(crate) increment_seconds: u32,
    /// The time of each turn that cost nothing.
    #[schema(maximum = 2592000)]
    pub(crate) delay_seconds: u32,
    /// The most that the bank could hold after a turn; null for no limit.
    #[schema(required, maximum = 31536000)]
    pub(crate) max_bank_seconds: Option<u32>,
    /// The time that a seat had for its first turn, which cost nothing; null where there was no such rule.
    #[schema(required, minimum = 10, maximum = 604800)]
    pub(crate) first_move_seconds: Option<u32>,
    /// The consequence for a seat that let its time run out.
    pub(crate) on_timeout: OnTimeout,
    /// The number of consecutive turns that a seat could let pass.
    #[schema(maximum = 100)]
    pub(crate) timeouts_allowed: u8,
    /// The bot that played for seats that were late; absent unless `on_timeout` is `bot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) takeover_bot: Option<RecordedTakeover>,
}

/// The bot that played for seats that were late.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedTakeover {
    /// The strength of the bot.
    pub(crate) level: Level,
    /// The version of the game's bots.
    #[schema(minimum = 1)]
    pub(crate) version: u32,
}

impl From<ClockTerms> for RecordedClock {
    fn from(terms: ClockTerms) -> RecordedClock {
        RecordedClock {
            initial_seconds: terms.initial_seconds,
            increment_seconds: terms.increment_seconds,
            delay_seconds: terms.delay_seconds,
            max_bank_seconds: terms.max_bank_seconds,
            first_move_seconds: terms.first_move_seconds,
            on_timeout: terms.on_timeout,
            timeouts_allowed: terms.timeouts_allowed,
            takeover_bot: terms.takeover_bot.map(|TakeoverBot { level, version }| RecordedTakeover { level, version }),
        }
    }
}

impl From<RecordedClock> for ClockTerms {
    fn from(clock: RecordedClock) -> ClockTerms {
        ClockTerms {
            initial_seconds: clock.initial_seconds,
            increment_seconds: clock.increment_seconds,
            delay_seconds: clock.delay_seconds,
            max_bank_seconds: clock.max_bank_seconds,
            first_move_seconds: clock.first_move_seconds,
            on_timeout: clock.on_timeout,
            timeouts_allowed: clock.timeouts_allowed,
            takeover_bot: clock.takeover_bot.map(|RecordedTakeover { level, version }| TakeoverBot { level, version }),
        }
    }
}

/// A seat that a bot held.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedBot {
    /// The seat that it held.
    pub(crate) seat: Seat,
    /// The strength of the bot.
    pub level: Level,
    /// The version of the game's bots.
    #[schema(minimum = 1)]
    pub version: u32,
}

/// Time that was added to clocks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedCredit {
    /// The seats that it was added to.
    pub(crate) seats: Vec<Seat>,
    /// The time added, in milliseconds.
    #[schema(minimum = 1)]
    pub(crate) milliseconds: i64,
    /// The reason why it was added.
    pub(crate) reason: CreditReason,
    /// The seat that gave it; null where the service did.
    #[schema(required)]
    pub(crate) by: Option<Seat>,
}

/// The position with which a fork began: all that there was to its game then, in a form of the game's own, which
/// `sarsen verify` reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedPosition {
    /// The version of that form.
    pub(crate) state_version: u16,
    /// The state.
    #[schema(value_type = Object)]
    pub(crate) state: Verbatim,
}

/// One step of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportStep {
    /// The version it made, from 1.
    #[schema(minimum = 1)]
    pub version: u64,
    /// The time of the step: RFC 3339, UTC.
    #[schema(format = "date-time")]
    pub(crate) at: String,
    /// The action that made the step: a move, or one of the steps that need none, such as joining.
    pub action: ExportAction,
    /// The seat that acted, or that the step is about; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seat: Option<Seat>,
    /// The player who took the seat, or for whom it was kept; only where somebody sat down, took a seat over, or was
    /// expected.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "PlayerRef::any")]
    #[schema(value_type = PlayerRef, required = false, nullable = false)]
    pub(crate) player: Option<Seated>,
    /// The position with which the match began; only of a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) position: Option<RecordedPosition>,
    /// The entropy that was given to the dice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, nullable = false)]
    pub(crate) entropy: Option<SeatEntropy>,
    /// The move, tagged by `type`.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, nullable = false)]
    pub mv: Option<Verbatim>,
    /// True if a bot made the move and its search took too long: then the move is the first legal one. Absent where
    /// not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub cut_short: bool,
    /// True if a plan of its player made the move, which took none of the seat's time. Absent where not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub(crate) planned: bool,
    /// The seat that claimed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) claimed_by: Option<Seat>,
    /// The version that an undo goes back to, or that a takeback is offered to go back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub(crate) to_version: Option<u64>,
    /// The consequence of the seat's time running out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) consequence: Option<TimeoutConsequence>,
    /// Time that was added to clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) credit: Option<RecordedCredit>,
    /// The result that the organiser gave the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) ruling: Option<Adjudication>,
    /// The organiser's reason for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) reason: Option<String>,
    /// The events of the step, with nothing hidden; each event has a `type`.
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Verbatim>,
}

/// JSON as it was written; equal to other JSON of the same value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verbatim(Box<RawValue>);

impl Verbatim {
    /// The JSON value.
    pub fn value(&self) -> Value {
        // It was read as JSON.
        serde_json::from_str(self.0.get()).unwrap_or_default()
    }

    /// The JSON text, as it was written.
    pub fn raw(&self) -> &RawValue {
        &self.0
    }
}

impl PartialEq for Verbatim {
    fn eq(&self, other: &Verbatim) -> bool {
        self.0.get() == other.0.get() || self.value() == other.value()
    }
}

impl From<Box<RawValue>> for Verbatim {
    fn from(json: Box<RawValue>) -> Verbatim {
        Verbatim(json)
    }
}

impl From<Value> for Verbatim {
    fn from(value: Value) -> Verbatim {
        // A value has no other form than its JSON.
        Verbatim(to_raw_value(&value).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

impl From<&RecordedBot> for SeatedBot {
    fn from(&RecordedBot { seat, level, version }: &RecordedBot) -> SeatedBot {
        SeatedBot { seat, level, version }
    }
}
