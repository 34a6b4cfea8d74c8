//! Which sets there are in this process.
//!
//! The rules layer is pure, and stays so: a set is an immutable value, and the sets that can be found are fixed before
//! the first match is touched - the reference set is part of the program, and [`Sets::install`] is called once at start
//! or not at all. A match pins its set by name, version and digest of the content, so that the same state means the same
//! in every process that can read it at all; where the set is missing or altered, the state cannot be read.

use std::fmt;
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use super::fault::Faults;
use super::{ComponentSet, SetId};
use crate::rules::Edition;

/// The reference set's file.
pub const REFERENCE: &str = include_str!("reference.json");

#[expect(clippy::expect_used, reason = "a test loads the embedded file")]
static REFERENCE_SET: LazyLock<ComponentSet> =
    LazyLock::new(|| ComponentSet::load(REFERENCE).expect("the embedded set is sound"));

static INSTALLED: OnceLock<Vec<ComponentSet>> = OnceLock::new();

/// The operator's sets, the offered one first.
fn installed() -> impl Iterator<Item = Components> {
    INSTALLED.get().into_iter().flatten().map(Components)
}

/// The set that comes with the program.
pub fn reference() -> Components {
    Components(&REFERENCE_SET)
}

/// The set that new matches are offered: the operator's first if any is installed, else the reference.
pub fn offered() -> Components {
    installed().next().unwrap_or_else(reference)
}

/// All sets of this process, the offered one first.
pub fn all() -> impl Iterator<Item = Components> {
    // An operator may name a copy of the reference too, as to offer it while other sets serve older matches.
    let reference = Some(reference()).filter(|reference| installed().all(|set| set != *reference));
    let sets = installed().chain(reference);
    #[cfg(test)]
    let sets = sets.chain(super::testing::sets());
    sets
}

/// The set of this id.
///
/// # Errors
/// If no set has the name and version, or the one that has them is of other content.
pub fn find(id: &SetId) -> Result<Components, SetNotFound> {
    all().find(|set| *set.id() == *id).ok_or_else(|| {
        let altered = all().any(|set| set.id().name == id.name && set.id().version == id.version);
        SetNotFound { id: id.clone(), altered }
    })
}

/// Sets that an operator has named, read one after the other. The first is the one for new matches; the others serve the
/// matches that pin them, and creators who ask for one of them.
#[derive(Debug, Default)]
pub struct Sets {
    /// Each with the name of its file.
    read: Vec<(String, ComponentSet)>,
}

impl Sets {
    /// Adds the set of a file. Files that come after a faulty one can be read all the same, to learn all faults.
    ///
    /// # Errors
    /// Every fault of the file; or that it holds a set that was read before, or one of the name and version of the
    /// reference or of a set read before, but of other content.
    pub fn read(&mut self, file: &str, text: &str) -> Result<(), Faults> {
        let set = ComponentSet::load(text)?;
        let id = set.id();
        let names_agree = |other: &SetId| (&other.name, &other.version) == (&id.name, &id.version);
        let mut faults = Faults::default();
        let reference = reference();
        if names_agree(reference.id()) && reference.id() != id {
            faults.add("meta", "has the name and version of the reference set, but the content differs");
        }
        for (other, known) in &self.read {
            if known.id() == id {
                faults.add("meta", format!("is {id}, the same set as in {other}"));
            } else if names_agree(known.id()) {
                faults.add(
                    "meta",
                    format!("is {id} and has the name and version of the set in {other}, but the content differs"),
                );
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        self.read.push((file.to_owned(), set));
        Ok(())
    }

    /// Puts the sets in place, once, before the first match is touched.
    ///
    /// # Errors
    /// If sets were installed before.
    pub fn install(self) -> Result<(), InstalledBefore> {
        INSTALLED.set(self.read.into_iter().map(|(_, set)| set).collect()).map_err(|_| InstalledBefore)
    }
}

/// Sets are installed once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("other component sets were installed before")]
pub struct InstalledBefore;

/// A pinned set that this process does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("component set {id} {}", if *altered { "has other content here" } else { "is not here" })]
pub struct SetNotFound {
    id: SetId,
    altered: bool,
}

/// A set of the registry, as a state holds it: written as its id and found by it.
#[derive(Clone, Copy, ToSchema)]
#[schema(as = HengeComponents, value_type = SetId)]
pub struct Components(pub(super) &'static ComponentSet);

impl Components {
    /// The set.
    pub fn set(self) -> &'static ComponentSet {
        self.0
    }

    /// The set as an edition of the game's components.
    pub fn edition(self) -> Edition {
        let SetId { name, version, digest } = self.0.id().clone();
        Edition { name, version, digest, offered: self == offered() }
    }
}

impl Deref for Components {
    type Target = ComponentSet;

    fn deref(&self) -> &ComponentSet {
        self.0
    }
}

impl PartialEq for Components {
    fn eq(&self, other: &Components) -> bool {
        self.0.id() == other.0.id()
    }
}

impl Eq for Components {}

impl Default for Components {
    fn default() -> Components {
        offered()
    }
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.id())
    }
}

impl Serialize for Components {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.id().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Components {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Components, D::Error> {
        find(&SetId::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}
