//! A component set together with what a number of players makes of it: the board side and the cards in use.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::cards::CardSet;
use crate::games::henge::components::{
    Action, Area, BonusDeck, BonusRow, ComponentSet, Components, Effect, List, LuckCard, LuckRow, Pool, Side, Slot,
    SlotRow, Step, StoneCard, StoneRow,
};

/// What a match is played with. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Rules {
    components: Components,
    /// The set.
    pub set: &'static ComponentSet,
    /// The board side in use (H-02).
    pub side: &'static Side,
    /// People and Hengebots.
    pub total: u8,
}

impl Rules {
    /// The rules for `total` players. Options make sure that the set has a board side for them.
    pub fn new(components: Components, total: u8) -> Rules {
        let set = components.set();
        Rules { components, set, side: set.side(total).unwrap_or(&set.sides[0]), total }
    }

    /// The set as options and views name it.
    pub fn components(&self) -> Components {
        self.components
    }

    /// The Stone cards in use (H-03).
    pub fn stones_in_use(&self) -> CardSet {
        let used = |row: &StoneRow| row.players.fits(self.total);
        self.set.stones.iter().enumerate().filter(|(_, row)| used(row)).map(|(index, _)| index).collect()
    }

    /// The Bonus cards of a deck in use (H-03).
    pub fn bonus_in_use(&self, deck: BonusDeck) -> CardSet {
        let used = |row: &BonusRow| row.deck == deck && row.players.fits(self.total);
        self.set.bonus.iter().enumerate().filter(|(_, row)| used(row)).map(|(index, _)| index).collect()
    }

    /// The chits of a pool.
    pub fn chits_of(&self, pool: Pool) -> CardSet {
        self.set.rewards.iter().enumerate().filter(|(_, row)| row.pool == pool).map(|(index, _)| index).collect()
    }

    /// The area of a rondel step.
    pub fn area_of(&self, step: Step) -> Area {
        self.set.rondel.steps.get(step.index()).map_or(Area::ALL[0], |row| row.area)
    }

    /// The actions of a rondel step.
    pub fn actions_of(&self, step: Step) -> &'static [Action] {
        self.set.rondel.steps.get(step.index()).map_or(&[], |row| &row.actions)
    }

    /// A Stone card. Indices in states belong to the set.
    pub fn stone(&self, card: StoneCard) -> &'static StoneRow {
        &self.set.stones[card.index()]
    }

    /// A Luck card.
    pub fn luck(&self, card: LuckCard) -> &'static LuckRow {
        &self.set.luck[card.index()]
    }

    /// A slot.
    pub fn slot(&self, slot: Slot) -> &'static SlotRow {
        &self.side.slots[slot.index()]
    }

    /// The effects of a list.
    pub fn effects(&self, list: List) -> &'static [Effect] {
        self.set.lists.effects(list)
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        self.components == other.components && self.total == other.total
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} for {}", self.components, self.total)
    }
}

/// The stored form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    set: Components,
    total: u8,
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored { set: self.components, total: self.total }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        Ok(Rules::new(stored.set, stored.total))
    }
}
