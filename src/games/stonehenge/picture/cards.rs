//! Cards: faces, backs, hands fanned out in a row, piles.

use crate::pictures::{Ask, Canvas, Hue, Outline, Point, card, glyphs};
use crate::stonehenge::{Card, Face};

/// Width and height of a card of size 1.
const CARD: [f64; 2] = [54.0, 76.0];
/// Between cards that do not overlap.
const GAP: f64 = 5.0;

fn outline(at: Point, size: f64) -> Outline {
    Outline::Box { centre: at, width: CARD[0] * size, height: CARD[1] * size }
}

/// A card's face about `at`.
pub(crate) fn face(canvas: &mut Canvas, ask: &Ask, at: Point, size: f64, shown: Card) {
    let id = shown.to_string();
    card(canvas, ask, &id, outline(at, size), "card", |canvas| {
        let hue = Hue::from(shown.colour());
        let foot = at.by(0.0, 30.0 * size);
        canvas.rect(foot, 46.0 * size, 9.0 * size, 2.0, &format!("strip-{hue} still"));
        let (large, small) = if size < 0.8 { ("m b", "v") } else { ("l", "u") };
        match shown.face() {
            Face::Number(stone) => {
                let sign = at.by(0.0, 10.0 * size);
                if stone.day {
                    glyphs::sun(canvas, sign, 12.0 * size)
                } else {
                    glyphs::moon(canvas, sign, 11.0 * size)
                }
                canvas.label(at.by(-24.0 * size, -22.0 * size), &format!("{large} s"), &stone.number.to_string());
                // Larger type leaves room for the sign alone.
                if !ask.is_narrow() {
                    let letter = if stone.day { "D" } else { "N" };
                    canvas.label(at.by(24.0 * size, -25.0 * size), &format!("{small} e soft"), letter);
                }
            }
            Face::Trilithon(_) => {
                glyphs::trilithon(canvas, at.by(0.0, 6.0 * size), 17.0 * size, hue.as_ref());
                canvas.label(at.by(-24.0 * size, -24.0 * size), &format!("{small} s b"), &id);
            }
        }
    });
}

/// The back of a card about `at`.
pub(crate) fn back(canvas: &mut Canvas, at: Point, size: f64) {
    outline(at, size).draw(canvas, "back");
    glyphs::trilithon(canvas, at, 14.0 * size, "chalk");
}

/// Returns where the cards of a row of `count` are, from `left` on. They overlap where there is not room enough.
pub(crate) fn spots(left: Point, width: f64, size: f64, count: usize) -> impl Iterator<Item = Point> {
    let card_width = CARD[0] * size;
    let room = (width - card_width) / count.saturating_sub(1).max(1) as f64;
    let step = room.min(card_width + GAP);
    (0..count).map(move |index| left.by(card_width / 2.0 + step * index as f64, 0.0))
}

/// Cards in a row from `left` on: the open ones, then a number of backs.
pub(crate) fn fan(canvas: &mut Canvas, ask: &Ask, left: Point, width: f64, size: f64, open: &[Card], hidden: usize) {
    for (index, at) in spots(left, width, size, open.len() + hidden).enumerate() {
        match open.get(index) {
            Some(shown) => face(canvas, ask, at, size, *shown),
            None => back(canvas, at, size),
        }
    }
}

/// A pile about `at`: the top card if it is known, how many cards there are, and what the pile is.
pub(crate) fn pile(canvas: &mut Canvas, ask: &Ask, at: Point, top: Option<Card>, count: usize, name: &str) {
    match top {
        Some(top) => face(canvas, ask, at, 1.0, top),
        None if count == 0 => outline(at, 1.0).draw(canvas, "line dim"),
        None => {
            for depth in (0..count.min(3)).rev() {
                back(canvas, at.by(-2.5 * depth as f64, -2.5 * depth as f64), 1.0);
            }
        }
    }
    counted(canvas, ask, at, count, name);
}

/// The number of cards and the name of the pile, below it.
fn counted(canvas: &mut Canvas, ask: &Ask, at: Point, count: usize, name: &str) {
    let [first, second] = if ask.is_narrow() { [58.0, 88.0] } else { [53.0, 71.0] };
    canvas.label(at.by(0.0, first), "m b", &count.to_string());
    canvas.label(at.by(0.0, second), "t soft", name);
}

/// Open cards in no order about `at`, of which nothing is shown but how many they are.
pub(crate) fn heap(canvas: &mut Canvas, ask: &Ask, at: Point, count: usize, name: &str) {
    outline(at, 1.0).draw(canvas, if count == 0 { "line dim" } else { "card" });
    counted(canvas, ask, at, count, name);
}

/// A number with what it counts about `at`.
pub(crate) fn tally(canvas: &mut Canvas, at: Point, number: &str, name: &str) {
    canvas.label(at, "h", number);
    canvas.label(at.by(0.0, 34.0), "t soft", name);
}
