//! The supply beside the board, or below a narrow one: the stones of the quarry in full, the reward chits, and how many
//! cards the decks have.

use super::cards::{named, stone};
use super::desk::Desk;
use crate::henge::components::{Id, Pool};
use crate::pictures::{Canvas, Point};

/// Draws it from `top` on, and answers where it ends.
pub(crate) fn draw(canvas: &mut Canvas, desk: &Desk<'_>, top: f64) -> f64 {
    let Some(view) = desk.view else { return top };
    let (left, right, per_row, line) = match desk.ask.is_narrow() {
        false => (1032.0, 1284.0, 2, 24.0),
        true => (18.0, 982.0, 3, 38.0),
    };
    let cut = desk.cut();
    let rows = |count: usize| (cut.card[1] + cut.gap) * count.div_ceil(per_row) as f64 + line;
    let mut top = top + line / 2.0;
    canvas.label(Point::new(left, top), "m b s", "Quarry");
    top += line * 0.75;
    let stones: Vec<Id> = view.quarry.iter().copied().flatten().collect();
    for (index, id) in stones.iter().enumerate() {
        if let Some(row) = desk.set.stones.iter().find(|row| row.id == *id) {
            let more = [&*format!("{} ¢", row.cost), &*format!("transport {}", row.transport)];
            stone(canvas, desk, cut.spot(left, top, per_row, index), row, more);
        }
    }
    top += rows(stones.len());
    for rewards in &view.rewards {
        let pool = match rewards.pool {
            Pool::A => "A",
            Pool::B => "B",
        };
        canvas.label(Point::new(left, top), "m b s", &format!("Rewards {pool}"));
        canvas.label(Point::new(right, top), "t e soft", &format!("{} more", rewards.left));
        top += line * 0.75;
        for (index, id) in rewards.face_up.iter().enumerate() {
            named(canvas, desk, cut.spot(left, top, per_row, index), *id, "", "day");
        }
        top += rows(rewards.face_up.len());
    }
    let decks = [
        ("Stones", view.stones_left),
        ("Luck cards", view.luck_cards_left),
        ("End-of-game cards", view.end_of_game_cards_left),
        ("Hengebot cards", view.hengebot_cards_left),
        ("Travel tokens", view.travel_supply),
    ];
    canvas.label(Point::new(left, top), "m b s", "Left in the decks");
    for (name, count) in decks {
        top += line;
        canvas.label(Point::new(left, top), "t s soft", name);
        canvas.label(Point::new(right, top), "t e", &count.to_string());
    }
    if let Some(end) = &view.end {
        top += line * 1.4;
        canvas.label(Point::new(left, top), "t s b", &format!("End triggered in round {}", end.round));
    }
    top + line
}
