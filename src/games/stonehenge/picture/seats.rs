//! A row below the ring for each seat: who sits there, how they stand, and their cards.

use super::cards::{fan, spots};
use crate::pictures::{Ask, Canvas, Hue, Point, cut, glyphs};
use crate::stonehenge::Card;
use sarsen_rules::Seat;

/// The left edges of names and cards.
const NAME: f64 = 62.0;
const CARDS: f64 = 330.0;
const RIGHT: f64 = 980.0;
/// From line to line in large type.
const LINE: f64 = 34.0;

/// The row of a seat.
#[derive(Default)]
pub(crate) struct SeatRow {
    /// The seat; `None` for a row of the table's own.
    pub(crate) seat: Option<Seat>,
    /// The title of a row that belongs to the table.
    pub(crate) title: &'static str,
    /// The colour of its pieces, if it has one.
    pub(crate) hue: Option<Hue>,
    /// True if it is to act.
    pub(crate) acts: bool,
    /// The seat's figures, in a line or two.
    pub(crate) notes: Vec<String>,
    /// Its cards as far as they are known.
    pub(crate) open: Vec<Card>,
    /// The number of cards not shown.
    pub(crate) hidden: usize,
    /// The owners of the open cards, in the same order, where they are not the row's owner.
    pub(crate) owners: Vec<Hue>,
}

impl SeatRow {
    /// The size of its cards.
    fn size(ask: &Ask, large: bool) -> f64 {
        match (ask.is_narrow(), large) {
            (false, true) => 1.15,
            (false, false) => 0.74,
            (true, true) => 1.6,
            (true, false) => 1.2,
        }
    }

    fn has_cards(&self) -> bool {
        !self.open.is_empty() || self.hidden > 0
    }

    /// Returns how high the row is; a row that is shown large has room for faces.
    pub(crate) fn height(&self, ask: &Ask, large: bool) -> f64 {
        let notes = self.notes.len() as f64;
        match (ask.is_narrow(), large, self.has_cards()) {
            (false, true, true) => 104.0,
            (false, false, true) => 74.0,
            (false, _, false) => 32.0 + 20.0 * notes,
            (true, _, false) => 64.0 + LINE * notes,
            (true, _, true) => 74.0 + LINE * notes + 76.0 * SeatRow::size(ask, large),
        }
    }

    /// Draws the row, `top` being its upper edge.
    pub(crate) fn draw(&self, canvas: &mut Canvas, ask: &Ask, top: f64, large: bool) {
        let (height, is_narrow) = (self.height(ask, large), ask.is_narrow());
        let middle = top + height / 2.0;
        let (size, line_height) = (SeatRow::size(ask, large), if is_narrow { LINE } else { 20.0 });
        // Words stand beside the cards, or above them.
        let words = if is_narrow && self.has_cards() { middle - 38.0 * size - 4.0 } else { middle };
        canvas.rect(Point::new(500.0, middle), 972.0, height - 6.0, 10.0, if self.acts { "turn" } else { "line dim" });
        let (sign, radius) = (Point::new(38.0, words), if is_narrow { 19.0 } else { 15.0 });
        match (self.hue, self.seat) {
            (Some(hue), _) => glyphs::disk(canvas, sign, radius, hue),
            (None, Some(seat)) => {
                canvas.circle(sign, radius, "stone");
                canvas.label(sign, "m b", &seat.to_string());
            }
            (None, None) => {}
        }
        let lines = 1 + self.notes.len();
        let left = if self.seat.is_some() { NAME + radius - 15.0 } else { 28.0 };
        let mut line = Point::new(left, words - line_height / 2.0 * (lines as f64 - 1.0));
        let name = self.seat.map_or_else(|| self.title.to_owned(), |seat| cut(&ask.name(seat), 24));
        canvas.label(line, "m b s", &name);
        for note in &self.notes {
            line = line.by(0.0, line_height);
            canvas.label(line, "t s soft", &cut(note, 66));
        }
        let left = match is_narrow {
            true => Point::new(28.0, top + height - 38.0 * size - 16.0),
            false => Point::new(CARDS, middle),
        };
        let width = RIGHT - left.x;
        fan(canvas, ask, left, width, size, &self.open, self.hidden);
        for (at, hue) in spots(left, width, size, self.open.len() + self.hidden).zip(&self.owners) {
            glyphs::disk(canvas, at.by(14.0 * size, 10.0 * size), 10.0 * size, *hue);
        }
    }
}
