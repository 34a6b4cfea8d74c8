//! The rondel and the sides of the board: where things happen.

use serde::Deserialize;

use super::index::{Id, Slot, Step, position};
use super::terms::{AREAS, Action, Area, SlotKind, SlotSize};

/// A step of the rondel.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StepRow {
    /// Printed number, from 1 clockwise.
    pub(crate) step: u8,
    /// The area beside it.
    pub(crate) area: Area,
    /// Its actions, one or two.
    pub(crate) actions: Vec<Action>,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rondel {
    pub(crate) steps: Vec<StepRow>,
    /// Numbers of the steps after which a transport icon lies.
    pub(crate) transport_after: Vec<u8>,
}

impl Rondel {
    /// Returns how many steps there are.
    pub(crate) fn len(&self) -> u8 {
        u8::try_from(self.steps.len()).unwrap_or(u8::MAX)
    }

    /// The step `distance` clockwise of `from`.
    pub(crate) fn ahead(&self, from: Step, distance: u8) -> Step {
        let steps = u16::from(self.len().max(1));
        Step(((u16::from(from.0) + u16::from(distance)) % steps) as u8)
    }

    /// Returns how many transport icons are passed on the way from `from`, `distance` clockwise.
    pub(crate) fn borders(&self, from: Step, distance: u8) -> u8 {
        let left = (0..distance).map(|walked| self.ahead(from, walked).number());
        left.filter(|number| self.transport_after.contains(number)).count() as u8
    }

    /// The earliest step of an area, clockwise: the one whose predecessor lies in another area (H-06).
    pub(crate) fn first_of(&self, area: Area) -> Option<Step> {
        let before = |at: usize| self.steps[(at + self.steps.len() - 1) % self.steps.len()].area;
        let first = (0..self.steps.len()).find(|at| self.steps[*at].area == area && before(*at) != area);
        first.and_then(|at| u8::try_from(at).ok()).map(Step)
    }
}

/// A slot for a stone.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotRow<S = Slot> {
    /// Unique on its side.
    pub(crate) id: Id,
    /// The areas it lies in: one, or two for a border slot.
    pub(crate) areas: Vec<Area>,
    /// Upright, lintel or monolith.
    pub(crate) kind: SlotKind,
    /// The sizes of stones that fit.
    pub(crate) size: SlotSize,
    /// True if the stone must be carved.
    pub(crate) carved: bool,
    /// Points of the slot.
    pub(crate) vp: u16,
    /// The uprights under a lintel: two, otherwise none.
    pub(crate) on: Vec<S>,
}

impl<S> SlotRow<S> {
    /// Returns whether the slot lies in two areas.
    pub(crate) fn is_border(&self) -> bool {
        self.areas.len() > 1
    }

    /// Returns whether the slot lies in the area, wholly or in part.
    pub(crate) fn touches(&self, area: Area) -> bool {
        self.areas.contains(&area)
    }
}

/// A space of a druid path.
#[derive(Clone, PartialEq, Debug)]
pub struct Space {
    pub(crate) value: u8,
    pub(crate) colour: String,
    /// Coins for a druid here; `None` for the black space, which is never used.
    pub(crate) cost: Option<u16>,
}

/// A side of the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Side {
    /// Its key in the file: `3` or `45`.
    pub key: &'static str,
    pub(crate) name: String,
    /// The totals of players that use it.
    pub(crate) totals: Vec<u8>,
    /// True if a stone without a slot of its size may ignore size (H-32).
    pub(crate) size_exception: bool,
    pub(crate) slots: Vec<SlotRow>,
    /// The druid path of each area, by [`Area::index`]; the last space is black.
    pub(crate) paths: [Vec<Space>; AREAS],
}

impl Side {
    /// The slot of this number; `None` if the side has none such.
    pub(crate) fn slot(&self, slot: Slot) -> Option<&SlotRow> {
        self.slots.get(slot.index())
    }

    /// The slot of exactly this id.
    pub fn find(&self, id: &Id) -> Option<Slot> {
        position(self.slots.iter().map(|slot| &slot.id), id).map(Slot)
    }

    /// All slots, in file order.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Slot, &SlotRow)> {
        (0..=u8::MAX).map(Slot).zip(&self.slots)
    }

    /// Returns how many druids the path of an area can take: all spaces but the black one.
    #[cfg(test)]
    pub(crate) fn capacity(&self, area: Area) -> usize {
        self.paths[area.index()].iter().filter(|space| space.cost.is_some()).count()
    }
}
