//! The log of a match: for each of its versions what was done and what happened.
//!
//! Invariants: version `n` has exactly one [`LogEntry`]; the first is made by the creation, and no other. How entries are
//! stored, [`super::logged`] knows; what happened is not stored with them and made again by [`super::again`].

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::clock::{CreditReason, TimeoutConsequence};
use super::events::{AbortReason, StoredEvent};
use super::fairness::SeatEntropy;
use super::invites::StoredInvite;
use super::logged::stamp_of;
use super::terms::{Creation, Seated};
use crate::ambient::Timestamp;
use crate::rules::Seat;
use crate::store::Stamp;

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
    /// Somebody else did, also while it was played. Written as [`Action::Abort`], with the reason beside it.
    #[serde(skip)]
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

/// What made a version.
#[derive(Clone, Debug)]
pub enum Cause {
    /// The match was made: the first version.
    Creation(Box<Creation>),
    /// Somebody did something: every other version.
    Action(Action),
}

impl Cause {
    /// Why the match was called off by somebody else than its creator.
    pub(super) fn called_off(&self) -> Option<AbortReason> {
        match self {
            Cause::Action(Action::CallOff { reason }) => Some(*reason),
            _ => None,
        }
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cause::Creation(creation) => serializer.serialize_newtype_variant("Cause", 0, "create", creation),
            // In a word that releases know which have no reasons.
            Cause::Action(Action::CallOff { .. }) => Action::Abort.serialize(serializer),
            Cause::Action(action) => action.serialize(serializer),
        }
    }
}

/// One version of a match: what was done and what happened. As JSON it is an entry of form 1 or 2, as earlier releases
/// stored it.
#[derive(Clone, Debug, Serialize)]
pub struct LogEntry {
    /// The form of the match ([`STORED_FORM`](super::stored::STORED_FORM)) or, where it was read so, its own.
    #[serde(rename = "f")]
    pub form: u16,
    /// The version it made.
    #[serde(rename = "v")]
    pub version: u64,
    /// When.
    #[serde(rename = "t")]
    pub at: Timestamp,
    /// What was done.
    #[serde(rename = "a")]
    pub cause: Cause,
    /// Why the match was called off by somebody else than its creator; older releases pass over it as they read.
    #[serde(rename = "w", skip_serializing_if = "Option::is_none")]
    pub called_off: Option<AbortReason>,
    /// What happened, unredacted.
    #[serde(rename = "e")]
    pub events: Vec<StoredEvent>,
    /// Who is to act afterwards.
    #[serde(rename = "n", skip_serializing_if = "Vec::is_empty")]
    pub to_act: Vec<Seat>,
    /// Which of the steps it is that have made this version; drawn as it is committed. Older releases write none, and pass
    /// over it as they read.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub stamp: Option<Stamp>,
}

impl LogEntry {
    /// The stamp of a stored entry of which the rest need not be readable by this release.
    pub(super) fn stamp_of(bytes: &[u8]) -> Option<Stamp> {
        stamp_of(bytes)
    }
}
