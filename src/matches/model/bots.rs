//! The bots of a match, as they are stored: a bot sits where the creator has put it for as long as the match lasts, so it is
//! one of the terms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use sarsen_games::bots::Level;
use sarsen_rules::Seat;

/// A bot at the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatedBot {
    #[serde(rename = "s")]
    pub(crate) seat: Seat,
    #[serde(rename = "l")]
    pub(crate) level: Level,
    /// The version of the game's bots when the match was made.
    #[serde(rename = "v")]
    pub(crate) version: u32,
}

/// The bot that holds a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct SeatBot {
    /// The strength of the bot.
    pub level: Level,
    /// The version of the game's bots when the match was made. It goes up with every change to how they play.
    #[schema(minimum = 1)]
    pub(crate) version: u32,
}
