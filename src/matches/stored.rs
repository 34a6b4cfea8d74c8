//! What is stored of a match: the record (all that the next request needs) and the log (all that ever happened).
//!
//! Invariants:
//! - The record is a function of the seed and the log's actions: `history` rebuilds it, and a test compares. So the
//!   record holds no history, and an answer that was given at a version can be given again.
//! - Version `n` has exactly one [`LogEntry`].
//! - Both are JSON with short names, since each KB stored costs as much as the rules do; a change of form raises
//!   [`STORED_FORM`] and adds an upgrade with a fixture of the old form.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::events::StoredEvent;
use super::fairness::{SeatEntropy, ServerSeed};
use super::refused::Refused;
use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId};
use crate::rules::{Outcome, Seat};
use crate::store::Stage;

/// The present form of record and log entries.
pub const STORED_FORM: u16 = 1;

/// Who may find and read a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anyone may watch and join.
    Public,
    /// Seen only by its seats, its creator, and whoever has the invite code.
    Private,
}

/// When a match starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartMode {
    /// As soon as every seat is taken.
    WhenFull,
    /// When the creator says so, every seat being taken.
    Manual,
}

/// A player at the table, with the name they had when they sat down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PlayerRef)]
pub struct Seated {
    /// Who.
    #[schema(value_type = String)]
    pub id: PlayerId,
    /// Their name.
    pub name: String,
}

/// One seat of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StoredSeat {
    /// Who sits there.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Seated>,
    /// What they gave to the dice.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<SeatEntropy>,
    /// Whether they have left a match that went on.
    #[serde(rename = "r", default, skip_serializing_if = "std::ops::Not::not")]
    pub resigned: bool,
    /// The open decision, if the seat is to act.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<OpenDecision>,
}

/// When a seat's decision opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenDecision {
    /// The version that opened it: the first half of its id.
    #[serde(rename = "v")]
    pub version: u64,
    /// The moment, from which the time to move counts.
    #[serde(rename = "t")]
    pub at: Timestamp,
}

/// What the creator settled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The game's id.
    #[serde(rename = "g")]
    pub game: String,
    /// The version of its rules, pinned.
    #[serde(rename = "rv")]
    pub rules_version: u32,
    /// Its options, complete with defaults.
    #[serde(rename = "o")]
    pub options: Box<RawValue>,
    /// Who may see it.
    #[serde(rename = "vis")]
    pub visibility: Visibility,
    /// The invite code of a private match.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub invite: Option<String>,
    /// When it starts.
    #[serde(rename = "s")]
    pub start: StartMode,
    /// How long a seat may take for a decision before others may claim, in seconds; `None` for ever.
    #[serde(rename = "mt", default, skip_serializing_if = "Option::is_none")]
    pub move_time_seconds: Option<u32>,
}

/// All that the next request needs to know of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredMatch {
    /// See [`STORED_FORM`].
    #[serde(rename = "f")]
    pub form: u16,
    /// Its id.
    pub id: MatchId,
    /// How many steps it has seen.
    #[serde(rename = "v")]
    pub version: u64,
    /// What the creator settled.
    #[serde(rename = "t")]
    pub terms: Terms,
    /// Who made it.
    #[serde(rename = "c")]
    pub creator: Seated,
    /// Where it stands.
    #[serde(rename = "st", with = "stage")]
    pub stage: Stage,
    /// The seats, in order.
    #[serde(rename = "se")]
    pub seats: Vec<StoredSeat>,
    /// The server's secret.
    #[serde(rename = "sd")]
    pub seed: ServerSeed,
    /// How many words of the dice have been used.
    #[serde(rename = "di")]
    pub dice: u64,
    /// Version of the state's form.
    #[serde(rename = "sv")]
    pub state_version: u16,
    /// The game's state, from the start on.
    #[serde(rename = "gs", default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<RawValue>>,
    /// Seats that have offered or agreed to a draw since the last move of another seat.
    #[serde(rename = "dr", default, skip_serializing_if = "Vec::is_empty")]
    pub draw: Vec<Seat>,
    /// Seats that have offered a draw since their own last move.
    #[serde(rename = "do", default, skip_serializing_if = "Vec::is_empty")]
    pub draw_offered: Vec<Seat>,
    /// The result, at the end.
    #[serde(rename = "out", default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// When it was made.
    #[serde(rename = "t0")]
    pub created_at: Timestamp,
    /// When it started.
    #[serde(rename = "t1", default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// When it last changed.
    #[serde(rename = "t2")]
    pub updated_at: Timestamp,
    /// When it ended.
    #[serde(rename = "t3", default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
}

/// Who may see a match, read from a record of which the rest need not be readable.
#[derive(Deserialize)]
pub(super) struct Sight {
    t: SightTerms,
    c: SightPlayer,
    se: Vec<SightSeat>,
}

#[derive(Deserialize)]
struct SightTerms {
    vis: Visibility,
    #[serde(default)]
    i: Option<String>,
}

#[derive(Deserialize)]
struct SightSeat {
    #[serde(default)]
    p: Option<SightPlayer>,
}

#[derive(Deserialize)]
struct SightPlayer {
    id: PlayerId,
}

impl Sight {
    /// Reads no more than it needs; `None` where even that is not there.
    pub(super) fn of(record: &[u8]) -> Option<Sight> {
        serde_json::from_slice(record).ok()
    }

    pub(super) fn is_public(&self) -> bool {
        self.t.vis == Visibility::Public
    }

    pub(super) fn invite(&self) -> Option<&str> {
        self.t.i.as_deref()
    }

    /// Whether `player` made the match or sits at it.
    pub(super) fn is_insider(&self, player: &PlayerId) -> bool {
        let seated = self.se.iter().filter_map(|seat| seat.p.as_ref());
        std::iter::once(&self.c).chain(seated).any(|insider| insider.id == *player)
    }
}

/// One thing that someone did. Tagged from outside, because raw JSON cannot stand in an inside-tagged form.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Made the match.
    Create {
        /// What was settled.
        terms: Terms,
        /// How many seats.
        seats: u8,
        /// The creator's own seat.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// Who made the match.
        creator: Seated,
    },
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
        /// Who claimed.
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

/// One version of a match: what was done and what happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    pub action: Action,
    /// What happened, unredacted.
    #[serde(rename = "e")]
    pub events: Vec<StoredEvent>,
    /// Who is to act afterwards.
    #[serde(rename = "n", default, skip_serializing_if = "Vec::is_empty")]
    pub to_act: Vec<Seat>,
}

impl LogEntry {
    /// Reads a stored entry.
    ///
    /// # Errors
    /// [`Refused::Unreadable`] if this release cannot read it.
    pub(super) fn decode(bytes: &[u8]) -> Result<LogEntry, Refused> {
        let entry: LogEntry = serde_json::from_slice(bytes).map_err(Refused::unreadable)?;
        if entry.form > STORED_FORM {
            return Err(Refused::Unreadable("the log is of a newer release".into()));
        }
        Ok(entry)
    }
}

mod stage {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::store::Stage;

    pub(super) fn serialize<S: Serializer>(stage: &Stage, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(stage.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Stage, D::Error> {
        let name = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Stage::ALL.into_iter().find(|stage| stage.name() == name).ok_or_else(|| D::Error::custom("unknown stage"))
    }
}
