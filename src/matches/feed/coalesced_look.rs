//! Looking at a match together with all others on this instance who watch it; see [`super::coalesced_reads`].

use std::sync::Arc;

use crate::feed::coalesced_reads::{Glimpse, STEPS, SharedPage, ViewKey};
use crate::feed::cursor::EventCursor;
use crate::feed::follow::within_present;
use crate::feed::notifier::Watch;
use crate::names::with_names;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Reader, Refused, ViewedMatch};
use sarsen_base::ids::MatchId;

/// A shared look, as one reader sees it.
pub struct CoalescedLook {
    seen: Arc<Glimpse>,
    /// The match.
    pub viewed: ViewedMatch,
}

impl CoalescedLook {
    /// The events behind `after`; `None` where that cannot be said from here.
    pub fn page(&self, after: EventCursor) -> Option<Arc<SharedPage>> {
        self.seen.page(self.viewed.viewer, after)
    }

    /// The match that follows, if one did when it was looked at.
    pub(crate) fn rematch(&self) -> Option<MatchId> {
        self.seen.rematch.clone()
    }

    /// The cursor behind this page: within the version of the match.
    pub fn next(&self, page: &SharedPage) -> EventCursor {
        within_present(&self.viewed, page.next)
    }

    /// Returns the bytes to send for what lies behind `after`, in the form of this number. Readers who may know the
    /// same share them: the first caller makes a view with `view`, as much of one as `extent` says, and the bytes with
    /// `write`.
    ///
    /// # Errors
    /// Those of `view` and `write`.
    pub fn step<E>(
        &self,
        extent: u8,
        after: EventCursor,
        form: usize,
        view: impl FnOnce(&ViewedMatch) -> Result<Vec<u8>, E>,
        write: impl FnOnce(&[u8]) -> Result<Vec<u8>, E>,
    ) -> Result<Arc<[u8]>, E> {
        let key = ViewKey { viewer: self.viewed.viewer, insider: self.viewed.insider, extent };
        self.seen.step(key, after, form, || view(&self.viewed), write)
    }
}

impl Matches {
    /// The match as the reader sees it, looked at once for all who wait like `watch`, which waits for this match. `None`
    /// where the reader has to look alone: not to see the match, or because the look has failed.
    pub async fn look_together(&self, watch: &Watch, reader: &Reader, id: &MatchId) -> Option<CoalescedLook> {
        let look = watch.shared().look(|last| {
            let (matches, id) = (self.clone(), id.clone());
            async move { matches.glimpse(&id, last).await.ok().flatten() }
        });
        let seen = look.await?;
        let viewed = self.let_in(reader, Arc::clone(&seen.live)).ok()?;
        Some(CoalescedLook { seen, viewed })
    }

    /// The match with its newest steps, as they are now: what was seen `last` if that is still so. Nothing if there is no
    /// such match, or it has changed meanwhile.
    async fn glimpse(&self, id: &MatchId, last: Option<Arc<Glimpse>>) -> Result<Option<Arc<Glimpse>>, Refused> {
        let own_names = !self.statuses.shows_other_names();
        if let Some(last) = last
            && let Some(standing) = self.store.standing(id).await?
            && last.holds(standing, own_names)
            && last.rematch == self.rematch_of(&last.live).await?
        {
            return Ok(Some(last));
        }
        let Some(live) = self.as_it_stands(id).await? else { return Ok(None) };
        let rematch = self.rematch_of(&live).await?;
        let present = live.stored.version;
        let page = self.telling(&live).page(present.saturating_sub(STEPS), present, STEPS as usize).await?;
        let entries = page.unwrap_or_default().into_iter().map(|entry| with_names(entry, &self.statuses)).collect();
        Ok(Glimpse::of(live, entries, own_names, rematch).map(Arc::new))
    }

    /// The present match, without a check of who may see it.
    pub(crate) async fn as_it_stands(&self, id: &MatchId) -> Result<Option<Arc<LiveMatch>>, Refused> {
        if let Some(known) = self.cache.last_known(id)
            && let Some(standing) = self.store.standing(id).await?
            && known.stands_at(standing)
        {
            return Ok(Some(known));
        }
        let loaded = self.store.load_match(id, None).await?;
        Ok(loaded.map(|loaded| self.opened(id, &loaded)).transpose()?)
    }
}
