//! Spaces and cards as groups that a front end finds again, and the marks on them.
//!
//! The ids are part of the contract: the space `29b` of the board is the element `space-29b`, and its `data-space` is
//! `29b`. Marks differ in their strokes: one line around what is pointed out, dots around what is legal, a double line
//! around what the last move has named.

use super::ask::{Ask, Touched};
use super::canvas::Canvas;
use super::outline::Outline;

/// Draws a space; `inside` draws its content. The id is that of the board.
pub(crate) fn space(
    canvas: &mut Canvas,
    ask: &Ask,
    id: &str,
    outline: Outline,
    class: &str,
    inside: impl FnOnce(&mut Canvas),
) {
    canvas.markup("<g");
    canvas.attribute("id", &format!("space-{id}"));
    canvas.attribute("data-space", id);
    canvas.markup(">");
    outline.draw(canvas, class);
    inside(canvas);
    let pointed_out = ask.highlight.contains(id) || ask.from.as_deref() == Some(id);
    marks(canvas, ask, &Touched::space(id), pointed_out, outline);
    canvas.markup("</g>");
}

/// A card that lies open, with its face. Its name is that of moves and views.
pub(crate) fn card(
    canvas: &mut Canvas,
    ask: &Ask,
    id: &str,
    outline: Outline,
    class: &str,
    inside: impl FnOnce(&mut Canvas),
) {
    canvas.markup("<g class=\"piece\"");
    canvas.attribute("data-card", id);
    canvas.markup(">");
    outline.draw(canvas, class);
    inside(canvas);
    marks(canvas, ask, &Touched::card(id), false, outline);
    canvas.markup("</g>");
}

fn marks(canvas: &mut Canvas, ask: &Ask, touched: &Touched, pointed_out: bool, outline: Outline) {
    if ask.was_touched(touched) {
        outline.within(0.5).draw(canvas, "last");
        outline.within(5.5).draw(canvas, "last");
    }
    if ask.legal.contains(touched) {
        outline.within(3.0).draw(canvas, "legal");
    }
    if pointed_out {
        outline.within(2.5).draw(canvas, "lit");
    }
}
