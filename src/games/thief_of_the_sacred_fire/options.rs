//! Options of a match.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::common::TurnLimits;
use sarsen_rules::Refusal;

/// Options of Thief of the Sacred Fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = ThiefOptions)]
pub struct Options {
    /// A game that is undecided at the end of this turn is lost: dawn has come.
    #[schema(minimum = 20, maximum = 1000, default = 200)]
    #[serde(deserialize_with = "turn_limit")]
    pub turn_limit: u16,
}

/// The range of the limit.
pub(crate) const TURN_LIMITS: TurnLimits = TurnLimits { lowest: 20, highest: 1000, rule: "TH-48" };

fn turn_limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    TURN_LIMITS.read(deserializer)
}

impl Default for Options {
    fn default() -> Options {
        Options { turn_limit: 200 }
    }
}

impl Options {
    /// Refuses a turn limit out of range (TH-48).
    ///
    /// # Errors
    /// With a refusal under TH-48.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        TURN_LIMITS.check(self.turn_limit)
    }
}
