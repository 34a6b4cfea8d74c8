//! A component set together with what a number of players makes of it: the board side and the cards in use.

use serde::{Deserialize, Serialize, Serializer};

use super::cards::CardSet;
use crate::henge::components::{
    Action, Area, BonusDeck, BonusRow, ComponentSet, ComponentSets, Components, Effect, List, LuckCard, LuckRow, Pool,
    SetId, SetNotFound, Side, Slot, SlotRow, Step, StoneCard, StoneRow,
};

/// The component set and board side of a match. Cheap to clone, so that code may change the state while it reads a row.
#[derive(Clone)]
pub struct Equipment {
    set: Components,
    /// Place of the board side in use.
    side: usize,
    pub(crate) total: u8,
}

impl Equipment {
    /// The equipment for `total` players. Options make sure that the set has a board side for them.
    pub(crate) fn new(set: Components, total: u8) -> Equipment {
        let side = set.sides.iter().position(|side| side.totals.contains(&total)).unwrap_or(0);
        Equipment { set, side, total }
    }

    /// The set as options name it.
    #[cfg(test)]
    pub(crate) fn components(&self) -> &Components {
        &self.set
    }

    pub(crate) fn set(&self) -> &ComponentSet {
        &self.set
    }

    /// The board side in use (H-02).
    pub(crate) fn side(&self) -> &Side {
        &self.set.sides[self.side]
    }

    /// The Stone cards in use (H-03).
    pub(crate) fn stones_in_use(&self) -> CardSet {
        let used = |row: &StoneRow| row.players.fits(self.total);
        self.set.stones.iter().enumerate().filter(|(_, row)| used(row)).map(|(index, _)| index).collect()
    }

    /// The Bonus cards of a deck in use (H-03).
    pub(crate) fn bonus_in_use(&self, deck: BonusDeck) -> CardSet {
        let used = |row: &BonusRow| row.deck == deck && row.players.fits(self.total);
        self.set.bonus.iter().enumerate().filter(|(_, row)| used(row)).map(|(index, _)| index).collect()
    }

    /// The chits of a pool.
    pub(crate) fn chits_of(&self, pool: Pool) -> CardSet {
        self.set.rewards.iter().enumerate().filter(|(_, row)| row.pool == pool).map(|(index, _)| index).collect()
    }

    /// The area of a rondel step.
    pub(crate) fn area_of(&self, step: Step) -> Area {
        self.set.rondel.steps.get(step.index()).map_or(Area::ALL[0], |row| row.area)
    }

    /// The actions of a rondel step.
    pub(crate) fn actions_of(&self, step: Step) -> &[Action] {
        self.set.rondel.steps.get(step.index()).map_or(&[], |row| &row.actions)
    }

    /// A Stone card. Indices in states belong to the set.
    pub(crate) fn stone(&self, card: StoneCard) -> &StoneRow {
        &self.set.stones[card.index()]
    }

    pub(crate) fn luck(&self, card: LuckCard) -> &LuckRow {
        &self.set.luck[card.index()]
    }

    pub(crate) fn slot(&self, slot: Slot) -> &SlotRow {
        &self.side().slots[slot.index()]
    }

    /// The effects of a list.
    pub(crate) fn effects(&self, list: List) -> &[Effect] {
        self.set.lists.effects(list)
    }
}

impl PartialEq for Equipment {
    fn eq(&self, other: &Equipment) -> bool {
        self.set == other.set && self.total == other.total
    }
}

impl std::fmt::Debug for Equipment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} for {}", self.set, self.total)
    }
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StoredEquipment {
    set: SetId,
    total: u8,
}

impl StoredEquipment {
    /// The equipment that is meant, with the sets there are.
    ///
    /// # Errors
    /// If the set is not among them.
    pub(crate) fn open(&self, sets: &ComponentSets) -> Result<Equipment, SetNotFound> {
        Ok(Equipment::new(sets.find(&self.set)?, self.total))
    }
}

impl Serialize for Equipment {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.set, self.total).serialize(serializer)
    }
}
