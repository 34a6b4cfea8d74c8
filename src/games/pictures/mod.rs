//! Pictures of boards and positions, as SVG: handsome enough to be shown as they are, and open to a front end that puts
//! its own hands on them, for each space has the id of the board.
//!
//! Invariants:
//! - A picture is made of what its viewer may know: [`Picture::draw`] is given the view, never the state. Equal views,
//!   asked alike, give equal bytes.
//! - All text goes through one function that escapes it ([`Canvas`]); a picture holds no script, refers to nothing
//!   outside itself, and names no font but the system's.
//! - Colour never says anything alone: pieces differ in their emblems, marks in their strokes.
//!
//! Deliberately absent: games. Each game draws itself with what is here, and one that does not is drawn as
//! its board ([`plain`]). Like rules and games it is pure.

mod ask;
mod canvas;
mod caption;
mod chart;
mod disc;
mod geometry;
pub(crate) mod glyphs;
mod outline;
pub(crate) mod palette;
pub(crate) mod plain;
mod sheet;
mod space;
#[cfg(test)]
mod vision;

pub use ask::{Ask, DrawnPart, Layout, Theme};
pub(crate) use ask::{MarkedMove, Touched};
pub(crate) use canvas::Canvas;
pub(crate) use caption::{cut, ending, wrapped};
pub use chart::{Chart, ChartMark, ChartPoint};
pub(crate) use disc::Disc;
pub(crate) use geometry::Point;
pub(crate) use glyphs::Hue;
pub(crate) use outline::Outline;
pub(crate) use sheet::Sheet;
pub use sheet::{PictureText, Svg};
pub(crate) use space::{card, space};

use sarsen_rules::{Board, Game, SeatCount};

/// A game that can be drawn. Without a word of its own it is drawn as its board, without pieces.
pub trait Picture: Game {
    /// The board that a match seen as `view` is played on: its places are the spaces of the picture.
    fn board_of(&self, _view: &Self::View) -> Board {
        self.board()
    }

    /// The board of a match with this number of seats and these options.
    fn board_for(&self, _options: &Self::Options, _seats: SeatCount) -> Board {
        self.board()
    }

    /// The position, as the viewer of `view` sees it; `board` is that of [`Picture::board_of`]. Each place of the board
    /// that the picture shows is drawn by [`space()`].
    fn draw(&self, _view: &Self::View, board: &Board, ask: &Ask) -> Svg {
        plain::draw(Self::INFO.title, board, ask)
    }

    /// The position as a few lines of text, of characters of one width, for readers who see none; `None` where the shape
    /// of the board does not help them.
    fn draw_plain(&self, _view: &Self::View) -> Option<String> {
        None
    }

    /// The board without any pieces.
    fn draw_empty(&self, board: &Board, ask: &Ask) -> Svg {
        plain::draw(Self::INFO.title, board, ask)
    }

    /// The spaces and cards that a move would name in the position of `view`, for the marks of legal moves.
    fn touched(&self, _view: &Self::View, _mv: &Self::Move) -> Vec<Touched> {
        Vec::new()
    }

    /// Those that are marked before a space is chosen: where a move begins, if a second choice follows.
    fn touched_first(&self, view: &Self::View, mv: &Self::Move) -> Vec<Touched> {
        self.touched(view, mv)
    }

    /// The same of the move that has led to `view`.
    fn touched_last(&self, view: &Self::View, mv: &Self::Move) -> Vec<Touched> {
        self.touched(view, mv)
    }
}
