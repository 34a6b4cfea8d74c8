//! The pieces and signs that games share, each drawn about a point.
//!
//! Invariant: a hue is never told by its colour alone; each has an emblem of its own.

use super::canvas::Canvas;
use super::geometry::{Point, Tenths};

/// A colour that pieces have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, strum::AsRefStr, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub(crate) enum Hue {
    /// With a ring.
    White,
    /// With a diamond.
    Blue,
    /// With a triangle.
    Green,
    /// With a square.
    Yellow,
    /// With a cross.
    Red,
    /// With nothing.
    Black,
}

impl Hue {
    /// Those of the players, by seat or chair.
    pub(crate) const PLAYERS: [Hue; 5] = [Hue::White, Hue::Blue, Hue::Green, Hue::Yellow, Hue::Red];

    /// The class of what is written on it.
    pub(crate) fn written_on(self) -> String {
        format!("on-{self}")
    }

    /// The class of the player with this number; classes repeat.
    pub(crate) const fn of_player(number: usize) -> Hue {
        Hue::PLAYERS[number % Hue::PLAYERS.len()]
    }
}

/// The emblem of a hue, on a piece of it.
pub(crate) fn emblem(canvas: &mut Canvas, at: Point, radius: f64, hue: Hue) {
    let class = hue.written_on();
    let r = radius;
    match hue {
        Hue::White => {
            canvas.circle(at, r, &class);
            canvas.circle(at, r * 0.55, "white");
        }
        Hue::Blue => {
            canvas.shape(&[at.by(0.0, -r * 1.15), at.by(r, 0.0), at.by(0.0, r * 1.15), at.by(-r, 0.0)], &class);
        }
        Hue::Green => {
            canvas.shape(&[at.by(0.0, -r * 1.1), at.by(r * 1.05, r * 0.8), at.by(-r * 1.05, r * 0.8)], &class);
        }
        Hue::Yellow => canvas.rect(at, r * 1.65, r * 1.65, 0.5, &class),
        Hue::Red => {
            let (a, b) = (r * 0.3, r * 1.05);
            let [up, right, down, left] = [at.by(0.0, -b), at.by(b, 0.0), at.by(0.0, b), at.by(-b, 0.0)];
            canvas.shape(
                &[
                    up.by(-a, 0.0),
                    up.by(a, 0.0),
                    at.by(a, -a),
                    right.by(0.0, -a),
                    right.by(0.0, a),
                    at.by(a, a),
                    down.by(a, 0.0),
                    down.by(-a, 0.0),
                    at.by(-a, a),
                    left.by(0.0, a),
                    left.by(0.0, -a),
                    at.by(-a, -a),
                ],
                &class,
            );
        }
        Hue::Black => {}
    }
}

pub(crate) fn disk(canvas: &mut Canvas, at: Point, radius: f64, hue: Hue) {
    canvas.circle(at, radius, hue.as_ref());
    emblem(canvas, at, radius * 0.42, hue);
}

/// A figure in a cowl, as high as twice `size`.
pub(crate) fn druid(canvas: &mut Canvas, at: Point, size: f64, hue: Hue) {
    let s = size;
    let (left, right) = (at.by(-s * 0.8, s), at.by(s * 0.8, s));
    let (top, shoulder) = (at.by(0.0, -s * 1.05), at.by(s * 0.62, -s * 0.75));
    let other = at.by(-s * 0.62, -s * 0.75);
    let (waist, waist_left) = (at.by(s * 0.5, s * 0.1), at.by(-s * 0.5, s * 0.1));
    canvas.path(
        format_args!(
            "M{left}Q{waist_left} {other}Q{} {top}Q{} {shoulder}Q{waist} {right}Z",
            other.by(s * 0.1, -s * 0.25),
            shoulder.by(-s * 0.1, -s * 0.25)
        ),
        hue.as_ref(),
    );
    canvas.circle(at.by(0.0, -s * 0.5), s * 0.27, &hue.written_on());
    emblem(canvas, at.by(0.0, s * 0.4), s * 0.3, hue);
}

/// A pawn, as high as twice `size`.
pub(crate) fn pawn(canvas: &mut Canvas, at: Point, size: f64, hue: Hue) {
    let s = size;
    let (left, right) = (at.by(-s * 0.75, s), at.by(s * 0.75, s));
    let (neck_left, neck) = (at.by(-s * 0.25, -s * 0.2), at.by(s * 0.25, -s * 0.2));
    canvas.path(
        format_args!("M{left}Q{} {neck_left}L{neck}Q{} {right}Z", at.by(-s * 0.2, s * 0.6), at.by(s * 0.2, s * 0.6)),
        hue.as_ref(),
    );
    canvas.circle(at.by(0.0, -s * 0.5), s * 0.48, hue.as_ref());
}

