//! What the creator of a match may choose.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::Refusal;

/// Options of Thief of the Sacred Fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = ThiefOptions)]
pub struct Options {
    /// A game that is undecided at the end of this turn is lost: dawn has come.
    #[schema(minimum = 20, maximum = 1000, default = 200)]
    pub turn_limit: u16,
}

/// The lowest turn limit.
pub const MIN_TURN_LIMIT: u16 = 20;
/// The highest turn limit.
pub const MAX_TURN_LIMIT: u16 = 1000;

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
    pub fn check(&self) -> Result<(), Refusal> {
        if (MIN_TURN_LIMIT..=MAX_TURN_LIMIT).contains(&self.turn_limit) {
            return Ok(());
        }
        Err(Refusal::new(
            "turn_limit_out_of_range",
            "TH-48",
            Some("turn_limit"),
            format!("the turn limit is {MIN_TURN_LIMIT} to {MAX_TURN_LIMIT}"),
        ))
    }
}
