//! The log of a match: for each of its versions what was done and what happened.
//!
//! Invariants: version `n` has exactly one [`LogEntry`]; the first is made by the creation, and no other. The form is
//! JSON with short names, like that of the stored match.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use super::events::{AbortReason, StoredEvent};
use super::fairness::SeatEntropy;
use super::refused::Unreadable;
use super::stored::STORED_FORM;
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
}

/// What made a version.
#[derive(Clone, Debug)]
pub enum Cause {
    /// The match was made: the first version.
    Creation(Creation),
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

/// One version of a match: what was done and what happened.
#[derive(Clone, Debug, Serialize)]
pub struct LogEntry {
    /// See [`STORED_FORM`].
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

/// An entry as it is read: what its cause is, its version says.
#[derive(Deserialize)]
struct EntryForm<'a> {
    f: u16,
    v: u64,
    t: Timestamp,
    #[serde(borrow)]
    a: &'a RawValue,
    #[serde(default)]
    w: Option<AbortReason>,
    e: Vec<StoredEvent>,
    #[serde(default)]
    n: Vec<Seat>,
    #[serde(default)]
    s: Option<Stamp>,
}

/// No more of an entry than its stamp.
#[derive(Deserialize)]
struct StampForm {
    #[serde(default)]
    s: Option<Stamp>,
}

/// The cause of a first version.
#[derive(Deserialize)]
struct CreationForm {
    create: Creation,
}

impl LogEntry {
    /// Reads a stored entry.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(super) fn decode(bytes: &[u8]) -> Result<LogEntry, Unreadable> {
        let EntryForm { f: form, v: version, t: at, a: cause, w: called_off, e: events, n: to_act, s: stamp } =
            serde_json::from_slice(bytes)?;
        if form > STORED_FORM {
            return Err(Unreadable::new("the log is of a newer release"));
        }
        let cause = if version == 1 {
            let CreationForm { create } = serde_json::from_str(cause.get())?;
            Cause::Creation(create)
        } else {
            Cause::Action(match (serde_json::from_str(cause.get())?, called_off) {
                (Action::Abort, Some(reason)) => Action::CallOff { reason },
                (action, _) => action,
            })
        };
        Ok(LogEntry { form, version, at, cause, called_off, events, to_act, stamp })
    }

    /// The stamp of a stored entry of which the rest need not be readable by this release.
    pub(super) fn stamp_of(bytes: &[u8]) -> Option<Stamp> {
        serde_json::from_slice(bytes).ok().and_then(|StampForm { s }| s)
    }
}
