//! The constants of a stored match: facts that hardly a step changes, serialized once and kept beside the live match.
//!
//! Invariant: the text is stored only for the very facts from which it was written. They are compared each time, so no
//! step can leave an old text behind.

use std::sync::Arc;

use serde::Serialize;

use crate::model::fairness::ServerSeed;
use crate::model::seated::Seated;
use crate::model::stored::StoredMatch;
use crate::model::terms::Terms;
use crate::model::unreadable::Unreadable;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;

/// The facts, under the names by which [`StoredMatch`] reads them.
#[derive(Serialize)]
struct Facts {
    #[serde(rename = "f")]
    form: u16,
    id: MatchId,
    #[serde(rename = "t")]
    terms: Arc<Terms>,
    #[serde(rename = "c", skip_serializing_if = "Option::is_none")]
    creator: Option<Seated>,
    #[serde(rename = "sd")]
    seed: ServerSeed,
    #[serde(rename = "t0")]
    created_at: Timestamp,
    #[serde(rename = "t1", skip_serializing_if = "Option::is_none")]
    started_at: Option<Timestamp>,
}

impl Facts {
    fn of(stored: &StoredMatch) -> Facts {
        Facts {
            form: stored.form,
            id: stored.id.clone(),
            terms: Arc::clone(&stored.terms),
            creator: stored.creator.clone(),
            seed: stored.seed,
            created_at: stored.created_at,
            started_at: stored.started_at,
        }
    }

    /// Returns true if these are still the facts. Each is named, so that none that is added is left out.
    fn hold(&self, stored: &StoredMatch) -> bool {
        let Facts { form, id, terms, creator, seed, created_at, started_at } = self;
        *form == stored.form
            && *id == stored.id
            && Arc::ptr_eq(terms, &stored.terms)
            && *creator == stored.creator
            && *seed == stored.seed
            && *created_at == stored.created_at
            && *started_at == stored.started_at
    }
}

/// The serialized constants of a match.
pub(crate) struct Fixed {
    facts: Facts,
    text: Vec<u8>,
}

impl Fixed {
    /// The constants of `stored`: the ones that are `kept`, if they still hold.
    ///
    /// # Errors
    /// [`Unreadable`] if it cannot be written.
    pub(crate) fn of(stored: &StoredMatch, kept: Option<&Arc<Fixed>>) -> Result<Arc<Fixed>, Unreadable> {
        if let Some(kept) = kept.filter(|kept| kept.facts.hold(stored)) {
            return Ok(Arc::clone(kept));
        }
        let facts = Facts::of(stored);
        let text = serde_json::to_vec(&facts)?;
        Ok(Arc::new(Fixed { facts, text }))
    }

    /// The text: a JSON object.
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }
}
