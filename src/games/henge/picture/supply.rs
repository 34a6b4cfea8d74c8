//! The supply beside the board: the stones of the quarry in full, the reward chits, and how many cards the decks have.

use super::cards::{named, stone};
use super::desk::Desk;
use crate::henge::components::{Id, Pool};
use crate::pictures::{Canvas, Point};

const LEFT: f64 = 1032.0;
/// From the left edge of a card's column to the middle of its first card, and from card to card.
const HALF: f64 = 59.0;
const STEP: [f64; 2] = [126.0, 68.0];

/// Draws it, to the right of the board.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>) {
    let Some(view) = desk.view else { return };
    let mut top = 92.0;
    canvas.label(Point::new(LEFT, top), "m b s", "Quarry");
    let stones: Vec<Id> = view.quarry.iter().copied().flatten().collect();
    top += 50.0;
    for (index, id) in stones.iter().enumerate() {
        if let Some(row) = desk.set.stones.iter().find(|row| row.id == *id) {
            stone(canvas, desk, spot(top, index), row, &format!("{} ¢, way {}", row.cost, row.transport));
        }
    }
    top += STEP[1] * rows(stones.len());
    for rewards in &view.rewards {
        let pool = match rewards.pool {
            Pool::A => "A",
            Pool::B => "B",
        };
        canvas.label(Point::new(LEFT, top), "m b s", &format!("Rewards {pool}"));
        canvas.label(Point::new(1284.0, top), "t e soft", &format!("{} more", rewards.left));
        top += 50.0;
        for (index, id) in rewards.face_up.iter().enumerate() {
            named(canvas, desk, spot(top, index), *id, "day");
        }
        top += STEP[1] * rows(rewards.face_up.len());
    }
    let decks = [
        ("Stones", view.stones_left),
        ("Luck cards", view.luck_cards_left),
        ("End-of-game cards", view.end_of_game_cards_left),
        ("Hengebot cards", view.hengebot_cards_left),
        ("Travel tokens", view.travel_supply),
    ];
    canvas.label(Point::new(LEFT, top), "m b s", "Left in the decks");
    for (name, count) in decks {
        top += 24.0;
        canvas.label(Point::new(LEFT, top), "t s soft", name);
        canvas.label(Point::new(1284.0, top), "t e", &count.to_string());
    }
    if let Some(end) = &view.end {
        canvas.label(Point::new(LEFT, top + 34.0), "t s b", &format!("End triggered in round {}", end.round));
    }
}

/// The middle of a card of two in a row.
fn spot(top: f64, index: usize) -> Point {
    let (column, row) = ((index % 2) as f64, (index / 2) as f64);
    Point::new(LEFT + HALF + STEP[0] * column, top + STEP[1] * row)
}

fn rows(count: usize) -> f64 {
    count.div_ceil(2) as f64
}
