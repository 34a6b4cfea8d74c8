//! Refusals: the reason why the rules do not allow something.
//!
//! Invariant: a refusal says nothing that the refused seat's own view does not show.

use std::borrow::Cow;

/// A refused move or option: which rule, which field, and a sentence for a person.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{code} ({rule}): {detail}")]
pub struct Refusal {
    /// Stable snake_case code, such as `path_blocked`; clients may branch on it.
    pub code: &'static str,
    /// The deciding rule, by its id in the game's rulebook: a ruling (`CO-07`) or a section (`4.7`).
    pub rule: &'static str,
    /// The property of the move or options that is at fault, such as `to`; `None` for the whole.
    pub field: Option<&'static str>,
    /// One sentence for a person. Wording may change between releases.
    pub detail: Cow<'static, str>,
}

impl Refusal {
    /// A refusal of `field` (or of the whole) by `rule`.
    pub fn new(
        code: &'static str,
        rule: &'static str,
        field: Option<&'static str>,
        detail: impl Into<Cow<'static, str>>,
    ) -> Refusal {
        Refusal { code, rule, field, detail: detail.into() }
    }

    /// A refusal of one property.
    pub fn of(
        code: &'static str,
        rule: &'static str,
        field: &'static str,
        detail: impl Into<Cow<'static, str>>,
    ) -> Refusal {
        Refusal::new(code, rule, Some(field), detail)
    }
}
