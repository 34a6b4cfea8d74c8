//! How druids walk: inner druids round the small stones, the High Druid to and fro along the bluestones.

use super::figures::points;
use super::space::{Space, Spot};
use crate::games::stonehenge::{BLUESTONES, Card, STONES, Stone};

/// A druid's walk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Every step, without the space where it begins.
    pub steps: Vec<Space>,
    /// How many steps at its end were added because another druid stood there.
    pub pushed: u8,
}

/// The walk of an inner druid: clockwise by a day card, anticlockwise by a night card. It does not end among the
/// `others` but goes on; without points it does not move at all (TH-26, TH-27).
pub fn walk_stones(from: Stone, card: Card, others: &[Space]) -> Walk {
    let clockwise = card.stone().is_some_and(|stone| stone.day);
    let stride = if clockwise { 1 } else { STONES - 1 };
    let mut walk = Walk { steps: Vec::new(), pushed: 0 };
    let (points, mut index) = (usize::from(points(card)), from.index());
    while walk.steps.len() < points || points > 0 && walk.steps.last().is_some_and(|end| others.contains(end)) {
        walk.pushed += u8::from(walk.steps.len() >= points);
        index = (index + stride) % STONES;
        walk.steps.push(Space::stone(Stone::in_ring(index)));
    }
    walk
}

/// The High Druid's walk from bluestone `number`, and whether B19 is what he heads for when it is over. He turns at
/// the ends and spends what is left (TH-30); the card's symbol does not matter (TH-31).
pub fn walk_bluestones(mut number: u8, mut outbound: bool, card: Card) -> (Walk, bool) {
    let mut walk = Walk { steps: Vec::new(), pushed: 0 };
    for _ in 0..points(card) {
        outbound = heading_at(number, outbound);
        number = if outbound { number + 1 } else { number - 1 };
        walk.steps.push(Space::bluestone(number));
    }
    (walk, heading_at(number, outbound))
}

/// Whether he heads for B19: at an end always for the other one.
fn heading_at(number: u8, outbound: bool) -> bool {
    match number {
        ..=1 => true,
        BLUESTONES.. => false,
        _ => outbound,
    }
}

/// Whether a High Druid on `space` may head for B19 (`outbound`) or for B1.
pub fn may_head(space: Space, outbound: bool) -> bool {
    matches!(space.spot(), Spot::Bluestone(number) if heading_at(number, outbound) == outbound)
}
