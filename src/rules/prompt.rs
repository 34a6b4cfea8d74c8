//! The prompt of a decision: a word for programs, a sentence for people, and the component that brought it about.
//!
//! Invariant: the word is the id of an entry of the kind `decision` in the game's glossary, and the source is a place of the
//! board or an entry of the glossary; a law of `rules::conformance`. It says nothing that the seat's view does not show.

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

/// The source of a decision: a card, a space, a phase or the like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct PromptSource {
    /// `place` for a place of the board; otherwise the kind of an entry of the glossary, such as `luck_card`.
    #[schema(examples("luck_card"))]
    pub(crate) kind: Cow<'static, str>,
    /// The id of that place or entry.
    #[schema(examples("L05"))]
    pub(crate) id: String,
}

impl PromptSource {
    /// A place of the board.
    pub fn place(id: impl Into<String>) -> PromptSource {
        PromptSource::entry(PromptSource::PLACE, id)
    }

    /// An entry of the glossary.
    pub fn entry(kind: impl Into<Cow<'static, str>>, id: impl Into<String>) -> PromptSource {
        PromptSource { kind: kind.into(), id: id.into() }
    }

    /// The kind of places.
    pub(crate) const PLACE: &str = "place";
}

/// The prompt of one decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prompt {
    /// A stable word, such as `bid`.
    pub kind: &'static str,
    /// A sentence for people.
    pub text: Cow<'static, str>,
    /// The card, space or the like that brought it about.
    pub source: Option<PromptSource>,
}

impl Prompt {
    /// The word of games that say nothing more.
    pub(crate) const MOVE: &str = "move";

    /// A prompt without a source.
    pub fn of(kind: &'static str, text: impl Into<Cow<'static, str>>) -> Prompt {
        Prompt { kind, text: text.into(), source: None }
    }

    /// The same with this source.
    #[must_use]
    pub fn by(self, source: PromptSource) -> Prompt {
        Prompt { source: Some(source), ..self }
    }
}
