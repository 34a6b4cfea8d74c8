//! The log of a match: for each of its versions what was done and what happened.
//!
//! Invariants: version `n` has exactly one [`LogEntry`]; the first is made by the creation, and no other. How entries are
//! stored, `table::log_codec` knows. What happened is not stored with them: a replay makes it again.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

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
        /// Where.
        seat: Seat,
        /// Who.
        player: Seated,
        /// What they gave to the dice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<SeatEntropy>,
    },
    /// Got up before the start.
    Leave {
        /// Where.
        seat: Seat,
    },
    /// Gave entropy to the dice, in place of what they gave before.
    Entropy {
        /// Who.
        seat: Seat,
        /// What.
        entropy: SeatEntropy,
    },
    /// The creator started it.
    Start,
    /// The creator called it off.
    Abort,
    /// Somebody else did, also while it was played.
    CallOff {
        /// Why.
        reason: AbortReason,
    },
    /// Made a move.
    Move {
        /// Who.
        seat: Seat,
        /// The move, tagged by `type`.
        mv: Box<RawValue>,
        /// Whether a bot made it whose search took too long: then it is the first legal one.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
        /// Whether a plan of its player has made it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        planned: bool,
    },
    /// Gave up.
    Resign {
        /// Who.
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
        /// Who.
        seat: Seat,
    },
    /// Agreed to a draw.
    AcceptDraw {
        /// Who.
        seat: Seat,
    },
    /// Declined a draw.
    DeclineDraw {
        /// Who.
        seat: Seat,
    },
    /// Had a hint.
    Hint {
        /// Who.
        seat: Seat,
    },
    /// Undid own moves of the present turn.
    Undo {
        /// Who.
        seat: Seat,
        /// The version whose state the match has again.
        to_version: u64,
    },
    /// Offered a takeback; where nobody has to agree, it is carried out.
    OfferTakeback {
        /// Who.
        seat: Seat,
        /// The version whose state the match is to have again.
        to_version: u64,
    },
    /// Agreed to a takeback; the last to do so has it carried out.
    AcceptTakeback {
        /// Who.
        seat: Seat,
    },
    /// Declined a takeback.
    DeclineTakeback {
        /// Who.
        seat: Seat,
    },
    /// Did not want the seat that was kept for them.
    Decline {
        /// Which.
        seat: Seat,
    },
    /// The creator keeps a seat for a player.
    Reserve {
        /// Which.
        seat: Seat,
        /// For whom.
        player: Seated,
    },
    /// Seats were kept long enough.
    EndReservations,
    /// Somebody at the table made an invite.
    Invite {
        /// Which.
        invite: StoredInvite,
    },
    /// Sat down with an invite.
    JoinByInvite {
        /// Where.
        seat: Seat,
        /// Who.
        player: Seated,
        /// What they gave to the dice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entropy: Option<SeatEntropy>,
        /// The hash of its code.
        hash: String,
    },
    /// Took over a seat while the match was played.
    Substitute {
        /// Which.
        seat: Seat,
        /// Who.
        player: Seated,
        /// The hash of the code that they came with; a record has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
    },
    /// The creator sent somebody away.
    Kick {
        /// From where.
        seat: Seat,
    },
    /// Let its time run out. The service sees to that.
    Timeout {
        /// Who.
        seat: Seat,
        /// What came of it.
        consequence: TimeoutConsequence,
    },
    /// Was back, after a bot had played for the seat.
    Return {
        /// Who.
        seat: Seat,
    },
    /// Time was added to clocks.
    ClockCredit {
        /// Whose.
        seats: Vec<Seat>,
        /// How much.
        milliseconds: i64,
        /// Why.
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

/// What made a version.
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
    /// When.
    pub(crate) at: Timestamp,
    /// What was done.
    pub(crate) cause: Cause,
    /// What happened, unredacted.
    pub events: Vec<StoredEvent>,
    /// Who is to act afterwards.
    pub(crate) to_act: Vec<Seat>,
    /// When the time of each of them is over, where clocks run.
    pub deadlines: Option<Vec<(Seat, Timestamp)>>,
    /// The stamp under which it was committed; [`UNCOMMITTED`] before.
    pub(crate) stamp: Stamp,
}

/// The stamp of a step that is not committed yet, or never will be.
pub const UNCOMMITTED: Stamp = Stamp::from_number(0);
