//! Options of a match.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_rules::{Refusal, Seat, SeatCount};

/// The way in which the seat that plays Day 1 is found (AB-01).
///
/// - `vote`: The seats nominate once they have seen their hands and the Field.
/// - `random`: It is drawn.
/// - `seat`: It is `first_seat`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = AbsolutionFirstPlayer)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum FirstPlayer {
    #[default]
    Vote,
    Random,
    Seat,
}

/// Options of Absolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(as = AbsolutionOptions)]
pub struct Options {
    /// The way in which the seat that plays Day 1 is found.
    #[schema(default = "vote")]
    pub first_player: FirstPlayer,
    /// The seat that plays Day 1, with `first_player: seat` and only then.
    pub first_seat: Option<Seat>,
}

impl Options {
    /// Refuses a first seat that is missing (AB-01), superfluous or not in the match (section 8).
    ///
    /// # Errors
    /// With that refusal.
    pub(crate) fn check(&self, seats: SeatCount) -> Result<(), Refusal> {
        let refuse = |code, rule, detail| Err(Refusal::of(code, rule, "first_seat", detail));
        match (self.first_player, self.first_seat) {
            (FirstPlayer::Seat, None) => {
                refuse("first_seat_missing", "AB-01", "`first_player: seat` needs `first_seat`")
            }
            (FirstPlayer::Seat, Some(seat)) if !seats.contains(seat) => {
                refuse("no_such_seat", "8", "first_seat is not a seat of this match")
            }
            (FirstPlayer::Vote | FirstPlayer::Random, Some(_)) => {
                refuse("first_seat_unused", "8", "first_seat belongs to first_player seat")
            }
            _ => Ok(()),
        }
    }
}
