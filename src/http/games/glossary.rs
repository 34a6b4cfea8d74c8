//! The glossary of a game's components.

use serde::Serialize;
use utoipa::ToSchema;

use sarsen_rules::Glossary;

/// A game's components in words.
#[derive(Serialize, ToSchema)]
pub struct GlossaryList {
    /// One glossary for each edition that matches may use; empty for games that name nothing but places.
    pub items: Vec<Glossary>,
    /// Always null: the list has one page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}
