//! The answer that a request got before, given again.
//!
//! Invariant: only what was committed is answered again, as it was then.

use std::sync::Arc;

use crate::idempotency::{Answered, Idempotency};
use crate::model::log::LogEntry;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::stamp_of;
use crate::{Matches, Reader, Refused};
use sarsen_base::ids::MatchId;
use sarsen_store::{LoadedMatch, Replay, ReplayKey, Reservation, StoreError};

/// The lifetime of a key that belongs to no match, in seconds: 24 hours.
const RESERVED_SECONDS: u32 = 24 * 60 * 60;

impl Matches {
    /// The match and the log entry of the step that this request has made before.
    pub(super) async fn made_before(
        &self,
        present: &LiveMatch,
        replay: &Replay,
        once: &Idempotency,
    ) -> Result<(LiveMatch, LogEntry), Refused> {
        once.must_fit(&replay.fingerprint)?;
        self.must_last(present).await?;
        self.match_at(present, replay.version).await
    }

    /// The answer that the first request under this key got, from the match as it is loaded now.
    pub(super) async fn answer_again(
        &self,
        reader: &Reader,
        id: &MatchId,
        loaded: &LoadedMatch,
        replay: &Replay,
        once: &Idempotency,
    ) -> Result<Answered, Refused> {
        let present = self.opened(id, loaded)?;
        let (live, _) = self.made_before(&present, replay, once).await?;
        Ok(Answered { viewed: Arc::new(live).seen_by(reader, &self.statuses), replayed: true })
    }

    /// Returns the refusal of a step: [`Refused::KeyReused`], if the key has called for a rematch of this match with
    /// another request. The store has that commit with the match that follows.
    pub(super) async fn refused_for(
        &self,
        refused: Refused,
        present: &LiveMatch,
        once: Option<&(&Idempotency, ReplayKey)>,
    ) -> Refused {
        let Some(((once, key), next)) = once.zip(present.next_id().ok()) else { return refused };
        match self.store.load_match(&next, Some(key)).await {
            Ok(Some(LoadedMatch { replay: Some(replay), .. })) => {
                once.must_fit(&replay.fingerprint).err().unwrap_or(refused)
            }
            Ok(_) => refused,
            Err(error) => error.into(),
        }
    }

    /// The id that is reserved under the key for what this request makes, if one is.
    pub(super) async fn reserved(&self, key: &ReplayKey, once: &Idempotency) -> Result<Option<MatchId>, Refused> {
        let standing = self.store.reservation(key).await?;
        standing.map(|standing| once.reserved_id(&standing)).transpose()
    }

    /// Reserves `id` for what this request makes, and answers the id that is reserved from now on.
    pub(super) async fn reserve(&self, key: &ReplayKey, once: &Idempotency, id: &MatchId) -> Result<MatchId, Refused> {
        let wanted = Reservation { id: id.to_string(), fingerprint: once.fingerprint.clone() };
        once.reserved_id(&self.store.reserve(key, wanted, RESERVED_SECONDS).await?)
    }

    /// A match as it was created, if it has been.
    pub(super) async fn created_before(&self, reader: &Reader, id: &MatchId) -> Result<Option<Answered>, Refused> {
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(None) };
        let present = self.opened(id, &loaded)?;
        self.must_last(&present).await?;
        let (live, _) = self.match_at(&present, 1).await?;
        Ok(Some(Answered { viewed: Arc::new(live).seen_by(reader, &self.statuses), replayed: true }))
    }

    /// Makes sure of a match, as it was loaded, before what it has come to is answered again.
    pub(super) async fn must_last(&self, present: &LiveMatch) -> Result<(), Refused> {
        let stored = &present.stored;
        // The first time may have ended without an answer because the step was not safe yet.
        self.store.settle(&stored.id).await?;
        // A server that hung while it was replaced can take a step and tell of it before it hears of that.
        let newest = self.store.log(&stored.id, stored.version.saturating_sub(1), 1).await?;
        match newest.first().and_then(|bytes| stamp_of(bytes)) {
            Some(stamp) if stamp == present.stamp => Ok(()),
            _ => Err(undone().into()),
        }
    }
}

/// The error for loaded data that a failover has undone. A repeated request gets the present data.
pub(crate) fn undone() -> StoreError {
    StoreError::Unavailable("a failover has undone what was loaded".into())
}
