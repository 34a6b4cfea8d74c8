//! The closed vocabulary of the component set: the words that cards, steps and slots are described with.
//!
//! Invariant: an [`Area`] is 1 to 5, clockwise round the henge.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::place_ids;

/// One of the five tracks of a player mat.
///
/// - `rondel`: Free rondel steps.
/// - `coin`: Coins of an income.
/// - `luck`: How Luck cards are drawn.
/// - `stone`: How many stones may be bought and stored.
/// - `druid`: How many druids may be placed and where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengePrivilege)]
pub enum Privilege {
    /// Free rondel steps.
    Rondel,
    /// Coins of an income.
    Coin,
    /// The track of draws of Luck cards.
    Luck,
    /// The track of stones that may be bought and stored.
    Stone,
    /// The track of druids that may be placed, and their reach.
    Druid,
}

impl Privilege {
    /// All, in the order of the mat.
    pub(crate) const ALL: [Privilege; 5] =
        [Privilege::Rondel, Privilege::Coin, Privilege::Luck, Privilege::Stone, Privilege::Druid];

    /// 0 to 4, in the order of [`Privilege::ALL`].
    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// The word of the data and of the notation, such as `coin`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Privilege::Rondel => "rondel",
            Privilege::Coin => "coin",
            Privilege::Luck => "luck",
            Privilege::Stone => "stone",
            Privilege::Druid => "druid",
        }
    }

    /// The privilege of this word.
    pub(crate) fn of(word: &str) -> Option<Privilege> {
        Privilege::ALL.into_iter().find(|privilege| privilege.word().eq_ignore_ascii_case(word))
    }
}

/// An action of the rondel.
///
/// - `income`: Coins and a Luck draw.
/// - `luck`: Luck draws.
/// - `quarry`: Buy stones.
/// - `carve`: Carve stones.
/// - `druid`: Place druids.
/// - `install`: Build stones.
/// - `arrive`: Deliver all stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeAction)]
pub(crate) enum Action {
    /// Coins and a Luck draw.
    Income,
    /// Luck draws.
    Luck,
    /// Buy stones.
    Quarry,
    /// Carve stones.
    Carve,
    /// Place druids.
    Druid,
    /// Build stones.
    Install,
    /// Deliver all stones.
    Arrive,
}

impl Action {
    pub(crate) const ALL: [Action; 7] =
        [Action::Income, Action::Luck, Action::Quarry, Action::Carve, Action::Druid, Action::Install, Action::Arrive];

    /// The word of the data and of the notation, such as `quarry`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Action::Income => "income",
            Action::Luck => "luck",
            Action::Quarry => "quarry",
            Action::Carve => "carve",
            Action::Druid => "druid",
            Action::Install => "install",
            Action::Arrive => "arrive",
        }
    }

    /// The action of this word.
    pub(crate) fn of(word: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.word().eq_ignore_ascii_case(word))
    }
}

/// An action that an effect may grant besides the main action.
///
/// - `quarry`: Buy stones.
/// - `carve`: Carve stones.
/// - `druid`: Place druids.
/// - `install`: Build stones.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSubAction)]
pub(crate) enum SubAction {
    /// Buy stones.
    Quarry,
    /// Carve stones.
    Carve,
    /// Place druids.
    Druid,
    /// Build stones.
    Install,
}

impl From<SubAction> for Action {
    fn from(sub: SubAction) -> Action {
        match sub {
            SubAction::Quarry => Action::Quarry,
            SubAction::Carve => Action::Carve,
            SubAction::Druid => Action::Druid,
            SubAction::Install => Action::Install,
        }
    }
}

