//! The three strengths in which a bot plays.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray};
use utoipa::ToSchema;

use sarsen_rules::{Effort, Tuning};

/// The strength of a bot.
///
/// - `easy`: For those who learn the game.
/// - `medium`: Knows how the game is played.
/// - `hard`: Thinks as hard as it is worth.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Display,
    EnumString,
    VariantArray,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = BotLevel)]
pub enum Level {
    /// For those who learn the game.
    Easy,
    /// Knows how the game is played.
    Medium,
    /// Thinks as hard as it is worth.
    Hard,
}

impl Level {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }

    /// Returns what the level does in a game that is tuned so.
    pub const fn effort(self, tuning: &Tuning) -> Effort {
        tuning.levels[self as usize]
    }
}
