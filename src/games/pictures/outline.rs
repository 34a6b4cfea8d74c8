//! The outlines that spaces have.

use super::canvas::Canvas;
use super::geometry::{Point, Tenths};

/// The outline of a space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Outline {
    /// A piece of a ring around `centre`, between two radii and two angles (clockwise from straight up, ascending).
    Sector {
        /// The centre of the ring.
        centre: Point,
        /// The lesser radius.
        inner: f64,
        /// The greater radius.
        outer: f64,
        /// Its beginning, in degrees.
        from: f64,
        /// Its end, in degrees.
        to: f64,
    },
    /// A disc.
    Disc {
        /// Its middle.
        centre: Point,
        /// Its radius.
        radius: f64,
    },
    /// A rectangle with round corners.
    Box {
        /// Its middle.
        centre: Point,
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
}

impl Outline {
    /// Its middle, where pieces stand.
    pub(crate) fn middle(self) -> Point {
        match self {
            Outline::Sector { centre, inner, outer, from, to } => {
                centre.towards((from + to) / 2.0, (inner + outer) / 2.0)
            }
            Outline::Disc { centre, .. } | Outline::Box { centre, .. } => centre,
        }
    }

    /// The same, smaller by `margin` on all sides.
    #[must_use]
    pub(crate) fn within(self, margin: f64) -> Outline {
        match self {
            Outline::Sector { centre, inner, outer, from, to } => {
                let turn = (margin / ((inner + outer) / 2.0).max(1.0)).to_degrees();
                Outline::Sector {
                    centre,
                    inner: inner + margin,
                    outer: outer - margin,
                    from: from + turn,
                    to: to - turn,
                }
            }
            Outline::Disc { centre, radius } => Outline::Disc { centre, radius: radius - margin },
            Outline::Box { centre, width, height } => {
                Outline::Box { centre, width: width - 2.0 * margin, height: height - 2.0 * margin }
            }
        }
    }

    /// Draws it.
    pub(crate) fn draw(self, canvas: &mut Canvas, class: &str) {
        match self {
            Outline::Sector { centre, inner, outer, from, to } => {
                let (a, b) = (centre.towards(from, outer), centre.towards(to, outer));
                let (c, d) = (centre.towards(to, inner), centre.towards(from, inner));
                let (large, small) = (Tenths(outer), Tenths(inner));
                let wide = u8::from(to - from > 180.0);
                canvas.path(
                    format_args!("M{a}A{large},{large} 0 {wide} 1 {b}L{c}A{small},{small} 0 {wide} 0 {d}Z"),
                    class,
                );
            }
            Outline::Disc { centre, radius } => canvas.circle(centre, radius, class),
            Outline::Box { centre, width, height } => canvas.rect(centre, width, height, 6.0, class),
        }
    }
}
