//! What the creator of a match may choose.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::lines::Jump;
use crate::rules::Refusal;
use crate::rules::reading::integer_or_nearest;

/// Options of Contiguity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = ContiguityOptions)]
pub struct Options {
    /// Whether the players first bid on how fast they can win; the lowest bidder chooses who moves first, and loses if
    /// the bid is missed.
    #[schema(default = false)]
    pub bidding: bool,
    /// Which jumps are allowed.
    #[schema(default = "flying")]
    pub jump: Jump,
    /// After this many turns, both players' together, an undecided game is a draw.
    #[schema(minimum = 20, maximum = 2000, default = 300)]
    #[serde(deserialize_with = "turn_limit")]
    pub turn_limit: u16,
}

/// The lowest turn limit.
pub const MIN_TURN_LIMIT: u16 = 20;
/// The highest turn limit.
pub const MAX_TURN_LIMIT: u16 = 2000;

/// Reads a turn limit. One that is out of range stays out of it, for [`Options::check`] to refuse.
fn turn_limit<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let limit = integer_or_nearest(deserializer, MIN_TURN_LIMIT.into()..=MAX_TURN_LIMIT.into())?;
    Ok(u16::try_from(limit).unwrap_or(u16::MAX))
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
    pub fn check(&self) -> Result<(), Refusal> {
        if (MIN_TURN_LIMIT..=MAX_TURN_LIMIT).contains(&self.turn_limit) {
            return Ok(());
        }
        Err(Refusal::new(
            "turn_limit_out_of_range",
            "CO-15",
            Some("turn_limit"),
            format!("the turn limit is {MIN_TURN_LIMIT} to {MAX_TURN_LIMIT}"),
        ))
    }
}
