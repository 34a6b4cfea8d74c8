//! What a stored match says that hardly a step changes, written once and kept beside the live match.
//!
//! Invariant: it is stored only for the very facts that it was written from. They are compared each time, so no step can
//! leave an old text behind.

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
    #[serde(rename = "c")]
    creator: Seated,
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

    /// Whether these are still the facts. Each is named, so that none that is added is left out.
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

/// What was written of a match's facts.
pub(crate) struct Fixed {
    facts: Facts,
    /// An object.
    text: Vec<u8>,
}

impl Fixed {
    /// That of `stored`: the one that is `kept`, if it still holds.
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
