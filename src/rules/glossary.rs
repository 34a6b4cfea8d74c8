//! A game's components in words, as data: what a front end shows beside a card.
//!
//! Invariant: within a glossary, kind and id together are unique.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Object;

/// The components of a game, in one edition of them.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Glossary {
    /// The name of the edition.
    pub name: String,
    /// The version that the edition gives itself.
    pub version: String,
    /// Digest of its content. A match that pins an edition names all three: name, version and digest.
    #[schema(pattern = "^[0-9a-f]{16}$")]
    pub digest: String,
    /// True if new matches get this edition, unless their creator names another in the options.
    pub offered: bool,
    /// Every component, kind by kind.
    pub entries: Vec<GlossaryEntry>,
}

/// One card, tile, track space or the like.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct GlossaryEntry {
    /// Its kind, such as `luck_card`.
    #[schema(examples("luck_card"))]
    pub kind: String,
    /// The id that moves, events and views use; unique in its kind.
    #[schema(examples("L01"))]
    pub id: String,
    /// The name, as printed.
    pub name: String,
    /// Its effect, in words.
    pub text: String,
    /// Printed numbers by name, such as `cost`.
    #[schema(schema_with = printed_figures, required)]
    pub figures: BTreeMap<String, i64>,
    /// Printed marks, such as an icon or a size.
    pub tags: Vec<String>,
}

impl Glossary {
    /// The glossary of a game whose components cannot be replaced.
    pub fn printed(name: impl Into<String>, entries: Vec<GlossaryEntry>) -> Glossary {
        // FNV-1a of 64 bits: a guard against mistakes, nothing more.
        let feed = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        let text = serde_json::to_vec(&entries).unwrap_or_default();
        let digest = format!("{:016x}", text.into_iter().fold(0xcbf2_9ce4_8422_2325, feed));
        Glossary { name: name.into(), version: "1.0".to_owned(), digest, offered: true, entries }
    }

    /// The entry of this kind and id.
    pub fn find(&self, kind: &str, id: &str) -> Option<&GlossaryEntry> {
        self.entries.iter().find(|entry| entry.kind == kind && entry.id == id)
    }
}

fn printed_figures() -> Object {
    super::outcome::figures("Printed numbers by name, such as `cost`.")
}

impl GlossaryEntry {
    /// An entry without figures and tags.
    pub fn new(
        kind: impl Into<String>,
        id: impl Into<String>,
        name: impl Into<String>,
        text: impl Into<String>,
    ) -> GlossaryEntry {
        let (kind, id, name, text) = (kind.into(), id.into(), name.into(), text.into());
        GlossaryEntry { kind, id, name, text, figures: BTreeMap::new(), tags: Vec::new() }
    }

    /// With a printed number.
    pub fn figure(mut self, name: &str, number: impl TryInto<i64>) -> GlossaryEntry {
        self.figures.insert(name.to_owned(), number.try_into().unwrap_or(i64::MAX));
        self
    }

    /// With printed marks.
    pub fn tags<'a>(mut self, tags: impl IntoIterator<Item = &'a str>) -> GlossaryEntry {
        self.tags.extend(tags.into_iter().map(str::to_owned));
        self
    }
}
