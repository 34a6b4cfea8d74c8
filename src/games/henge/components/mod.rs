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
pub(crate) mod effects;
mod fault;
mod file;
pub(crate) mod index;
pub mod place_ids;
mod places;
pub mod registry;
pub(crate) mod scoring;
mod set;
pub(crate) mod tables;
pub(crate) mod terms;
#[cfg(test)]
pub(crate) mod testing;
mod validate;
pub(crate) mod words;

pub(crate) use effects::{Distance, Effect, Source, Sub, Which};
pub use index::Id;
pub(crate) use index::{BonusCard, BotCard, List, LuckCard, Slot, Step, StoneCard, Tile};
pub use places::Space;
pub(crate) use places::{Side, SlotRow};
pub(crate) use registry::SetNotFound;
pub use registry::{ComponentSets, Components, reference};
pub(crate) use scoring::{Count, Score, TallyEvent};
pub(crate) use set::{ComponentSet, SetId};
#[cfg(test)]
pub(crate) use tables::Marks;
pub(crate) use tables::{BonusRow, LuckRow, StoneRow, Tables};
pub(crate) use terms::{AREAS, Action, BonusDeck, ModKind, Size, SlotKind, SlotSize, StorageCounts, SubAction, Window};
pub use terms::{Area, Pool, Privilege, Reach};

#[cfg(test)]
mod tests;
