//! The strengths in which a bot plays: three by name, and a ladder of eight.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray};
use utoipa::ToSchema;

use sarsen_rules::{Effort, Rung, Tuning};

/// The strength of a bot.
///
/// - `easy`: For those who learn the game.
/// - `medium`: Knows how the game is played.
/// - `hard`: Thinks as hard as it is worth.
/// - `strength_1`: The lowest rung of a ladder: beginners win against it.
/// - `strength_2`: The second rung, which wins most matches against the first; and so on.
/// - `strength_3`: The third rung.
/// - `strength_4`: The fourth rung.
/// - `strength_5`: The fifth rung.
/// - `strength_6`: The sixth rung.
/// - `strength_7`: The seventh rung.
/// - `strength_8`: The highest rung: as strong as `hard`.
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
    /// Rung 1 of the ladder of strengths.
    #[serde(rename = "strength_1")]
    #[strum(serialize = "strength_1")]
    Strength1,
    /// Rung 2 of the ladder of strengths.
    #[serde(rename = "strength_2")]
    #[strum(serialize = "strength_2")]
    Strength2,
    /// Rung 3 of the ladder of strengths.
    #[serde(rename = "strength_3")]
    #[strum(serialize = "strength_3")]
    Strength3,
    /// Rung 4 of the ladder of strengths.
    #[serde(rename = "strength_4")]
    #[strum(serialize = "strength_4")]
    Strength4,
    /// Rung 5 of the ladder of strengths.
    #[serde(rename = "strength_5")]
    #[strum(serialize = "strength_5")]
    Strength5,
    /// Rung 6 of the ladder of strengths.
    #[serde(rename = "strength_6")]
    #[strum(serialize = "strength_6")]
    Strength6,
    /// Rung 7 of the ladder of strengths.
    #[serde(rename = "strength_7")]
    #[strum(serialize = "strength_7")]
    Strength7,
    /// Rung 8 of the ladder of strengths.
    #[serde(rename = "strength_8")]
    #[strum(serialize = "strength_8")]
    Strength8,
}

impl Level {
    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Strength1 => "strength_1",
            Level::Strength2 => "strength_2",
            Level::Strength3 => "strength_3",
            Level::Strength4 => "strength_4",
            Level::Strength5 => "strength_5",
            Level::Strength6 => "strength_6",
            Level::Strength7 => "strength_7",
            Level::Strength8 => "strength_8",
        }
    }

    /// The rung of the ladder, from 1; `None` for a level with a name.
    pub const fn strength(self) -> Option<u8> {
        match (self as u8).saturating_sub(Level::Hard as u8) {
            0 => None,
            rung => Some(rung),
        }
    }

    const fn rung(self, tuning: &Tuning) -> Option<Rung> {
        match self.strength() {
            None => None,
            Some(strength) => Some(tuning.rungs[strength as usize - 1]),
        }
    }

    /// Returns the number of decisions in a thousand that the level leaves to lot.
    pub const fn slips(self, tuning: &Tuning) -> u32 {
        match self.rung(tuning) {
            None => 0,
            Some(rung) => rung.slips,
        }
    }

    /// Returns what the level does in a game that is tuned so. A rung answers in the time of the named level that thinks as
    /// hard.
    pub const fn effort(self, tuning: &Tuning) -> Effort {
        let Some(Rung { simulations, .. }) = self.rung(tuning) else { return tuning.levels[self as usize] };
        let mut like = 0;
        while like < 2 && tuning.levels[like].simulations < simulations {
            like += 1;
        }
        Effort { simulations, noise: 0, answer_milliseconds: tuning.levels[like].answer_milliseconds }
    }
}
