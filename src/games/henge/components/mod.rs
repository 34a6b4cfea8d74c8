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
pub mod tables;
pub mod terms;
#[cfg(test)]
pub mod testing;
mod validate;
pub mod words;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use effects::{Distance, Effect, Lists, Source, Sub, Which};
pub use fault::{Fault, Faults};
pub use index::{BonusCard, BotCard, Id, InvalidId, List, LuckCard, Slot, Step, StoneCard, Tile};
pub use places::{Rondel, Side, SlotRow, Space, StepRow};
pub use registry::{ComponentSets, Components, SetNotFound, reference};
pub use scoring::{Count, Score, TallyEvent};
pub use tables::{
    AreaRow, BonusRow, BotRow, DruidLevel, Grade, LuckLevel, LuckRow, Marks, Meta, Params, Privileges, RewardRow,
    StoneLevel, StoneRow, Tables, Track, UpgradeRow,
};
pub use terms::{
    AREAS, Action, Area, BonusDeck, InvalidArea, ModKind, Pool, Privilege, Reach, Size, SlotKind, SlotSize,
    StorageCounts, SubAction, Window,
};

/// What identifies a component set; a match pins all three.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeComponentSetId)]
pub struct SetId {
    /// What the set is called.
    #[schema(format = "text", min_length = 1, max_length = 64, examples("Henge reference component set"))]
    pub name: String,
    /// The version that the set gives itself.
    #[schema(format = "text", min_length = 1, max_length = 16, examples("1.0"))]
    pub version: String,
    /// Digest of its content.
    #[schema(pattern = "^[0-9a-f]{16}$", examples("00c0ffee00c0ffee"))]
    pub digest: String,
}

impl fmt::Display for SetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} version {:?} ({})", self.name, self.version, self.digest)
    }
}

/// A validated set.
#[derive(Clone, PartialEq, Debug)]
pub struct ComponentSet {
    id: Arc<SetId>,
    tables: Tables,
}

impl ComponentSet {
    /// Reads and validates a file.
    ///
    /// # Errors
    /// Every fault, each naming the table, card or slot.
    pub fn load(text: &str) -> Result<ComponentSet, Faults> {
        let mut faults = Faults::default();
        let json = match serde_json::from_str::<serde_json::Value>(text) {
            Ok(json) => json,
            Err(error) => {
                faults.add("file", format!("is not JSON: {error}"));
                return Err(faults);
            }
        };
        let digest = digest::of(&json);
        let draft = file::read(json, &mut faults);
        validate::check(&draft, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        match build::tables(draft) {
            Some(tables) => {
                let (name, version) = (tables.meta.name.clone(), tables.meta.version.clone());
                Ok(ComponentSet { id: Arc::new(SetId { name, version, digest }), tables })
            }
            None => {
                faults.add("file", "is incomplete");
                Err(faults)
            }
        }
    }

    /// What a match pins.
    pub fn id(&self) -> &Arc<SetId> {
        &self.id
    }
}

impl Deref for ComponentSet {
    type Target = Tables;

    fn deref(&self) -> &Tables {
        &self.tables
    }
}

#[cfg(test)]
mod tests;
