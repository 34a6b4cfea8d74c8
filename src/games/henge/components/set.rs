//! One component set: its identity, and its tables as they were read and validated.
//!
//! Invariant: [`ComponentSet::load`] is the only way to make one.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::fault::Faults;
use super::tables::Tables;
use super::{build, digest, file, validate};

/// The identity of a component set; a match pins all three parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = HengeComponentSetId)]
pub struct SetId {
    /// The name of the set.
    #[schema(format = "text", min_length = 1, max_length = 64, examples("Henge reference component set"))]
    pub(crate) name: String,
    /// The version that the set gives itself.
    #[schema(format = "text", min_length = 1, max_length = 16, examples("1.0"))]
    pub(crate) version: String,
    /// Digest of its content.
    #[schema(pattern = "^[0-9a-f]{16}$", examples("00c0ffee00c0ffee"))]
    pub(crate) digest: String,
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
    pub(crate) fn load(text: &str) -> Result<ComponentSet, Faults> {
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

    /// Returns what a match pins.
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
