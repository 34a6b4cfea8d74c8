//! Henge's cards and stones as they lie open or face down.

use super::desk::Desk;
use crate::henge::components::{Id, Size, StoneRow};
use crate::pictures::{Canvas, Outline, Point, card, cut, glyphs};

/// Width and height of a card with words.
pub(crate) const CARD: [f64; 2] = [118.0, 62.0];

/// `L` or `S`.
pub(crate) const fn letter(size: Size) -> &'static str {
    match size {
        Size::Large => "L",
        Size::Small => "S",
    }
}

/// Returns what a stone is, for a title.
pub(crate) fn stone_title(row: &StoneRow) -> String {
    let size = match row.size {
        Size::Large => "large",
        Size::Small => "small",
    };
    format!("{} ({}), {size}, {} points", row.name, row.id, row.vp)
}

/// A card by its name, in two lines where it is long.
pub(crate) fn named(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, id: Id, class: &str) {
    let outline = Outline::Box { centre: at, width: CARD[0], height: CARD[1] };
    card(canvas, desk.ask, id.as_str(), outline, class, |canvas| {
        canvas.label(at.by(-52.0, -21.0), "u s soft", id.as_str());
        for (line, words) in lines(&name_of(desk, id)).iter().enumerate() {
            canvas.label(at.by(-52.0, -2.0 + 16.0 * line as f64), "c s b", words);
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

/// A name in at most two lines.
fn lines(name: &str) -> Vec<String> {
    const WIDE: usize = 14;
    if name.chars().count() <= WIDE {
        return vec![name.to_owned()];
    }
    let mut first = String::new();
    let mut words = name.split(' ').peekable();
    while let Some(word) = words.next_if(|word| first.chars().count() + word.chars().count() < WIDE) {
        if !first.is_empty() {
            first.push(' ');
        }
        first += word;
    }
    let rest: Vec<&str> = words.collect();
    [cut(&first, WIDE), cut(&rest.join(" "), WIDE)].into_iter().filter(|line| !line.is_empty()).collect()
}

/// The back of a card.
pub(crate) fn back(canvas: &mut Canvas, at: Point) {
    canvas.rect(at, 34.0, 48.0, 6.0, "back");
    glyphs::trilithon(canvas, at, 9.0, "chalk");
}

/// A stone card with all that is printed on it; `more` is a last line.
pub(crate) fn stone(canvas: &mut Canvas, desk: &Desk<'_>, at: Point, row: &StoneRow, more: &str) {
    let outline = Outline::Box { centre: at, width: 118.0, height: 62.0 };
    card(canvas, desk.ask, row.id.as_str(), outline, "slate", |canvas| {
        canvas.label(at.by(-52.0, -20.0), "u s", &format!("{} {}", row.id, letter(row.size)));
        canvas.label(at.by(52.0, -20.0), "u e", &format!("{} pts", row.vp));
        canvas.label(at.by(-52.0, -3.0), "c s b", &cut(&row.name, 14));
        canvas.label(at.by(-52.0, 14.0), "u s", &format!("{} · {more}", row.icon.word()));
    });
}