/// The windows in which a Luck card may be played.
///
/// - `any`: During any main action.
/// - `move`: Before the pawn moves.
/// - `income`: During an Income.
/// - `luck`: During a Luck action.
/// - `quarry`: During a Quarry action.
/// - `carve`: During a Carve action.
/// - `druid`: During a Druid action.
/// - `install`: During an Install action.
/// - `arrive`: During an Arrive action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeWindow)]
pub(crate) enum Window {
    /// During any main action.
    Any,
    /// Before the pawn moves.
    Move,
    /// During an Income.
    Income,
    /// During a Luck action.
    Luck,
    /// During a Quarry action.
    Quarry,
    /// During a Carve action.
    Carve,
    /// During a Druid action.
    Druid,
    /// During an Install action.
    Install,
    /// During an Arrive action.
    Arrive,
}

impl Window {
    /// The word of the data, such as `any`.
    pub(crate) const fn word(self) -> &'static str {
        match self.action() {
            Some(action) => action.word(),
            None if matches!(self, Window::Move) => "move",
            None => "any",
        }
    }

    /// The one main action that the window names; `None` for `any` and `move`.
    pub(crate) const fn action(self) -> Option<Action> {
        match self {
            Window::Any | Window::Move => None,
            Window::Income => Some(Action::Income),
            Window::Luck => Some(Action::Luck),
            Window::Quarry => Some(Action::Quarry),
            Window::Carve => Some(Action::Carve),
            Window::Druid => Some(Action::Druid),
            Window::Install => Some(Action::Install),
            Window::Arrive => Some(Action::Arrive),
        }
    }
}

/// The areas that a sub-action reaches.
///
/// - `local`: The local area only.
/// - `adjacent`: The adjacent areas too, for every unit.
/// - `any`: All areas, for every unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeReach)]
pub enum Reach {
    /// The local area only.
    Local,
    /// The adjacent areas too, for every unit.
    Adjacent,
    /// All areas, for every unit.
    Any,
}

/// The kind of change that a `mod` makes to the action in which its card is played.
///
/// - `free_steps`: More free steps (move).
/// - `double_transport`: Two transport steps for each border crossed (move).
/// - `discount`: Each unit costs less (quarry, carve, druid).
/// - `limit`: More units (quarry, druid).
/// - `storage`: More storage (quarry).
/// - `start`: Bought stones start along their track (quarry).
/// - `unit_vp`: Each later unit scores (quarry, carve, druid, install).
/// - `reach_adjacent`: Further units may lie in adjacent areas (druid, install).
/// - `reach_remote`: Further units may lie in remote areas (druid, install).
/// - `as_carved`: Uncarved stones may use slots that need carving (install).
/// - `any_level`: Every stone levels up its own icon (install).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeModKind)]
pub(crate) enum ModKind {
    /// More free steps (move).
    FreeSteps,
    /// Two transport steps for each border crossed (move).
    DoubleTransport,
    /// Each unit costs less (quarry, carve, druid).
    Discount,
    /// More units (quarry, druid).
    Limit,
    /// More storage (quarry).
    Storage,
    /// Bought stones start along their track (quarry).
    Start,
    /// Each later unit scores (quarry, carve, druid, install).
    UnitVp,
    /// Further units may lie in adjacent areas (druid, install).
    ReachAdjacent,
    /// Further units may lie in remote areas (druid, install).
    ReachRemote,
    /// Uncarved stones may use slots that need carving (install).
    AsCarved,
    /// Every stone levels up its own icon (install).
    AnyLevel,
}

impl ModKind {
    #[cfg(test)]
    pub(crate) const ALL: [ModKind; 11] = [
        ModKind::FreeSteps,
        ModKind::DoubleTransport,
        ModKind::Discount,
        ModKind::Limit,
        ModKind::Storage,
        ModKind::Start,
        ModKind::UnitVp,
        ModKind::ReachAdjacent,
        ModKind::ReachRemote,
        ModKind::AsCarved,
        ModKind::AnyLevel,
    ];

