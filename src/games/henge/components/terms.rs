//! The closed vocabulary of the component set: the words that cards, steps and slots are described with.
//!
//! Invariant: an [`Area`] is 1 to 5, clockwise round the henge.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;

use super::place_ids;

/// One of the five tracks of a player mat.
///
/// - `rondel`: Free rondel steps.
/// - `coin`: Coins of an income.
/// - `luck`: How Luck cards are drawn.
/// - `stone`: How many stones may be bought and stored.
/// - `druid`: How many druids may be placed and where.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", ascii_case_insensitive)]
#[schema(as = HengePrivilege)]
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Privilege {
    Rondel,
    Coin,
    Luck,
    Stone,
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
    pub(crate) fn into_str(self) -> &'static str {
        self.into()
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
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
    ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str, ascii_case_insensitive)]
#[schema(as = HengeAction)]
pub(crate) enum Action {
    Income,
    Luck,
    Quarry,
    Carve,
    Druid,
    Install,
    Arrive,
}

impl Action {
    pub(crate) const ALL: [Action; 7] =
        [Action::Income, Action::Luck, Action::Quarry, Action::Carve, Action::Druid, Action::Install, Action::Arrive];
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
    Quarry,
    Carve,
    Druid,
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
#[schema(as = HengeWindow)]
pub(crate) enum Window {
    Any,
    Move,
    Income,
    Luck,
    Quarry,
    Carve,
    Druid,
    Install,
    Arrive,
}

impl Window {
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
#[expect(missing_docs, reason = "the list above describes each")]
pub enum Reach {
    Local,
    Adjacent,
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
#[schema(as = HengeModKind)]
pub(crate) enum ModKind {
    FreeSteps,
    DoubleTransport,
    Discount,
    Limit,
    Storage,
    Start,
    UnitVp,
    ReachAdjacent,
    ReachRemote,
    AsCarved,
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
}

/// Size of a stone.
///
/// - `large`: Large.
/// - `small`: Small.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
#[schema(as = HengeSize)]
pub(crate) enum Size {
    Large,
    Small,
}

/// Size that a slot takes.
///
/// - `large`: Large stones.
/// - `small`: Small stones.
/// - `either`: Stones of either size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
#[schema(as = HengeSlotSize)]
pub(crate) enum SlotSize {
    Large,
    Small,
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, IntoStaticStr, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", const_into_str)]
#[schema(as = HengeSlotKind)]
pub(crate) enum SlotKind {
    Upright,
    Lintel,
    Monolith,
}

/// Pool of reward tiles.
///
/// - `A`: Rewards A.
/// - `B`: Rewards B.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, strum::Display, Serialize, Deserialize, ToSchema,
)]
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