/// Two uprights and a lintel, as wide as twice `size`.
pub(crate) fn trilithon(canvas: &mut Canvas, at: Point, size: f64, class: &str) {
    let s = size;
    canvas.shape(
        &[
            at.by(-s, -s * 0.8),
            at.by(s, -s * 0.8),
            at.by(s, -s * 0.35),
            at.by(s * 0.78, -s * 0.35),
            at.by(s * 0.78, s * 0.85),
            at.by(s * 0.3, s * 0.85),
            at.by(s * 0.3, -s * 0.35),
            at.by(-s * 0.3, -s * 0.35),
            at.by(-s * 0.3, s * 0.85),
            at.by(-s * 0.78, s * 0.85),
            at.by(-s * 0.78, -s * 0.35),
            at.by(-s, -s * 0.35),
        ],
        class,
    );
}

/// The sun, for what is of the day.
pub(crate) fn sun(canvas: &mut Canvas, at: Point, radius: f64) {
    canvas.circle(at, radius * 0.5, "solid");
    for ray in 0..8 {
        let degrees = f64::from(ray) * 45.0;
        canvas.line(at.towards(degrees, radius * 0.75), at.towards(degrees, radius), "line");
    }
}

/// The moon, for what is of the night.
pub(crate) fn moon(canvas: &mut Canvas, at: Point, radius: f64) {
    let (top, foot) = (at.by(radius * 0.35, -radius * 0.85), at.by(radius * 0.35, radius * 0.85));
    let (outer, inner) = (Tenths(radius * 0.92), Tenths(radius * 1.15));
    canvas.path(format_args!("M{top}A{outer},{outer} 0 1 0 {foot}A{inner},{inner} 0 0 1 {top}Z"), "solid");
}

pub(crate) fn flame(canvas: &mut Canvas, at: Point, size: f64) {
    let s = size;
    canvas.path(
        format_args!(
            "M{}C{} {} {}C{} {} {}Z",
            at.by(0.0, -s * 1.2),
            at.by(s * 1.3, s * 0.1),
            at.by(s * 0.7, s),
            at.by(0.0, s),
            at.by(-s * 0.7, s),
            at.by(-s * 1.3, s * 0.1),
            at.by(0.0, -s * 1.2)
        ),
        "red",
    );
    canvas.path(
        format_args!(
            "M{}C{} {} {}C{} {} {}Z",
            at.by(0.0, -s * 0.2),
            at.by(s * 0.6, s * 0.4),
            at.by(s * 0.3, s * 0.85),
            at.by(0.0, s * 0.85),
            at.by(-s * 0.3, s * 0.85),
            at.by(-s * 0.6, s * 0.4),
            at.by(0.0, -s * 0.2)
        ),
        "yellow",
    );
}

/// An arrow from one point to another, for what has moved. It ends short of the points by `margin`.
pub(crate) fn arrow(canvas: &mut Canvas, from: Point, to: Point, margin: f64) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy);
    if length <= 2.0 * margin {
        return;
    }
    let degrees = dx.atan2(-dy).to_degrees();
    let (begin, end) = (from.towards(degrees, margin), from.towards(degrees, length - margin));
    canvas.path(
        format_args!(
            "M{begin}L{end}M{}L{end}L{}",
            end.towards(degrees + 150.0, 14.0),
            end.towards(degrees - 150.0, 14.0)
        ),
        "way still",
    );
}

pub(crate) fn boulder(canvas: &mut Canvas, at: Point, radius: f64) {
    canvas.circle(at, radius, "back");
    let r = radius;
    canvas.path(
        format_args!(
            "M{}Q{} {}M{}L{}L{}",
            at.by(-r * 0.6, -r * 0.2),
            at.by(-r * 0.5, -r * 0.6),
            at.by(-r * 0.05, -r * 0.68),
            at.by(r * 0.15, r * 0.05),
            at.by(r * 0.45, r * 0.3),
            at.by(r * 0.25, r * 0.62)
        ),
        "chalk",
    );
}

/// A crown, as wide as twice `size`.
pub(crate) fn crown(canvas: &mut Canvas, at: Point, size: f64) {
    let s = size;
    canvas.shape(
        &[
            at.by(-s, s * 0.6),
            at.by(-s, -s * 0.5),
            at.by(-s * 0.5, s * 0.05),
            at.by(0.0, -s * 0.8),
            at.by(s * 0.5, s * 0.05),
            at.by(s, -s * 0.5),
            at.by(s, s * 0.6),
        ],
        "yellow",
    );
}

/// A word on a plate of its own, which says what a figure covers.
pub(crate) fn tag(canvas: &mut Canvas, at: Point, text: &str, is_narrow: bool) {
    let (letter, height) = if is_narrow { (16.0, 29.0) } else { (7.0, 14.0) };
    canvas.rect(at, letter * text.chars().count() as f64 + 6.0, height, 4.0, "card");
    canvas.label(at, "u b", text);
}

/// The head of an arrow from one point towards another.
pub(crate) fn arrow_head(canvas: &mut Canvas, back: Point, tip: Point) {
    let degrees = (tip.x - back.x).atan2(back.y - tip.y).to_degrees();
    canvas.shape(&[tip, tip.towards(degrees + 150.0, 11.0), tip.towards(degrees - 150.0, 11.0)], "solid");
}
