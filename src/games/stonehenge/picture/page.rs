//! The page that the ring lies on.

use super::ring::Ring;
use super::seats::SeatRow;
use crate::pictures::{Ask, Canvas, Point, Sheet, Svg, cut};

const WIDTH: f64 = 1000.0;
const HEADER: f64 = 70.0;
/// The ring's centre, and the beginning of the rows of the seats.
const CENTRE: Point = Point::new(500.0, 560.0);
const BELOW: f64 = 1052.0;

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

impl Corner {
    /// The middle of what lies there.
    pub(crate) const fn point(self) -> Point {
        match self {
            Corner::UpperLeft => Point::new(62.0, 128.0),
            Corner::UpperRight => Point::new(938.0, 128.0),
            Corner::LowerLeft => Point::new(62.0, 948.0),
            Corner::LowerRight => Point::new(938.0, 948.0),
        }
    }
}

/// The page beside the ring.
pub(crate) struct Page<'a> {
    /// The request for the picture.
    pub(crate) ask: &'a Ask,
    /// The game's title.
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
    /// The page of a board without a match.
    pub(crate) fn empty(game: &'static str, ask: &'a Ask) -> Page<'a> {
        Page {
            ask,
            game,
            standing: "the board".to_owned(),
            description:
                "The board: 30 numbers in a ring, each with the rows a to d and two small stones, around five \
                          trilithon places, 19 bluestones and the altar."
                    .to_owned(),
            headline: game.to_owned(),
            aside: String::new(),
            table: None,
            seats: Vec::new(),
        }
    }

    /// The ring as it lies on this page.
    pub(crate) fn ring(&self) -> Ring {
        Ring::new(CENTRE, self.ask, self.seats.len())
    }

    /// The picture; `draw` draws the ring and what is in its corners.
    pub(crate) fn finish(&self, draw: impl FnOnce(&mut Canvas, Ring)) -> Svg {
        let mut canvas = Canvas::new();
        canvas.label(Point::new(22.0, HEADER / 2.0 + 4.0), "h s", &cut(&self.headline, 46));
        canvas.label(Point::new(WIDTH - 22.0, HEADER / 2.0 + 4.0), "m e soft", &self.aside);
        draw(&mut canvas, self.ring());
        let mut top = BELOW;
        let below = self.ask.below();
        if let Some(table) = &self.table {
            table.draw(&mut canvas, self.ask, top, true);
            top += table.height(true);
        }
        // The next clockwise comes first, so that the viewer is the last.
        let count = self.seats.len();
        for offset in 1..=count {
            let Some(row) = self.seats.get((below + offset) % count) else { continue };
            let large = offset == count && !row.open.is_empty();
            row.draw(&mut canvas, self.ask, top, large);
            top += row.height(large);
        }
        let sheet = Sheet {
            title: format!("{}, {}", self.game, self.standing),
            description: self.description.clone(),
            width: WIDTH,
            height: top + 12.0,
        };
        sheet.finish(self.ask.theme, canvas)
    }
}
