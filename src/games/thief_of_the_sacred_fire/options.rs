//! What the creator of a match may choose.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::rules::Refusal;
use crate::rules::reading::integer_or_nearest;

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

/// The lowest turn limit.
pub const MIN_TURN_LIMIT: u16 = 20;
/// The highest turn limit.
pub const MAX_TURN_LIMIT: u16 = 1000;

/// Reads a turn limit. One that is out of range stays out of it, for [`Options::check`] to refuse.
fn turn_limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let limit = integer_or_nearest(deserializer, MIN_TURN_LIMIT.into()..=MAX_TURN_LIMIT.into())?;
    Ok(u16::try_from(limit).unwrap_or(u16::MAX))
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
