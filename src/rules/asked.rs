//! What a seat is asked: a word for programs, a sentence for people, and what asks.
//!
//! Invariant: the word is the id of an entry of the kind `decision` in the game's glossary, and what asks is a place of the
//! board or an entry of the glossary; a law of `rules::conformance`. It says nothing that the seat's view does not show.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

/// What asks: a card, a space, a phase or the like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = DecisionSource)]
pub struct AskedBy {
    /// `place` for a place of the board; otherwise the kind of an entry of the glossary, such as `luck_card`.
    #[schema(examples("luck_card"))]
    pub kind: Cow<'static, str>,
    /// The id of that place or entry.
    #[schema(examples("L05"))]
    pub id: String,
}

impl AskedBy {
    /// A place of the board.
    pub fn place(id: impl Into<String>) -> AskedBy {
        AskedBy::entry(AskedBy::PLACE, id)
    }

    /// An entry of the glossary.
    pub fn entry(kind: impl Into<Cow<'static, str>>, id: impl Into<String>) -> AskedBy {
        AskedBy { kind: kind.into(), id: id.into() }
    }

    /// The kind of places.
    pub const PLACE: &str = "place";
}

/// What a seat is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asked {
    /// A stable word, such as `bid`.
    pub kind: &'static str,
    /// A sentence for people.
    pub text: Cow<'static, str>,
    /// What asks, where it is a thing.
    pub source: Option<AskedBy>,
}

impl Asked {
    /// The word of games that say nothing more.
    pub const MOVE: &str = "move";

    /// A question that nothing in particular asks.
    pub fn of(kind: &'static str, text: impl Into<Cow<'static, str>>) -> Asked {
        Asked { kind, text: text.into(), source: None }
    }

    /// The same, asked by this.
    #[must_use]
    pub fn by(self, source: AskedBy) -> Asked {
        Asked { source: Some(source), ..self }
    }
}