    /// The word of the data, such as `free_steps`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            ModKind::FreeSteps => "free_steps",
            ModKind::DoubleTransport => "double_transport",
            ModKind::Discount => "discount",
            ModKind::Limit => "limit",
            ModKind::Storage => "storage",
            ModKind::Start => "start",
            ModKind::UnitVp => "unit_vp",
            ModKind::ReachAdjacent => "reach_adjacent",
            ModKind::ReachRemote => "reach_remote",
            ModKind::AsCarved => "as_carved",
            ModKind::AnyLevel => "any_level",
        }
    }
}

/// Size of a stone.
///
/// - `large`: Large.
/// - `small`: Small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSize)]
pub(crate) enum Size {
    /// Large.
    Large,
    /// Small.
    Small,
}

/// Size that a slot takes.
///
/// - `large`: Large stones.
/// - `small`: Small stones.
/// - `either`: Stones of either size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSlotSize)]
pub(crate) enum SlotSize {
    /// Large stones.
    Large,
    /// Small stones.
    Small,
    /// Stones of either size.
    Either,
}

impl SlotSize {
    /// Returns whether a stone of this size fits, leaving the size exception aside.
    pub(crate) const fn takes(self, stone: Size) -> bool {
        matches!((self, stone), (SlotSize::Either, _) | (SlotSize::Large, Size::Large) | (SlotSize::Small, Size::Small))
    }
}

/// Kind of a slot.
///
/// - `upright`: One of a pair that carries a lintel.
/// - `lintel`: Lies on two uprights.
/// - `monolith`: Stands alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = HengeSlotKind)]
pub(crate) enum SlotKind {
    /// One of a pair that carries a lintel.
    Upright,
    /// Lies on two uprights.
    Lintel,
    /// Stands alone.
    Monolith,
}

/// Pool of reward tiles.
///
/// - `A`: Rewards A.
/// - `B`: Rewards B.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = HengePool)]
pub enum Pool {
    /// Rewards A.
    A,
    /// Rewards B.
    B,
}

/// Deck of a bonus card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BonusDeck {
    /// Dealt in the set-up.
    Spring,
    /// End of game; earned in play.
    #[serde(rename = "eog")]
    EndOfGame,
}

/// The stones that count against storage (H-23).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StorageCounts {
    /// Stones still on their way.
    InTransit,
    /// All uninstalled stones, delivered ones too.
    Uninstalled,
}

/// One of the five areas, 1 to 5 clockwise: `area.1` to `area.5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, ToSchema)]
#[schema(as = HengeArea, value_type = String, pattern = "^area\\.[1-5]$", examples("area.3"))]
pub struct Area(u8);

impl Serialize for Area {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        place_ids::area::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Area {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Area, D::Error> {
        place_ids::area::deserialize(deserializer)
    }
}

/// A number that is no area.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an area is a number from 1 to 5")]
pub struct InvalidArea;

/// The number of areas.
pub(crate) const AREAS: usize = 5;

impl Area {
    pub(crate) const ALL: [Area; AREAS] = [Area(1), Area(2), Area(3), Area(4), Area(5)];

    /// 1 to 5.
    pub(crate) const fn get(self) -> u8 {
        self.0
    }

    /// 0 to 4.
    pub const fn index(self) -> usize {
        (self.0 - 1) as usize
    }

    /// The next area clockwise.
    pub(crate) const fn next(self) -> Area {
        Area(self.0 % 5 + 1)
    }

    /// Returns whether the areas are neighbours (H-56).
    pub(crate) fn is_adjacent(self, other: Area) -> bool {
        self.next() == other || other.next() == self
    }

    /// Returns whether the areas are neither one nor neighbours (H-56).
    pub(crate) fn is_remote(self, other: Area) -> bool {
        self != other && !self.is_adjacent(other)
    }
}

impl TryFrom<u8> for Area {
    type Error = InvalidArea;

    fn try_from(number: u8) -> Result<Area, InvalidArea> {
        if (1..=5).contains(&number) { Ok(Area(number)) } else { Err(InvalidArea) }
    }
}

impl From<Area> for u8 {
    fn from(area: Area) -> u8 {
        area.0
    }
}
