//! Parameters of a picture.

use std::collections::BTreeSet;

use serde::Deserialize;
use utoipa::ToSchema;

use sarsen_rules::{Outcome, Seat};

/// The colours of a picture.
///
/// - `auto`: Those that the reader's device prefers.
/// - `light`: Dark on light.
/// - `dark`: Light on dark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize, ToSchema, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schema(as = PictureTheme)]
pub enum Theme {
    /// Those that the reader's device prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The arrangement of a picture.
///
/// - `wide`: For 950 pixels and more, Henge for 1,240.
/// - `narrow`: For phones, down to 360 pixels: one column in larger type, without ids.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureLayout)]
pub enum Layout {
    /// For 950 pixels and more, Henge for 1,240, with ids where they are asked for.
    #[default]
    Wide,
    /// For phones: one column in larger type, without ids.
    Narrow,
}

/// A part of a picture that is drawn alone.
///
/// - `board`: The board with what stands on it and lies beside it.
/// - `hand`: The row of the seat whose side is down, with its cards.
/// - `mats`: The rows of all seats, with their cards.
/// - `tracks`: The counts of the table; in Henge the tracks with the markers of all players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PicturePart)]
pub enum DrawnPart {
    /// The board with what stands on it and lies beside it.
    Board,
    /// The row of the seat whose side is down, with its cards.
    Hand,
    /// The rows of all seats.
    Mats,
    /// The counts: of the table, and in Henge the tracks with everybody's markers.
    Tracks,
}

/// A thing that a move names: a space by its id on the board, or a card by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Touched {
    /// A space.
    Space(String),
    /// A card.
    Card(String),
}

impl Touched {
    /// The space of this id.
    pub(crate) fn space(id: impl ToString) -> Touched {
        Touched::Space(id.to_string())
    }

    /// The card of this name.
    pub(crate) fn card(id: impl ToString) -> Touched {
        Touched::Card(id.to_string())
    }
}

/// The last move, as the viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedMove {
    /// The seat that made it.
    pub(crate) seat: Seat,
    /// In the game's notation.
    pub(crate) notation: String,
    /// The spaces and cards that it names, in the order in which it does.
    pub(crate) touched: Vec<Touched>,
}

/// The request for a picture, and facts for it that no view has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ask {
    /// The colours.
    pub theme: Theme,
    /// The seat whose side is down; seat 0 if none.
    pub seat: Option<Seat>,
    /// The arrangement.
    pub layout: Layout,
    /// The only part to draw; all of them if none.
    pub part: Option<DrawnPart>,
    /// True if ids are written on the board. A narrow picture has no room for them.
    pub coordinates: bool,
    /// The space whose legal targets are marked, instead of everything that can be moved.
    pub from: Option<String>,
    /// Spaces to point out, by their ids.
    pub highlight: BTreeSet<String>,
    /// The spaces and cards that the legal moves of the viewer's own decision name.
    pub legal: BTreeSet<Touched>,
    /// The last move.
    pub last_move: Option<MarkedMove>,
    /// The players' names by seat; other people's text.
    pub names: Vec<Option<String>>,
    /// The ending of the match; the service ends some matches that are not over by their games' rules.
    pub outcome: Option<Outcome>,
}

impl Ask {
    /// Returns whether `part` is drawn.
    pub(crate) fn shows(&self, part: DrawnPart) -> bool {
        self.part.is_none_or(|only| only == part)
    }

    /// Returns whether the picture is for a phone.
    pub(crate) fn is_narrow(&self) -> bool {
        self.layout == Layout::Narrow
    }

    /// Returns whether ids are written on the board.
    pub(crate) fn writes_ids(&self) -> bool {
        self.coordinates && !self.is_narrow()
    }

    /// The seat whose side is down.
    pub(crate) fn below(&self) -> usize {
        self.seat.map_or(0, Seat::index)
    }

    /// Returns what the player in `seat` is called: the name, or else the seat.
    pub(crate) fn name(&self, seat: Seat) -> String {
        match self.names.get(seat.index()) {
            Some(Some(name)) => name.clone(),
            _ => format!("Seat {seat}"),
        }
    }

    /// Returns whether the last move names `touched`.
    pub(crate) fn was_touched(&self, touched: &Touched) -> bool {
        self.last_move.as_ref().is_some_and(|shown| shown.touched.contains(touched))
    }
}
