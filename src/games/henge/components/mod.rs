//! The component set of Henge: every card, track and slot, read from one file.
//!
//! Invariants: a [`ComponentSet`] was validated, cannot be built otherwise and never changes; its rows are reached by
//! small numbers in file order ([`index`]). Which sets there are is part of the game's value ([`registry`]): a state names
//! its set, and the name means one content.
//!
//! `FORMAT.md` beside this file says how to write another set, [`words`] puts a set into English.
//!
//! Deliberately not here: what an effect or a count does in a match.

mod build;
mod digest;
pub mod effects;
mod fault;
mod file;
pub mod index;
pub mod place_ids;
mod places;
pub mod registry;
pub mod scoring;
mod set;
pub mod tables;
pub mod terms;
#[cfg(test)]
pub mod testing;
mod validate;
pub mod words;

pub use effects::{Distance, Effect, Lists, Source, Sub, Which};
pub use fault::{Fault, Faults};
pub use index::{BonusCard, BotCard, Id, InvalidId, List, LuckCard, Slot, Step, StoneCard, Tile};
pub use places::{Rondel, Side, SlotRow, Space, StepRow};
pub use registry::{ComponentSets, Components, SetNotFound, reference};
pub use scoring::{Count, Score, TallyEvent};
pub use set::{ComponentSet, SetId};
pub use tables::{
    AreaRow, BonusRow, BotRow, DruidLevel, Grade, LuckLevel, LuckRow, Marks, Meta, Params, Privileges, RewardRow,
    StoneLevel, StoneRow, Tables, Track, UpgradeRow,
};
pub use terms::{
    AREAS, Action, Area, BonusDeck, InvalidArea, ModKind, Pool, Privilege, Reach, Size, SlotKind, SlotSize,
    StorageCounts, SubAction, Window,
};

#[cfg(test)]
mod tests;
