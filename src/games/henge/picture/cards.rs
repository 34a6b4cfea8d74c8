//! Henge's cards and stones as they lie open or face down.

use super::desk::Desk;
use crate::henge::components::{Id, Size, StoneRow};
use crate::pictures::{Canvas, Outline, Point, card, glyphs, wrapped};
use sarsen_rules::phrases::counted;

/// The size of cards, and of the words on them.
#[derive(Clone, Copy)]
pub(crate) struct Cut {
    /// The width and height of a card with words.
    pub(crate) card: [f64; 2],
    /// Those of a card that lies face down.
    back: [f64; 2],
    pub(crate) gap: f64,
    /// From line to line.
    line: f64,
    /// From the edge to the words.
    margin: f64,
    /// The number of letters of a name that a line holds.
    letters: usize,
}

impl Cut {
    pub(crate) const WIDE: Cut =
        Cut { card: [124.0, 76.0], back: [38.0, 62.0], gap: 6.0, line: 17.0, margin: 7.0, letters: 13 };
    pub(crate) const NARROW: Cut =
        Cut { card: [308.0, 142.0], back: [100.0, 142.0], gap: 10.0, line: 33.0, margin: 12.0, letters: 18 };
    /// The number of backs that take the room of a face.
    pub(crate) const BACKS: usize = 3;

    /// The beginning of a line of a card, its right end at `at` mirrored.
    fn line(self, at: Point, number: usize) -> Point {
        let rest = self.card[1] - 3.0 * self.line;
        at.by(self.margin - self.card[0] / 2.0, (rest - self.card[1]) / 2.0 + self.line * number as f64)
    }

    /// The middle of a card in rows of `per_row`, which begin at `left` and `top`.
    pub(crate) fn spot(self, left: f64, top: f64, per_row: usize, index: usize) -> Point {
        let [width, height] = self.card;
        let (column, row) = ((index % per_row) as f64, (index / per_row) as f64);
        Point::new(left + width / 2.0, top + height / 2.0).by((width + self.gap) * column, (height + self.gap) * row)
    }

    /// The middle of a back among those that take the room of the face at `at`.
    pub(crate) fn back(self, at: Point, index: usize) -> Point {
        let step = (self.card[0] + self.gap) / Cut::BACKS as f64;
        at.by(step * ((index % Cut::BACKS) as f64 - 1.0), 0.0)
    }
}

/// `L` or `S`.
pub(crate) const fn letter(size: Size) -> &'static str {
    match size {
        Size::Large => "L",
        Size::Small => "S",
    }
}

/// Returns what a stone is, for a title.
pub(crate) fn stone_title(row: &StoneRow) -> String {
    format!("{} ({}), {}, {}", row.name, row.id, row.size.into_str(), counted(row.vp, "point", "points"))
}

/// A card by its name, in two lines where it is long, and the word for its kind.
pub(crate) fn named(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, id: Id, kind: &str, class: &str) {
    let cut = desk.cut();
    let outline = Outline::Box { centre: at, width: cut.card[0], height: cut.card[1] };
    card(canvas, desk.ask, id.as_str(), outline, class, |canvas| {
        canvas.label(cut.line(at, 0), "u s soft", &format!("{id} {kind}"));
        for (line, words) in wrapped(&name_of(desk, id), cut.letters, 2).iter().enumerate() {
            canvas.label(cut.line(at, line + 1), "c s b", words);
        }
    });
}

/// Returns what a card, chit or stone is called; its id where the set does not have it.
fn name_of(desk: &Desk<'_>, id: Id) -> String {
    let set = desk.set;
    let luck = set.luck.iter().filter(|row| row.id == id).map(|row| &row.name);
    let bonus = set.bonus.iter().filter(|row| row.id == id).map(|row| &row.name);
    let rewards = set.rewards.iter().filter(|row| row.id == id).map(|row| &row.name);
    let stones = set.stones.iter().filter(|row| row.id == id).map(|row| &row.name);
    luck.chain(bonus).chain(rewards).chain(stones).next().cloned().unwrap_or_else(|| id.to_string())
}

/// The back of a card of this kind.
pub(crate) fn back(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, kind: &str) {
    let [width, height] = desk.cut().back;
    canvas.piece(&format!("{kind} card, face down"), |canvas| {
        canvas.rect(at, width, height, 6.0, "back");
        glyphs::trilithon(canvas, at.by(0.0, -height * 0.14), width * 0.26, "chalk");
        canvas.label(at.by(0.0, height * 0.32), "v on-black", kind);
    });
}

/// A stone card with all that is printed on it; `more` is what it costs, or how far it has come.
pub(crate) fn stone(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, row: &StoneRow, more: [&str; 2]) {
    let cut = desk.cut();
    let outline = Outline::Box { centre: at, width: cut.card[0], height: cut.card[1] };
    card(canvas, desk.ask, row.id.as_str(), outline, "slate", |canvas| {
        let first = cut.line(at, 0);
        canvas.label(first, "u s", &format!("{} {}", row.id, row.size.into_str()));
        canvas.label(first.by(cut.card[0] - 2.0 * cut.margin, 0.0), "u e", &format!("{} pts", row.vp));
        canvas.label(cut.line(at, 1), "c s b", &crate::pictures::cut(&row.name, cut.letters));
        canvas.label(cut.line(at, 2), "u s", &format!("{} · {}", row.icon.into_str(), more[0]));
        canvas.label(cut.line(at, 3), "u s", more[1]);
    });
}
