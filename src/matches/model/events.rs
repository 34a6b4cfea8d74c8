//! Events of a match, unredacted.
//!
//! Invariant: an event is complete and secret; `feed::redacted` makes the event for one viewer from it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::model::bots::SeatBot;
use crate::model::clock::{CreditReason, TimeoutConsequence};
use crate::model::seated::{PlayerRef, Seated};
use sarsen_base::ambient::{Timestamp, rfc3339};
use sarsen_base::ids::MatchId;
use sarsen_games::GameEvent;
use sarsen_rules::{Outcome, Seat, tagged_union};

/// The match was made.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchCreated {
    /// The pool that paired its players; absent where a player made the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub(crate) pool: Option<String>,
}

/// A player took a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerJoined {
    /// The seat that was taken.
    pub(crate) seat: Seat,
    /// The player who now holds it.
    #[schema(value_type = PlayerRef)]
    pub(crate) player: Seated,
}

/// A player gave up a seat before the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerLeft {
    /// The seat, now free.
    pub(crate) seat: Seat,
}

/// A seat is kept for a player, who has not taken it yet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerInvited {
    /// The seat that is kept.
    pub(crate) seat: Seat,
    /// The player for whom it is kept.
    #[schema(value_type = PlayerRef)]
    pub(crate) player: Seated,
    /// The match before, where this one follows another; null else.
    #[schema(required, value_type = Option<String>)]
    pub(crate) from_match: Option<MatchId>,
}

/// The reason why a seat is not kept any more. More may come: ignore one that you do not know.
///
/// - `declined`: The player for whom it was kept does not want it.
/// - `expired`: The player did not take it in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeclineReason {
    Declined,
    Expired,
}

/// A seat is not kept any more for the player who was invited to it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct InvitationDeclined {
    /// The seat, now free.
    pub(crate) seat: Seat,
    /// The reason why it is not kept any more.
    pub(crate) reason: DeclineReason,
}

/// The creator sent away who held a seat, or for whom it was kept, before the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerRemoved {
    /// The seat, now free.
    pub(crate) seat: Seat,
}

/// A player took over the seat of another during play. The match goes on unchanged, and its result counts for the
/// player who then holds the seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerSubstituted {
    /// The seat that was taken over.
    pub(crate) seat: Seat,
    /// The player who held it.
    #[schema(value_type = PlayerRef)]
    pub(crate) from: Seated,
    /// The player who holds it now.
    #[schema(value_type = PlayerRef)]
    pub(crate) to: Seated,
}

/// A seat contributed entropy to the dice.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct EntropyGiven {
    /// The seat that contributes; the record has its entropy.
    pub(crate) seat: Seat,
}

/// The match started.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchStarted {}

/// The reason why a match was called off. More may come: ignore one that you do not know.
///
/// - `creator`: Its creator called it off before its start.
/// - `expired`: It had not started when its time was over.
/// - `operator`: An operator called it off, perhaps while it was played.
/// - `declined`: It was to follow another match of two, and the other player declined.
/// - `no_start`: A seat of a match of two did not take its first turn in time; `seat` says which.
/// - `not_started_in_time`: Its seats were not taken at the moment at which it was to start, `starts_at`.
/// - `started_elsewhere`: Its creator plays in a live match that has started meanwhile, and it was `exclusive`.
/// - `adjudicated`: Its organiser called it off while it was played; `match_adjudicated` says why.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum AbortReason {
    Creator,
    Expired,
    Operator,
    Declined,
    NoStart,
    NotStartedInTime,
    StartedElsewhere,
    Adjudicated,
}

/// The match was called off: before its start, or while it was played. There is no result. A match that was called off
/// before its start is deleted seven days later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchAborted {
    /// The reason why it was called off.
    pub(crate) reason: AbortReason,
    /// The seat for which it was; only where the reason is `no_start`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) seat: Option<Seat>,
}

/// A seat resigned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerResigned {
    /// The seat that resigned.
    pub(crate) seat: Seat,
}

/// A seat let its time run out, and another seat claimed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct AbsenceClaimed {
    /// The absent seat; it counts as resigned.
    pub(crate) seat: Seat,
    /// The seat that claimed.
    pub(crate) claimed_by: Seat,
}

/// A seat offered a draw.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DrawOffered {
    /// The seat that offers; it counts as agreed.
    pub(crate) seat: Seat,
}

/// A seat accepted the draw on offer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DrawAccepted {
    /// The seat that agrees.
    pub(crate) seat: Seat,
}

/// A seat declined the draw on offer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct DrawDeclined {
    /// The seat that declines; the offer is off.
    pub(crate) seat: Seat,
}

/// A seat had a hint for its open decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct HintUsed {
    /// The seat that had it.
    pub(crate) seat: Seat,
}

