//! The component sets of a game value.
//!
//! Invariants: a set is an immutable value that its users share. A match pins its set by name, version and digest of the
//! content, so that the same state means the same to every game value that can read it at all; where the set is missing
//! or altered, the state cannot be read. The reference set is part of the program and always there.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::fault::Faults;
use super::set::{ComponentSet, SetId};
use sarsen_rules::Edition;

/// The reference set's file.
pub const REFERENCE: &str = include_str!("reference.json");

#[expect(clippy::expect_used, reason = "a test loads the embedded file")]
static REFERENCE_SET: LazyLock<Components> =
    LazyLock::new(|| Components::new(ComponentSet::load(REFERENCE).expect("the embedded set is sound")));

/// The set that comes with the program.
pub fn reference() -> Components {
    REFERENCE_SET.clone()
}

/// The reference set and those that an operator has named. Of these the first is the one for new matches; the others
/// serve the matches that pin them, and creators who ask for one of them.
#[derive(Clone, Debug, Default)]
pub struct ComponentSets {
    /// Each with the name of its file.
    named: Vec<(String, Components)>,
}

impl ComponentSets {
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
        for (other, known) in &self.named {
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
        self.add(file, Components::new(set));
        Ok(())
    }

    pub(super) fn add(&mut self, file: &str, set: Components) {
        self.named.push((file.to_owned(), set));
    }

    /// The set that new matches are offered: the operator's first if any is named, else the reference.
    pub(crate) fn offered(&self) -> Components {
        self.named.first().map_or_else(reference, |(_, set)| set.clone())
    }

    /// All sets, the offered one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Components> {
        // An operator may name a copy of the reference too, as to offer it while other sets serve older matches.
        let is_named = self.named.iter().any(|(_, set)| *set == *REFERENCE_SET);
        self.named.iter().map(|(_, set)| set).chain((!is_named).then_some(&*REFERENCE_SET))
    }

    /// The set of this id.
    ///
    /// # Errors
    /// If no set has the name and version, or the one that has them is of other content.
    pub(crate) fn find(&self, id: &SetId) -> Result<Components, SetNotFound> {
        self.all().find(|set| **set.id() == *id).cloned().ok_or_else(|| {
            let altered = self.all().any(|set| set.id().name == id.name && set.id().version == id.version);
            SetNotFound { id: id.clone(), altered }
        })
    }

    /// A set as an edition of the game's components.
    pub(crate) fn edition(&self, set: &Components) -> Edition {
        let SetId { name, version, digest } = SetId::clone(set.id());
        Edition { name, version, digest, offered: *set == self.offered() }
    }
}

/// A pinned set that is not here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("component set {id} {}", if *altered { "has other content here" } else { "is not here" })]
pub(crate) struct SetNotFound {
    id: SetId,
    altered: bool,
}

/// A share of a set, as a state holds it: written as its id and found by it.
#[derive(Clone, ToSchema)]
#[schema(as = HengeComponents, value_type = SetId)]
pub struct Components(Arc<ComponentSet>);

impl Components {
    /// To share a set.
    pub(crate) fn new(set: ComponentSet) -> Components {
        Components(Arc::new(set))
    }
}

impl Deref for Components {
    type Target = ComponentSet;

    fn deref(&self) -> &ComponentSet {
        &self.0
    }
}

impl PartialEq for Components {
    fn eq(&self, other: &Components) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.id() == other.0.id()
    }
}

impl Eq for Components {}

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
