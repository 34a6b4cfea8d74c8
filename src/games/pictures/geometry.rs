//! Points of a picture, and how their numbers are written.

use std::fmt;

/// A point of a picture: x to the right, y downwards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Point {
    /// The point at these coordinates.
    pub(crate) const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The point at `degrees` clockwise from straight up, `distance` from here.
    #[must_use]
    pub(crate) fn towards(self, degrees: f64, distance: f64) -> Point {
        let (sin, cos) = degrees.to_radians().sin_cos();
        self.by(distance * sin, -distance * cos)
    }

    /// The point this much farther right and down.
    #[must_use]
    pub(crate) const fn by(self, x: f64, y: f64) -> Point {
        Point { x: self.x + x, y: self.y + y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", Tenths(self.x), Tenths(self.y))
    }
}

/// A length or coordinate, written to a tenth: short, and the same on platforms whose sines differ in the last bit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Tenths(pub f64);

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
        if rest == 0 { write!(f, "{sign}{whole}") } else { write!(f, "{sign}{whole}.{rest}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, -0.01, 0.05, 12.0, -3.449, 99.96].map(|number| Tenths(number).to_string());
        assert_eq!(texts, ["0", "0", "0.1", "12", "-3.4", "100"]);
    }

    #[test]
    fn degrees_run_clockwise_from_the_top() {
        let middle = Point::new(10.0, 10.0);
        let around = [0.0, 90.0, 180.0, 270.0].map(|degrees| middle.towards(degrees, 5.0).to_string());
        assert_eq!(around, ["10,5", "15,10", "10,15", "5,10"]);
    }
}
