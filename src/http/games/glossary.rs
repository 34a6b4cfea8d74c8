//! The glossary of a game's components.

use serde::Serialize;
use utoipa::ToSchema;

use sarsen_rules::Glossary;

/// A game's components in words.
#[derive(Serialize, ToSchema)]
pub(crate) struct GlossaryList {
    /// One glossary for each edition that matches may use; empty for games that name nothing but places.
    pub(crate) items: Vec<Glossary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub(crate) next_cursor: Option<String>,
}
