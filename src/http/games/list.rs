//! The list of games.

use serde::Serialize;
use utoipa::ToSchema;

use sarsen_rules::{Chance, GameInfo, Mode};

/// A game on offer.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameSummary {
    /// Stable id, used wherever a game is named.
    #[schema(examples("contiguity"))]
    pub(crate) id: &'static str,
    /// The title, as people know it.
    pub(crate) title: &'static str,
    /// Who designed it.
    pub(crate) designer: &'static str,
    /// The fewest seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) min_seats: u8,
    /// The most seats that a match can have.
    #[schema(minimum = 1, maximum = 5)]
    pub(crate) max_seats: u8,
    /// Whether the seats play alone, together or against each other.
    pub(crate) mode: Mode,
    /// Whether anything is hidden from any viewer, such as a hand or the order of a pile.
    pub(crate) hidden_information: bool,
    /// Where chance comes into the game.
    pub(crate) chance: Chance,
    /// Whether seats may agree on a draw.
    pub(crate) draws: bool,
    /// Version of the rules as coded; each match keeps the one it was created with.
    #[schema(minimum = 1)]
    pub(crate) rules_version: u32,
}

impl From<&GameInfo> for GameSummary {
    fn from(info: &GameInfo) -> GameSummary {
        GameSummary {
            id: info.id,
            title: info.title,
            designer: info.designer,
            min_seats: info.min_seats,
            max_seats: info.max_seats,
            mode: info.mode,
            hidden_information: info.hidden_information,
            chance: info.chance,
            draws: info.draws,
            rules_version: info.rules_version,
        }
    }
}

/// The games on offer.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameList {
    /// The games, always in the same order.
    pub(crate) items: Vec<GameSummary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}
