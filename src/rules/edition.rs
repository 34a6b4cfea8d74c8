//! Editions of components, in games whose components can be replaced.

use serde::Serialize;
use utoipa::ToSchema;

/// An edition of a game's components.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, ToSchema)]
pub struct Edition {
    /// Its name.
    #[schema(examples("Reference set"))]
    pub name: String,
    /// The version that the edition gives itself.
    #[schema(examples("1.0"))]
    pub version: String,
    /// Digest of its content. A match that pins an edition names all three: name, version and digest.
    #[schema(pattern = "^[0-9a-f]{16}$", examples("00c0ffee00c0ffee"))]
    pub digest: String,
    /// True if new matches get this edition, unless their creator names another in the options.
    pub offered: bool,
}
