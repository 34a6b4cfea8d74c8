//! The stored match: all that the next request needs to know of it.
//!
//! Invariants:
//! - It is a function of the seed and the log's causes: a replay rebuilds it, and a test compares. So it holds no
//!   history, and an answer that was given at a version can be given again.
//! - It is JSON with short names, since each KB stored costs as much as the rules do. A change of form adds an upgrade
//!   to its [`Forms`](sarsen_store::upgrade::Forms), with a fixture of the form before.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::model::clock::{SeatClock, TimeCredit};
use crate::model::fairness::{SeatEntropy, ServerSeed};
use crate::model::invite::StoredInvite;
use crate::model::seated::Seated;
use crate::model::terms::Terms;
use crate::model::track::UndoTrack;
use crate::model::unreadable::Unreadable;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::{Outcome, Seat};
use sarsen_store::Stage;
use sarsen_store::upgrade;

/// One seat of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct StoredSeat {
    /// The player who sits there.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub player: Option<Seated>,
    /// The player's entropy for the dice.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<SeatEntropy>,
    /// The player for whom the seat is reserved, while nobody sits there.
    #[serde(rename = "rs", default, skip_serializing_if = "Option::is_none")]
    pub reserved: Option<Seated>,
    /// True if it was reserved after the match was made. Then it stays reserved for as long as the match waits.
    #[serde(rename = "rl", default, skip_serializing_if = "std::ops::Not::not")]
    pub reserved_later: bool,
    /// True if the player has taken the seat over from another.
    #[serde(rename = "su", default, skip_serializing_if = "std::ops::Not::not")]
    pub substituted: bool,
    /// True if the player has left a match that went on.
    #[serde(rename = "r", default, skip_serializing_if = "std::ops::Not::not")]
    pub resigned: bool,
    /// The open decision, if the seat is to act.
    #[serde(rename = "d", default, skip_serializing_if = "Option::is_none")]
    pub(crate) decision: Option<OpenDecision>,
    /// Its clock, from the start on; bots have none.
    #[serde(rename = "k", default, skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<SeatClock>,
    /// The takeover, while a bot plays for the player, whose time had run out.
    #[serde(rename = "to", default, skip_serializing_if = "Option::is_none")]
    pub takeover: Option<Takeover>,
    /// True if the player, who had let their time pass, has done something since.
    #[serde(rename = "bk", default, skip_serializing_if = "std::ops::Not::not")]
    pub back: bool,
}

/// The phase of a takeover: a bot plays for a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Takeover {
    /// Until the player is back.
    #[serde(rename = "p")]
    Plays,
    /// The player is back: until the open decision is made.
    #[serde(rename = "r")]
    Leaves,
}

/// An open decision of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenDecision {
    /// The version that opened it: the first half of its id.
    #[serde(rename = "v")]
    pub version: u64,
    /// The moment, from which the time to move counts.
    #[serde(rename = "t")]
    pub at: Timestamp,
    /// The time since then that does not count, in a match without a clock.
    #[serde(rename = "x", default, skip_serializing_if = "TimeCredit::is_none")]
    pub credit: TimeCredit,
}

/// A move that was made, as it is kept beside the state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptMove {
    /// The seat that made it.
    #[serde(rename = "s")]
    pub(crate) seat: Seat,
    /// The move, tagged by `type`, unredacted.
    #[serde(rename = "m")]
    pub(crate) mv: Box<RawValue>,
    /// The same in notation.
    #[serde(rename = "n")]
    pub(crate) notation: String,
}

/// The bytes between the other properties of a stored match and its state.
pub(crate) const STATE_PROPERTY: &[u8] = b",\"gs\":";

/// All that the next request needs to know of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredMatch {
    /// The number of its form.
    #[serde(rename = "f")]
    pub(crate) form: u16,
    /// Its id.
    pub id: MatchId,
    /// The terms that the creator settled.
    #[serde(rename = "t")]
    pub terms: Arc<Terms>,
    /// The player who made it; `None` where the service paired its players.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<Seated>,
    /// The server's secret.
    #[serde(rename = "sd")]
    pub seed: ServerSeed,
    /// The time of its creation.
    #[serde(rename = "t0")]
    pub created_at: Timestamp,
    /// The time of its start.
    #[serde(rename = "t1", default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// The number of steps so far.
    #[serde(rename = "v")]
    pub version: u64,
    /// The stage: open, playing, finished or aborted.
    #[serde(rename = "st")]
    pub stage: Stage,
    /// The seats, in order.
    #[serde(rename = "se")]
    pub seats: Vec<StoredSeat>,
    /// The number of words of the dice that have been used.
    #[serde(rename = "di")]
    pub(crate) dice: u64,
    /// Version of the state's form.
    #[serde(rename = "sv")]
    pub(crate) state_version: u16,
    /// The last move that belonged to a turn.
    #[serde(rename = "lm", default, skip_serializing_if = "Option::is_none")]
    pub(crate) last_move: Option<KeptMove>,
    /// Seats that have offered or agreed to a draw since the last move of another seat.
    #[serde(rename = "dr", default, skip_serializing_if = "Vec::is_empty")]
    pub draw: Vec<Seat>,
    /// Seats that have offered a draw since their own last turn.
    #[serde(rename = "do", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) draw_offered: Vec<Seat>,
    /// The undo track: the moves that can be undone, and those that were.
    #[serde(rename = "u", default, skip_serializing_if = "UndoTrack::is_empty")]
    pub(crate) undo: UndoTrack,
    /// The players whom the creator has sent away, or who have handed on a seat.
    #[serde(rename = "aw", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) sent_away: Vec<PlayerId>,
    /// The invites that are good: until the start to sit down, and then to take over seats.
    #[serde(rename = "iv", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) invites: Vec<StoredInvite>,
    /// The result, at the end.
    #[serde(rename = "out", default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The time of its last change.
    #[serde(rename = "t2")]
    pub updated_at: Timestamp,
    /// The time of its end.
    #[serde(rename = "t3", default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Timestamp>,
    /// The game's state, from the start on. It is written behind the rest, as [`STATE_PROPERTY`].
    #[serde(rename = "gs", default, skip_serializing)]
    pub(crate) state: Option<Box<RawValue>>,
}

impl StoredMatch {
    /// Returns true if `player` made the match.
    pub fn is_made_by(&self, player: &PlayerId) -> bool {
        self.creator.as_ref().is_some_and(|creator| creator.id == *player)
    }

    /// Reads what is stored.
    ///
    /// # Errors
    /// [`Unreadable`] by this release.
    pub(crate) fn decode(bytes: &[u8]) -> Result<StoredMatch, Unreadable> {
        upgrade::decode(bytes).map_err(Unreadable::new)
    }
}

sarsen_store::formed!(StoredMatch, "match", "f", &[]);
