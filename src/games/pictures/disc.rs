//! A round board on a picture: places with coordinates of the unit disc, turned towards one of those who sit around it.
//!
//! Invariant: what is drawn of a place is turned with it.

use super::geometry::Point;
use super::outline::Outline;
use sarsen_rules::Place;

/// The disc as it lies on a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Disc {
    pub(crate) centre: Point,
    radius: f64,
    /// The clockwise turn in degrees.
    turn: f64,
}

impl Disc {
    /// A disc of this radius about `centre`, for this number of players, with the side of number `below` down.
    pub(crate) fn new(centre: Point, radius: f64, below: usize, seats: usize) -> Disc {
        Disc { centre, radius, turn: -360.0 * below as f64 / seats.max(1) as f64 }
    }

    /// Returns where a place lies on the picture, in degrees clockwise from straight up.
    pub(crate) fn degrees(self, place: &Place) -> f64 {
        place.x.atan2(place.y).to_degrees() + self.turn
    }

    /// Returns where a place is.
    pub(crate) fn point(self, place: &Place) -> Point {
        self.centre.towards(self.degrees(place), place.x.hypot(place.y) * self.radius)
    }

    /// The sector about a place, between two radii of the unit disc and a number of degrees to both sides.
    pub(crate) fn sector(self, place: &Place, radii: [f64; 2], half_width: f64) -> Outline {
        let [inner, outer] = radii.map(|radius| radius * self.radius);
        let middle = self.degrees(place);
        Outline::Sector { centre: self.centre, inner, outer, from: middle - half_width, to: middle + half_width }
    }
}
