//! Patrols of the druids: inner druids round the small stones, the High Druid to and fro along the bluestones.

use super::figures::points;
use super::space::{Space, Spot};
use crate::stonehenge::{BLUESTONES, Card, STONES, Stone};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Walk {
    /// Every step, without the space where it begins.
    pub(crate) steps: Vec<Space>,
    /// The number of steps at its end that were added because another druid stood there.
    pub(crate) pushed: u8,
}

/// The walk of an inner druid: clockwise by a day card, anticlockwise by a night card. It does not end among the
/// `others` but goes on; without points it does not move at all (TH-26, TH-27).
pub(crate) fn walk_stones(from: Stone, card: Card, others: &[Space]) -> Walk {
    let steps: Vec<Space> = stones_walked(from, card, others).collect();
    let pushed = steps.len().saturating_sub(points(card).into());
    Walk { steps, pushed: pushed as u8 }
}

/// The steps of [`walk_stones`], one after the other.
pub(crate) fn stones_walked(from: Stone, card: Card, others: &[Space]) -> impl Iterator<Item = Space> {
    let clockwise = card.stone().is_some_and(|stone| stone.day);
    let stride = if clockwise { 1 } else { STONES - 1 };
    let (points, mut index, mut made) = (points(card), from.index(), 0);
    let mut here = Space::stone(from);
    std::iter::from_fn(move || {
        if made >= points && (points == 0 || !others.contains(&here)) {
            return None;
        }
        made += 1;
        index = (index + stride) % STONES;
        here = Space::stone(Stone::in_ring(index));
        Some(here)
    })
}

/// The High Druid's walk from bluestone `number`, and whether B19 is what he heads for when it is over. He turns at
/// the ends and spends what is left (TH-30); the card's symbol does not matter (TH-31).
pub(crate) fn walk_bluestones(number: u8, outbound: bool, card: Card) -> (Walk, bool) {
    let steps: Vec<(u8, bool)> = bluestones_walked(number, outbound, card).collect();
    let (end, outbound) = steps.last().copied().unwrap_or((number, outbound));
    let steps = steps.into_iter().map(|(number, _)| Space::bluestone(number)).collect();
    (Walk { steps, pushed: 0 }, heading_at(end, outbound))
}

/// The steps of [`walk_bluestones`], each with the way that he went.
fn bluestones_walked(mut number: u8, mut outbound: bool, card: Card) -> impl Iterator<Item = (u8, bool)> {
    (0..points(card)).map(move |_| {
        outbound = heading_at(number, outbound);
        number = if outbound { number + 1 } else { number - 1 };
        (number, outbound)
    })
}

/// Returns where [`walk_bluestones`] ends, and whether B19 is then what he heads for.
pub(crate) fn bluestones_end(number: u8, outbound: bool, card: Card) -> (Space, bool) {
    let (end, outbound) = bluestones_walked(number, outbound, card).last().unwrap_or((number, outbound));
    (Space::bluestone(end), heading_at(end, outbound))
}

/// Returns whether he heads for B19: at an end always for the other one.
fn heading_at(number: u8, outbound: bool) -> bool {
    match number {
        ..=1 => true,
        BLUESTONES.. => false,
        _ => outbound,
    }
}

/// Returns whether a High Druid on `space` may head for B19 (`outbound`) or for B1.
pub(crate) fn may_head(space: Space, outbound: bool) -> bool {
    matches!(space.spot(), Spot::Bluestone(number) if heading_at(number, outbound) == outbound)
}
