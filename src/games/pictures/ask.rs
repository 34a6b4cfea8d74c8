//! Parameters of a picture.

use std::collections::BTreeSet;

use sarsen_rules::{Outcome, Seat};

/// Which colours a picture has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Those that the reader's device prefers.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// What a move names: a space by its id on the board, or a card by its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Touched {
    /// A space.
    Space(String),
    /// A card.
    Card(String),
}

impl Touched {
    /// The space of this id.
    pub fn space(id: impl ToString) -> Touched {
        Touched::Space(id.to_string())
    }

    /// The card of this name.
    pub fn card(id: impl ToString) -> Touched {
        Touched::Card(id.to_string())
    }
}

/// The last move, as the viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkedMove {
    /// Who made it.
    pub(crate) seat: Seat,
    /// In the game's notation.
    pub(crate) notation: String,
    /// The spaces and cards that it names, in the order in which it does.
    pub(crate) touched: Vec<Touched>,
}

/// What is asked of a picture, and what it needs that no view has.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ask {
    /// The colours.
    pub theme: Theme,
    /// Whose side is down; that of seat 0 if nobody's.
    pub seat: Option<Seat>,
    /// True if ids are written on the board.
    pub coordinates: bool,
    /// Spaces to point out, by their ids.
    pub highlight: BTreeSet<String>,
    /// What the legal moves of the viewer's own decision name.
    pub legal: BTreeSet<Touched>,
    /// The last move.
    pub last_move: Option<MarkedMove>,
    /// The players' names by seat; other people's text.
    pub names: Vec<Option<String>>,
    /// How the match has ended; the service ends some that their games would go on with.
    pub outcome: Option<Outcome>,
}

impl Ask {
    /// Whose side is down.
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
