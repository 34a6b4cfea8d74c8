//! The log of a match: for each of its versions what was done and what happened.
//!
//! Invariants: version `n` has exactly one [`LogEntry`]; the first is made by the creation, and no other.
//! `table::log_codec` defines the stored form. Events are not stored with the entries: a replay makes them again.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::adjudication::Adjudication;
use crate::model::clock::{CreditReason, TimeoutConsequence};
use crate::model::events::{AbortReason, StoredEvent};
use crate::model::fairness::SeatEntropy;
use crate::model::invite::StoredInvite;
use crate::model::seated::Seated;
use crate::model::terms::Creation;
use sarsen_base::ambient::Timestamp;
use sarsen_rules::Seat;
use sarsen_store::Stamp;

/// One thing that someone did in a match. Tagged from outside, because raw JSON cannot stand in an inside-tagged form.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Sat down.
    Join {
        /// The seat taken.
        seat: Seat,
        /// The player who sat down.
        player: Seated,
        /// The player's entropy for the dice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<SeatEntropy>,
    },
    /// Got up before the start.
    Leave {
        /// The seat left.
        seat: Seat,
    },
    /// Gave entropy to the dice, in place of what they gave before.
    Entropy {
        /// The seat that gave it.
        seat: Seat,
        /// The new entropy.
        entropy: SeatEntropy,
    },
    /// The creator started it.
    Start,
    /// The creator called it off.
    Abort,
    /// Somebody else did, also while it was played.
    CallOff {
        /// The reason.
        reason: AbortReason,
    },
    /// Made a move.
    Move {
        /// The seat that moved.
        seat: Seat,
        /// The move, tagged by `type`.
        mv: Box<RawValue>,
        /// True if a bot made it whose search took too long: then it is the first legal one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
        /// True if a plan of its player made it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        planned: bool,
    },
    /// Gave up.
    Resign {
        /// The seat that resigned.
        seat: Seat,
    },
    /// Had an absent seat treated as resigned.
    Claim {
        /// The absent seat.
        seat: Seat,
        /// The seat that claimed.
        by: Seat,
    },
    /// Offered a draw.
    OfferDraw {
        /// The seat that offered it.
        seat: Seat,
    },
    /// Agreed to a draw.
    AcceptDraw {
        /// The seat that agreed.
        seat: Seat,
    },
    /// Declined a draw.
    DeclineDraw {
        /// The seat that declined.
        seat: Seat,
    },
    /// Had a hint.
    Hint {
        /// The seat that had it.
        seat: Seat,
    },
    /// Undid own moves of the present turn.
    Undo {
        /// The seat that undid them.
        seat: Seat,
        /// The version whose state the match has again.
        to_version: u64,
    },
    /// Offered a takeback; where nobody has to agree, it is carried out.
    OfferTakeback {
        /// The seat that offered it.
        seat: Seat,
        /// The version whose state the match is to have again.
        to_version: u64,
    },
    /// Agreed to a takeback; the last to do so has it carried out.
    AcceptTakeback {
        /// The seat that agreed.
        seat: Seat,
    },
    /// Declined a takeback.
    DeclineTakeback {
        /// The seat that declined.
        seat: Seat,
    },
    /// Declined the seat that was reserved for them.
    Decline {
        /// The seat declined.
        seat: Seat,
    },
    /// The creator reserved a seat for a player.
    Reserve {
        /// The seat reserved.
        seat: Seat,
        /// The player for whom it is reserved.
        player: Seated,
    },
    /// The time of reservations ended.
    EndReservations,
    /// Somebody at the table made an invite.
    Invite {
        /// The invite, without its code.
        invite: StoredInvite,
    },
    /// Sat down with an invite.
    JoinByInvite {
        /// The seat taken.
        seat: Seat,
        /// The player who sat down.
        player: Seated,
        /// The player's entropy for the dice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<SeatEntropy>,
        /// The hash of its code.
        hash: String,
    },
    /// Took over a seat while the match was played.
    Substitute {
        /// The seat taken over.
        seat: Seat,
        /// The player who took it over.
        player: Seated,
        /// The hash of the code that they came with; a record has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
    },
    /// The creator sent somebody away.
    Kick {
        /// The seat of the player who was sent away.
        seat: Seat,
    },
    /// Let its time run out. The service sees to that.
    Timeout {
        /// The seat whose time ran out.
        seat: Seat,
        /// The consequence.
        consequence: TimeoutConsequence,
    },
    /// Was back, after a bot had played for the seat.
    Return {
        /// The seat whose player was back.
        seat: Seat,
    },
    /// The creator, who holds no seat, settled the match.
    Adjudicate {
        /// The result; `None` where the match is called off.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ruling: Option<Adjudication>,
        /// The reason, in the creator's words.
        reason: String,
    },
    /// Time was added to clocks.
    ClockCredit {
        /// The seats that got it.
        seats: Vec<Seat>,
        /// The time added to the clock of each, in milliseconds.
        milliseconds: i64,
        /// The reason.
        reason: CreditReason,
        /// The seat that gave it, if one did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Seat>,
    },
}

impl Action {
    /// Returns the seat of the person who does this, where only a person can.
    pub(crate) fn by_person(&self) -> Option<Seat> {
        match self {
            Action::Leave { seat }
            | Action::Entropy { seat, .. }
            | Action::Resign { seat }
            | Action::Claim { by: seat, .. }
            | Action::OfferDraw { seat }
            | Action::AcceptDraw { seat }
            | Action::Hint { seat }
            | Action::Undo { seat, .. }
            | Action::OfferTakeback { seat, .. }
            | Action::AcceptTakeback { seat }
            | Action::DeclineTakeback { seat }
            | Action::Return { seat } => Some(*seat),
            Action::ClockCredit { by, .. } => *by,
            _ => None,
        }
    }
}

/// The cause of a version.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// The match was made: the first version.
    Creation(Box<Creation>),
    /// Somebody did something: every other version.
    Action(Action),
}

/// One version of a match: what was done and what happened.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// The version it made.
    pub(crate) version: u64,
    /// The moment of the step.
    pub(crate) at: Timestamp,
    pub(crate) cause: Cause,
    /// The events, unredacted.
    pub events: Vec<StoredEvent>,
    /// The seats to act afterwards.
    pub(crate) to_act: Vec<Seat>,
    /// The deadline of each of them, where clocks run.
    pub deadlines: Option<Vec<(Seat, Timestamp)>>,
    /// The stamp under which it was committed; [`UNCOMMITTED`] before.
    pub(crate) stamp: Stamp,
}

/// The stamp of a step that is not committed yet, or never will be.
pub(crate) const UNCOMMITTED: Stamp = Stamp::from_number(0);
