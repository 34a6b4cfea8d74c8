//! Chairs at the table, and who sits on them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_rules::{MAX_SEATS, Seat};

/// A player's chair at the table, in turn order from 0. A person or a Hengebot sits there; only persons have seats too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "u8", into = "u8")]
#[schema(as = HengeChair, value_type = i64, minimum = 0, maximum = 4, examples(2))]
pub struct Chair(u8);

/// A number that is no chair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a chair is a number from 0 to {}", MAX_SEATS - 1)]
pub struct InvalidChair;

impl Chair {
    /// The chair whose player takes the first turn.
    pub(crate) const FIRST: Chair = Chair(0);

    /// The chairs of this number of players, in turn order.
    pub(crate) fn all(players: u8) -> impl DoubleEndedIterator<Item = Chair> + Clone {
        (0..players.min(MAX_SEATS)).map(Chair)
    }

    /// The next chair in turn order; `None` after the last of this number of players.
    pub(crate) fn next(self, players: u8) -> Option<Chair> {
        Some(Chair(self.0 + 1)).filter(|chair| chair.0 < players)
    }

    /// Place among the chairs, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl TryFrom<u8> for Chair {
    type Error = InvalidChair;

    fn try_from(number: u8) -> Result<Chair, InvalidChair> {
        if number < MAX_SEATS { Ok(Chair(number)) } else { Err(InvalidChair) }
    }
}

impl From<Chair> for u8 {
    fn from(chair: Chair) -> u8 {
        chair.0
    }
}

impl std::fmt::Display for Chair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// A person, as events and scores name one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct Who {
    /// The person's chair at the table.
    pub chair: Chair,
    /// The person's seat.
    pub seat: Seat,
}
