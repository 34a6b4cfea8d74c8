//! What is settled when a match is made: by which rules it is played, who may see it, when it starts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::model::bots::{SeatBot, SeatedBot};
use crate::model::clock::ClockTerms;
use crate::model::fork::ForkedPosition;
pub use crate::model::seated::{PlayerRef, Seated};
use crate::model::table_terms::TableTerms;
use sarsen_rules::{Seat, SeatCount, Seats};

/// Who may find and read a match.
///
/// - `public`: Listed; anyone may watch and join.
/// - `private`: Seen only by its seats, its creator, and whoever has the invite code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Listed; anyone may watch and join.
    Public,
    /// Seen only by its seats, its creator, and whoever has the invite code.
    Private,
}

/// When a match starts.
///
/// - `when_full`: As soon as every seat is taken.
/// - `manual`: When the creator says so, every seat being taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartMode {
    /// As soon as every seat is taken.
    WhenFull,
    /// When the creator says so, every seat being taken.
    Manual,
}

/// What can be undone in a match. Nothing goes back behind a step that has shown anybody what was hidden, or in which chance
/// had a part.
///
/// - `off`: Nothing.
/// - `turn`: One's own moves of one's present turn.
/// - `consent`: Those, and with the consent of all other people at the table anybody's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoTerms {
    /// Nothing.
    Off,
    /// One's own moves of one's present turn.
    Turn,
    /// Those, and with the consent of all other people at the table anybody's moves.
    #[default]
    Consent,
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
    /// How long it waits for its start, in seconds, where that is not as usual: for a public match seven days, for a
    /// private one for ever.
    #[serde(rename = "x", default, skip_serializing_if = "Option::is_none")]
    pub expires_in_seconds: Option<u32>,
    /// The bots at the table, by seat.
    #[serde(rename = "b", default, skip_serializing_if = "Vec::is_empty")]
    pub bots: Vec<SeatedBot>,
    /// Whether players may ask for hints, where that is not as usual: where only one person plays.
    #[serde(rename = "h", default, skip_serializing_if = "Option::is_none")]
    pub hints: Option<bool>,
    /// What can be undone, where that is not as usual: everything that all agree on.
    #[serde(rename = "u", default, skip_serializing_if = "Option::is_none")]
    pub undo: Option<UndoTerms>,
    /// Who is expected at the table, and what may follow.
    #[serde(rename = "tb", default, skip_serializing_if = "TableTerms::are_usual")]
    pub table: TableTerms,
    /// How much time seats have, where the service sees to it.
    #[serde(rename = "ck", default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockTerms>,
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

/// All that a match is made of, but its id and the server's seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Creation {
    /// What the creator settled.
    pub terms: Arc<Terms>,
    /// How many seats.
    pub seats: SeatCount,
    /// The creator's own seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// Who made the match.
    pub creator: Seated,
    /// With what it begins in place of a set-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<ForkedPosition>,
}
