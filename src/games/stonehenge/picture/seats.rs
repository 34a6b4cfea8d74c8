//! A row below the ring for each seat: who sits there, how they stand, and their cards.

use super::cards::{fan, spots};
use crate::pictures::{Ask, Canvas, Hue, Point, cut, glyphs};
use crate::stonehenge::Card;
use sarsen_rules::Seat;

/// The left edges of names and cards.
const NAME: f64 = 62.0;
const CARDS: f64 = 330.0;
const RIGHT: f64 = 980.0;

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
    /// Returns how high the row is; a row that is shown large has room for faces.
    pub(crate) fn height(&self, large: bool) -> f64 {
        let cards = !self.open.is_empty() || self.hidden > 0;
        match (large, cards) {
            (true, true) => 104.0,
            (false, true) => 74.0,
            (_, false) => 52.0 + 20.0 * self.notes.len().saturating_sub(1) as f64,
        }
    }

    /// Draws the row, `top` being its upper edge.
    pub(crate) fn draw(&self, canvas: &mut Canvas, ask: &Ask, top: f64, large: bool) {
        let height = self.height(large);
        let middle = top + height / 2.0;
        canvas.rect(Point::new(500.0, middle), 972.0, height - 6.0, 10.0, if self.acts { "turn" } else { "line dim" });
        let sign = Point::new(38.0, middle);
        match (self.hue, self.seat) {
            (Some(hue), _) => glyphs::disk(canvas, sign, 15.0, hue),
            (None, Some(seat)) => {
                canvas.circle(sign, 15.0, "stone");
                canvas.label(sign, "m b", &seat.to_string());
            }
            (None, None) => {}
        }
        let lines = 1 + self.notes.len();
        let left = if self.seat.is_some() { NAME } else { 28.0 };
        let mut line = Point::new(left, middle - 10.0 * (lines as f64 - 1.0));
        let name = self.seat.map_or_else(|| self.title.to_owned(), |seat| cut(&ask.name(seat), 24));
        canvas.label(line, "m b s", &name);
        for note in &self.notes {
            line = line.by(0.0, 20.0);
            canvas.label(line, "t s soft", note);
        }
        let size = if large { 1.15 } else { 0.74 };
        let left = Point::new(CARDS, middle);
        fan(canvas, ask, left, RIGHT - CARDS, size, &self.open, self.hidden);
        for (at, hue) in spots(left, RIGHT - CARDS, size, self.open.len() + self.hidden).zip(&self.owners) {
            glyphs::disk(canvas, at.by(14.0 * size, 10.0 * size), 10.0 * size, *hue);
        }
    }
}
