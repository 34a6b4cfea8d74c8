//! The page that the ring lies on.
//!
//! A narrow page has the same width in larger type: its first line may take two, and the rows of the seats hold their
//! cards below the words. A part that is drawn alone keeps the first line.

use super::ring::{RADIUS, Ring};
use super::seats::SeatRow;
use crate::pictures::{Ask, Canvas, DrawnPart, Point, Sheet, Svg, cut, wrapped};

const WIDTH: f64 = 1000.0;
/// From the rim of the ring to what is above and below it.
const MARGIN: f64 = 14.0;
/// The height of the counts, drawn alone.
const COUNTS: f64 = 220.0;

/// A corner beside the ring.
#[derive(Clone, Copy)]
pub(crate) enum Corner {
    /// On the left above.
    UpperLeft,
    /// On the right above.
    UpperRight,
    /// On the left below.
    LowerLeft,
    /// On the right below.
    LowerRight,
}

/// The places of what lies beside the ring: its corners, or a row if the counts are drawn alone.
#[derive(Clone, Copy)]
pub(crate) struct Corners {
    /// The centre of the ring, or the middle of the row.
    middle: Point,
    in_row: bool,
    pub(crate) is_narrow: bool,
}

impl Corners {
    /// The middle of what lies in a corner.
    pub(crate) fn at(self, corner: Corner) -> Point {
        if self.in_row {
            return self.middle.by(250.0 * f64::from(corner as u8) - 375.0, 0.0);
        }
        let x = if self.is_narrow { 404.0 } else { 438.0 };
        match corner {
            Corner::UpperLeft => self.middle.by(-x, -432.0),
            Corner::UpperRight => self.middle.by(x, -432.0),
            Corner::LowerLeft => self.middle.by(-x, 388.0),
            Corner::LowerRight => self.middle.by(x, 388.0),
        }
    }
}

/// The page beside the ring.
pub(crate) struct Page<'a> {
    /// The request for the picture.
    pub(crate) ask: &'a Ask,
    pub(crate) game: &'static str,
    /// The title behind the game's: the stage of the match, and the seats to act.
    pub(crate) standing: String,
    /// The position in words.
    pub(crate) description: String,
    /// The first line, on the left.
    pub(crate) headline: String,
    /// The first line, on the right.
    pub(crate) aside: String,
    /// The cards that lie open between the seats.
    pub(crate) table: Option<SeatRow>,
    /// The seats in their order.
    pub(crate) seats: Vec<SeatRow>,
}

impl<'a> Page<'a> {
    /// The page of a board without a match; `description` says what is on the board.
    pub(crate) fn empty(game: &'static str, description: &str, ask: &'a Ask) -> Page<'a> {
        Page {
            ask,
            game,
            standing: "the board".to_owned(),
            description: description.to_owned(),
            headline: game.to_owned(),
            aside: String::new(),
            table: None,
            seats: Vec::new(),
        }
    }

    /// The picture; `draw` draws the ring, `beside` the counts in its corners.
    pub(crate) fn finish(
        &self,
        draw: impl FnOnce(&mut Canvas, Ring),
        beside: impl FnOnce(&mut Canvas, Corners),
    ) -> Svg {
        let mut canvas = Canvas::new();
        let is_narrow = self.ask.is_narrow();
        let mut top = self.head(&mut canvas);
        if self.ask.shows(DrawnPart::Board) {
            let middle = Point::new(WIDTH / 2.0, top + RADIUS + MARGIN);
            draw(&mut canvas, Ring::new(middle, self.ask, self.seats.len()));
            beside(&mut canvas, Corners { middle, in_row: false, is_narrow });
            top = middle.y + RADIUS + MARGIN + 2.0;
        } else if self.ask.shows(DrawnPart::Tracks) {
            let middle = Point::new(WIDTH / 2.0, top + COUNTS / 2.0 - 20.0);
            beside(&mut canvas, Corners { middle, in_row: true, is_narrow });
            top += COUNTS;
        }
        for (row, large) in self.rows() {
            row.draw(&mut canvas, self.ask, top, large);
            top += row.height(self.ask, large);
        }
        let sheet = Sheet {
            title: format!("{}, {}", self.game, self.standing),
            description: self.description.clone(),
            width: WIDTH,
            height: top + 12.0,
        };
        sheet.finish(self.ask, canvas)
    }

    /// The first line. Returns where it ends.
    fn head(&self, canvas: &mut Canvas) -> f64 {
        let right = WIDTH - 22.0;
        if !self.ask.is_narrow() {
            canvas.label(Point::new(22.0, 39.0), "h s", &cut(&self.headline, 46));
            canvas.label(Point::new(right, 39.0), "m e soft", &self.aside);
            return 70.0;
        }
        let mut top = 44.0;
        for line in wrapped(&self.headline, 32, 2) {
            canvas.label(Point::new(22.0, top), "h s", &line);
            top += 50.0;
        }
        if !self.aside.is_empty() {
            canvas.label(Point::new(22.0, top - 4.0), "m s soft", &self.aside);
            top += 36.0;
        }
        top - 14.0
    }

    /// The rows below the ring, and whether each is large. The next clockwise comes first, so that the viewer is the
    /// last.
    fn rows(&self) -> Vec<(&SeatRow, bool)> {
        let (below, count) = (self.ask.below(), self.seats.len());
        let mut rows: Vec<(&SeatRow, bool)> = Vec::new();
        if self.ask.shows(DrawnPart::Mats) {
            rows.extend(self.table.iter().map(|table| (table, true)));
            rows.extend(
                (1..count).filter_map(|offset| self.seats.get((below + offset) % count)).map(|row| (row, false)),
            );
        }
        if self.ask.shows(DrawnPart::Mats) || self.ask.shows(DrawnPart::Hand) {
            rows.extend(self.seats.get(below).map(|row| (row, !row.open.is_empty())));
        }
        rows
    }
}
