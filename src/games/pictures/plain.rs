//! A board drawn from its places and edges alone: what a game is shown as that does not draw itself.

use std::collections::HashMap;

use super::ask::Ask;
use super::canvas::Canvas;
use super::geometry::Point;
use super::outline::Outline;
use super::sheet::{Sheet, Svg};
use super::space::space;
use sarsen_rules::Board;

const SIZE: f64 = 1000.0;
const MARGIN: f64 = 50.0;
const RADIUS: f64 = 16.0;

/// The board of the game called `title`.
pub(crate) fn draw(title: &str, board: &Board, ask: &Ask) -> Svg {
    let mut canvas = Canvas::new();
    let scale = SIZE / 2.0 - MARGIN;
    let points: HashMap<&str, Point> = board
        .places
        .iter()
        .map(|place| (&*place.id, Point::new(SIZE / 2.0 + place.x * scale, SIZE / 2.0 - place.y * scale)))
        .collect();
    for edge in &board.edges {
        if let (Some(from), Some(to)) = (points.get(&*edge.from), points.get(&*edge.to)) {
            canvas.line(*from, *to, "line dim");
        }
    }
    for place in &board.places {
        let Some(centre) = points.get(&*place.id).copied() else { continue };
        space(&mut canvas, ask, &place.id, Outline::Disc { centre, radius: RADIUS }, "stone", |canvas| {
            if ask.writes_ids() {
                canvas.label(centre, "u", &place.id);
            }
        });
    }
    let sheet = Sheet {
        title: format!("{title}, the board"),
        description: format!("The board has {} places.", board.places.len()),
        width: SIZE,
        height: SIZE,
    };
    sheet.finish(ask, canvas)
}
