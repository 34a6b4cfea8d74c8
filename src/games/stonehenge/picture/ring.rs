//! The printed ring, from the places of the board.

use crate::pictures::{Ask, Canvas, Disc, Hue, Outline, Point, glyphs, space};
use crate::stonehenge::Number;
use sarsen_rules::{Board, Place};

/// From the centre to the rim of the ring.
pub(crate) const RADIUS: f64 = 476.0;
/// Half the height of a row, of the unit disc.
const HALF_ROW: f64 = 0.057;
/// Half the height of a small stone.
const HALF_STONE: f64 = 0.047;
/// Half the degrees of a space, and of a small stone.
const HALF_SPACE: f64 = 5.8;
const HALF_SMALL: f64 = 2.8;
/// The rim of the plate, and of the hole in it.
const PLATE: [f64; 2] = [1.008, 0.515];

/// The ring as it lies on a picture.
#[derive(Clone, Copy)]
pub struct Ring {
    disc: Disc,
    /// True if nothing but the four rows is played on, colours and small stones included.
    rows_alone: bool,
    /// The distance of a piece on a row from the middle of its space, outwards.
    outwards: f64,
    /// The surface of a row.
    surface: fn(row: &str) -> &'static str,
}

impl Ring {
    /// The ring about `centre` as seen by the player whose side is down, of this number of players.
    pub(crate) fn new(centre: Point, ask: &Ask, seats: usize) -> Ring {
        let disc = Disc::new(centre, RADIUS, ask.below(), seats);
        Ring { disc, rows_alone: false, outwards: 3.0, surface: |_| "stone" }
    }

    /// The same without anything but the four rows, with pieces this far outwards. The numbers are inside the rows,
    /// where no piece covers one.
    #[must_use]
    pub(crate) fn rows_alone(self, outwards: f64) -> Ring {
        Ring { rows_alone: true, outwards, ..self }
    }

    /// The same with rows of these surfaces.
    #[must_use]
    pub(crate) fn surfaced(self, surface: fn(row: &str) -> &'static str) -> Ring {
        Ring { surface, ..self }
    }

    /// Returns where the ring's centre is.
    pub(crate) fn centre(self) -> Point {
        self.disc.centre
    }

    /// Returns where a place is.
    pub(crate) fn point(self, place: &Place) -> Point {
        self.disc.point(place)
    }

    /// Returns where the place of this id is.
    pub(crate) fn find(self, board: &Board, id: &str) -> Option<Point> {
        board.places.iter().find(|place| place.id == id).map(|place| self.point(place))
    }

    fn outline(self, place: &Place) -> Outline {
        let (centre, distance) = (self.point(place), place.x.hypot(place.y));
        let sector = |half_height: f64, half_width: f64| {
            self.disc.sector(place, [distance - half_height, distance + half_height], half_width)
        };
        match &*place.zone {
            "inner_ring" => sector(HALF_STONE, HALF_SMALL),
            "trilithon_places" => Outline::Box { centre, width: 52.0, height: 46.0 },
            "bluestones" => Outline::Disc { centre, radius: 14.5 },
            "altar" => Outline::Box { centre, width: 92.0, height: 54.0 },
            _ => sector(HALF_ROW, HALF_SPACE),
        }
    }

    /// Draws the ring; `pieces` draws the pieces on a place, around the given point.
    pub(crate) fn draw(
        self,
        canvas: &mut Canvas,
        board: &Board,
        ask: &Ask,
        mut pieces: impl FnMut(&mut Canvas, &Place, Point),
    ) {
        let [outer, inner] = PLATE.map(|radius| radius * RADIUS);
        canvas.circle(self.centre(), outer, "plate");
        canvas.circle(self.centre(), inner, "ground");
        canvas.circle(self.centre(), inner, "line");
        // The small stones, on which pieces lie, are drawn over row d, which lies at the same place.
        let (stones, rest): (Vec<_>, Vec<_>) = board.places.iter().partition(|place| place.zone == "inner_ring");
        for place in rest.into_iter().chain(stones) {
            let outline = self.outline(place);
            space(canvas, ask, &place.id, outline, self.class(place), |canvas| {
                self.print(canvas, place, outline, ask.writes_ids());
                pieces(canvas, place, self.standing(place, outline));
            });
        }
    }

    fn class(self, place: &Place) -> &'static str {
        match &*place.zone {
            "inner_ring" if place.id.starts_with('D') => "day",
            "inner_ring" => "night",
            "row_d" if !self.rows_alone => "clear",
            "bluestones" => "slate",
            "trilithon_places" | "altar" => "stone",
            row => (self.surface)(row),
        }
    }

    /// Returns the point of a piece: on the rows a little outwards, so that the label farther in can be read.
    fn standing(self, place: &Place, outline: Outline) -> Point {
        let middle = outline.middle();
        match &*place.zone {
            "row_a" | "row_b" | "row_c" | "row_d" => middle.towards(self.disc.degrees(place), self.outwards),
            _ => middle,
        }
    }

    /// The label of a place.
    fn print(self, canvas: &mut Canvas, place: &Place, outline: Outline, coordinates: bool) {
        let (middle, degrees) = (outline.middle(), self.disc.degrees(place));
        let hue = place.number.and_then(Number::new).map(|number| Hue::from(number.colour()));
        match (&*place.zone, place.number, hue) {
            ("row_b" | "row_c", ..) if self.rows_alone => {}
            ("row_d", Some(number), _) if self.rows_alone => {
                canvas.label(middle.towards(degrees, -50.0), "m b", &number.to_string());
            }
            ("row_b", _, Some(hue)) => self.strip(canvas, outline, hue),
            ("row_c", Some(number), _) => canvas.label(middle.towards(degrees, 3.0), "l", &number.to_string()),
            ("inner_ring", ..) => {
                let at = middle.towards(degrees, 11.0);
                if place.id.starts_with('D') { glyphs::sun(canvas, at, 6.5) } else { glyphs::moon(canvas, at, 6.0) }
            }
            ("trilithon_places", ..) => {
                canvas.group("dim", |canvas| glyphs::trilithon(canvas, middle.by(0.0, -4.0), 17.0, "line"))
            }
            ("altar", ..) => canvas.group("dim", |canvas| canvas.rect(middle, 74.0, 36.0, 4.0, "line")),
            _ => {}
        }
        if coordinates {
            self.write_id(canvas, place, middle, degrees);
        }
    }

    fn write_id(self, canvas: &mut Canvas, place: &Place, middle: Point, degrees: f64) {
        match &*place.zone {
            "row_c" if !self.rows_alone => {}
            "row_a" | "row_b" | "row_c" | "row_d" => canvas.label(middle.towards(degrees, -17.0), "v soft", &place.id),
            "inner_ring" => canvas.label(middle.towards(degrees, -14.0), "w", &place.id),
            "trilithon_places" => canvas.label(middle.by(0.0, 15.0), "u", &place.id),
            _ => canvas.label(middle, "u", &place.id),
        }
    }

    /// The strip of colour along the outer edge of a space.
    fn strip(self, canvas: &mut Canvas, outline: Outline, hue: Hue) {
        let Outline::Sector { centre, outer, from, to, .. } = outline else { return };
        let strip = Outline::Sector { centre, inner: outer - 11.0, outer: outer - 2.0, from: from + 0.3, to: to - 0.3 };
        strip.draw(canvas, &format!("strip-{hue} still"));
    }
}
