//! Options of a match.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::lines::Jump;
use crate::common::TurnLimits;
use sarsen_rules::Refusal;

/// Options of Contiguity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = ContiguityOptions)]
pub struct Options {
    /// True if the players first bid on how fast they can win; the lowest bidder chooses who moves first, and loses if
    /// the bid is missed.
    #[schema(default = false)]
    pub(crate) bidding: bool,
    /// The jumps that are allowed.
    #[schema(default = "flying")]
    pub(crate) jump: Jump,
    /// After this many turns, both players' together, an undecided game is a draw.
    #[schema(minimum = 20, maximum = 2000, default = 300)]
    #[serde(deserialize_with = "turn_limit")]
    pub turn_limit: u16,
}

/// The range of the limit.
pub(crate) const TURN_LIMITS: TurnLimits = TurnLimits { lowest: 20, highest: 2000, rule: "CO-15" };

fn turn_limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    TURN_LIMITS.read(deserializer)
}

impl Default for Options {
    fn default() -> Options {
        Options { bidding: false, jump: Jump::Flying, turn_limit: 300 }
    }
}

impl Options {
    /// Refuses a turn limit out of range.
    ///
    /// # Errors
    /// With a refusal that names `turn_limit`.
    pub(crate) fn check(&self) -> Result<(), Refusal> {
        TURN_LIMITS.check(self.turn_limit)
    }
}
