//! The strengths in which a bot plays: three by name, and a ladder of eight.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
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
    IntoStaticStr,
    VariantArray,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = BotLevel)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Level {
    Easy,
    Medium,
    Hard,
    #[serde(rename = "strength_1")]
    #[strum(serialize = "strength_1")]
    Strength1,
    #[serde(rename = "strength_2")]
    #[strum(serialize = "strength_2")]
    Strength2,
    #[serde(rename = "strength_3")]
    #[strum(serialize = "strength_3")]
    Strength3,
    #[serde(rename = "strength_4")]
    #[strum(serialize = "strength_4")]
    Strength4,
    #[serde(rename = "strength_5")]
    #[strum(serialize = "strength_5")]
    Strength5,
    #[serde(rename = "strength_6")]
    #[strum(serialize = "strength_6")]
    Strength6,
    #[serde(rename = "strength_7")]
    #[strum(serialize = "strength_7")]
    Strength7,
    #[serde(rename = "strength_8")]
    #[strum(serialize = "strength_8")]
    Strength8,
}

impl Level {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
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