/// The match was put back to the state that it had at an earlier version: by a free undo, or by a takeback to which all
/// have agreed. Read the match again: decisions have opened again, with new ids.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MoveUndone {
    /// The seat that asked for it.
    pub(crate) by: Seat,
    /// The version whose state the match has again.
    #[schema(minimum = 1)]
    pub(crate) to_version: u64,
}

/// A seat offered to take moves back. The offer lapses with any move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TakebackOffered {
    /// The seat that offers.
    pub(crate) seat: Seat,
    /// The version whose state the match would have again.
    #[schema(minimum = 1)]
    pub(crate) to_version: u64,
}

/// A seat accepted the takeback on offer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TakebackAccepted {
    /// The seat that agrees.
    pub(crate) seat: Seat,
}

/// A seat declined the takeback on offer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct TakebackDeclined {
    /// The seat that declines; the offer is off.
    pub(crate) seat: Seat,
}

/// A seat let its time run out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ClockExpired {
    /// The seat.
    pub(crate) seat: Seat,
    /// The time at which its time was over: RFC 3339, UTC.
    #[serde(with = "rfc3339")]
    #[schema(value_type = String, format = "date-time")]
    pub(crate) deadline_at: Timestamp,
    /// The consequence for the seat.
    pub(crate) consequence: TimeoutConsequence,
}

/// A bot plays for a player whose time has run out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct BotTookOver {
    /// The seat.
    pub(crate) seat: Seat,
    /// The bot.
    pub(crate) bot: SeatBot,
}

/// A player is back, and plays from the seat's next decision on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct PlayerReturned {
    /// The seat.
    pub(crate) seat: Seat,
}

/// Time was added to clocks. In a match without a clock, others may claim so much later against these seats.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct ClockCredited {
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

/// The organiser settled the match: `match_ended` or `match_aborted` follows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchAdjudicated {
    /// The reason, in the organiser's words.
    pub(crate) reason: String,
}

/// The match ended. With an ending of the service's own (`resignation`, `abandoned`, `timeout`, `draw_agreed`,
/// `adjudicated`), no other event shows what was hidden until now: read the match again, its state is open.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatchEnded {
    /// The ending of the match, and each seat's result.
    pub(crate) outcome: Outcome,
}

tagged_union! {
    /// An event in the life of any match.
    pub enum LifeEvent {
        "match_created" => MatchCreated(MatchCreated),
        "player_joined" => PlayerJoined(PlayerJoined),
        "player_left" => PlayerLeft(PlayerLeft),
        "player_invited" => PlayerInvited(PlayerInvited),
        "invitation_declined" => InvitationDeclined(InvitationDeclined),
        "player_removed" => PlayerRemoved(PlayerRemoved),
        "player_substituted" => PlayerSubstituted(PlayerSubstituted),
        "entropy_given" => EntropyGiven(EntropyGiven),
        "match_started" => MatchStarted(MatchStarted),
        "match_aborted" => MatchAborted(MatchAborted),
        "player_resigned" => PlayerResigned(PlayerResigned),
        "absence_claimed" => AbsenceClaimed(AbsenceClaimed),
        "draw_offered" => DrawOffered(DrawOffered),
        "draw_accepted" => DrawAccepted(DrawAccepted),
        "draw_declined" => DrawDeclined(DrawDeclined),
        "hint_used" => HintUsed(HintUsed),
        "move_undone" => MoveUndone(MoveUndone),
        "takeback_offered" => TakebackOffered(TakebackOffered),
        "takeback_accepted" => TakebackAccepted(TakebackAccepted),
        "takeback_declined" => TakebackDeclined(TakebackDeclined),
        "clock_expired" => ClockExpired(ClockExpired),
        "clock_credited" => ClockCredited(ClockCredited),
        "bot_took_over" => BotTookOver(BotTookOver),
        "player_returned" => PlayerReturned(PlayerReturned),
        "match_adjudicated" => MatchAdjudicated(MatchAdjudicated),
        "match_ended" => MatchEnded(MatchEnded),
    }
}

/// The time that a move took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveTime {
    /// The time of the turn that had passed, in milliseconds.
    pub(crate) used_milliseconds: i64,
    /// The bank after the move, in milliseconds.
    pub(crate) bank_milliseconds: i64,
}

/// An event, unredacted.
#[derive(Clone, Debug)]
pub enum StoredEvent {
    /// Something in the life of the match.
    Life(LifeEvent),
    /// A move was made.
    Move {
        /// The seat that made it.
        seat: Seat,
        /// The move, tagged by `type`.
        mv: Box<RawValue>,
        /// The same in notation.
        notation: String,
        /// The time that the move took, where a clock runs.
        time: Option<MoveTime>,
        /// True if a plan of its player made it.
        planned: bool,
    },
    /// Something in the game, tagged by `type`.
    Game(GameEvent),
}
