//! Which sets there are in this process.
//!
//! The rules layer is pure, and stays so: a set is an immutable value, and the sets that can be found are fixed before
//! the first match is touched - the reference set is part of the program, and [`install`] is called once at start or
//! not at all. A match pins its set by name, version and digest of the content, so that the same state means the same
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

// A test loads the embedded file.
#[allow(clippy::expect_used)]
static REFERENCE_SET: LazyLock<ComponentSet> =
    LazyLock::new(|| ComponentSet::load(REFERENCE).expect("the embedded set is sound"));

static INSTALLED: OnceLock<ComponentSet> = OnceLock::new();

/// The set that comes with the program.
pub fn reference() -> Components {
    Components(&REFERENCE_SET)
}

/// The set that new matches are offered: the operator's if one is installed, else the reference.
pub fn offered() -> Components {
    INSTALLED.get().map_or_else(reference, Components)
}

/// All sets of this process, the offered one first.
pub fn all() -> impl Iterator<Item = Components> {
    let sets = INSTALLED.get().map(Components).into_iter().chain([reference()]);
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

/// Offers another set, once, before the first match is touched.
///
/// # Errors
/// Every fault of the file; or that it has the reference's name and version with other content, or that a set was
/// installed before.
pub fn install(text: &str) -> Result<Components, Faults> {
    let set = ComponentSet::load(text)?;
    let reference = reference();
    let mut faults = Faults::default();
    if set.id().name == reference.id().name && set.id().version == reference.id().version {
        if set.id() == reference.id() {
            return Ok(reference);
        }
        faults.add("meta", "has the name and version of the reference set, but the content differs");
        return Err(faults);
    }
    let mut fresh = false;
    let installed = INSTALLED.get_or_init(|| {
        fresh = true;
        set
    });
    if !fresh {
        faults.add("file", "cannot be installed: another set was installed before");
        return Err(faults);
    }
    Ok(Components(installed))
}

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
