//! The terms of a match, settled when it is made: its rules, its visibility, its start.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::model::bots::{SeatBot, SeatedBot};
use crate::model::clock::ClockTerms;
use crate::model::fairness::SeatEntropy;
use crate::model::fork::ForkedPosition;
pub use crate::model::seated::Seated;
use crate::model::table_terms::TableTerms;
use sarsen_rules::{Seat, SeatCount, Seats};

/// The audience of a match: those who may find and read it.
///
/// - `public`: Listed; anyone may watch and join.
/// - `private`: Seen only by its seats, its creator, and holders of the invite code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anyone may watch and join.
    Public,
    /// Seen only by its seats, its creator, and holders of the invite code.
    Private,
}

/// The condition under which a match starts.
///
/// - `when_full`: As soon as every seat is taken.
/// - `manual`: When the creator says so, every seat being taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartMode {
    /// As soon as every seat is taken.
    WhenFull,
    /// An order of the creator, with every seat taken.
    Manual,
}

/// The moves that can be undone in a match. Nothing goes back behind a step that has shown anybody what was hidden, or
/// in which chance had a part.
///
/// - `off`: Nothing.
/// - `turn`: One's own moves of one's present turn.
/// - `consent`: Those, and with the consent of all other people at the table anybody's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum UndoTerms {
    Off,
    Turn,
    #[default]
    Consent,
}

/// The terms that the creator settled.
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
    /// The visibility: public or private.
    #[serde(rename = "vis")]
    pub visibility: Visibility,
    /// The invite code of a private match.
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub invite: Option<String>,
    /// The event that starts it: the last seat is taken, or the creator starts it.
    #[serde(rename = "s")]
    pub start: StartMode,
    /// The time of a seat for a decision before others may claim, in seconds; `None` for ever.
    #[serde(rename = "mt", default, skip_serializing_if = "Option::is_none")]
    pub move_time_seconds: Option<u32>,
    /// The time that it waits for its start, in seconds; `None` for the default, which is seven days for a public match
    /// and for ever for a private one.
    #[serde(rename = "x", default, skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u32>,
    /// The bots at the table, by seat.
    #[serde(rename = "b", default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<SeatedBot>,
    /// True if players may ask for hints; `None` for the default: only where one person plays.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<bool>,
    /// The undos that it allows; `None` for the default: everything that all agree on.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoTerms>,
    /// Reserved seats, spectators, and what may follow.
    #[serde(rename = "tb", default, skip_serializing_if = "TableTerms::are_usual")]
    pub table: TableTerms,
    /// The clock that the service enforces.
    #[serde(rename = "ck", default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
    /// True if the result changes the ratings of the players.
    #[serde(rename = "ra", default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
}

impl Terms {
    /// The bot on a seat.
    pub(crate) fn bot(&self, seat: Seat) -> Option<SeatBot> {
        let bot = self.bots.iter().find(|bot| bot.seat == seat)?;
        Some(SeatBot { level: bot.level, version: bot.version })
    }

    /// The seats of all bots.
    pub(crate) fn bot_seats(&self) -> Seats {
        self.bots.iter().map(|bot| bot.seat).collect()
    }
}

/// A player whom the service has paired with others.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PairedPlayer {
    /// The player.
    #[serde(rename = "p")]
    pub player: Seated,
    /// The player's entropy for the dice.
    #[serde(rename = "e", default, skip_serializing_if = "Option::is_none")]
    pub entropy: Option<SeatEntropy>,
}

/// All that a match is made of, but its id and the server's seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Creation {
    /// The terms that the creator settled.
    pub terms: Arc<Terms>,
    /// The number of seats.
    pub seats: SeatCount,
    /// The creator's own seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The player who made the match; `None` where the service paired its players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<Seated>,
    /// The players whom the service has paired, in any order: their seats are drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paired: Vec<PairedPlayer>,
    /// The position with which it begins in place of a set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<ForkedPosition>,
}
