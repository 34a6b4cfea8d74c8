//! Looking at a match together with all others on this instance who watch it; see [`super::shared_reads`].

use std::sync::Arc;

use super::cursor::EventCursor;
use super::hub::Watch;
use super::live_match::LiveMatch;
use super::names::with_names;
use super::shared_reads::{Glimpse, STEPS, SharedPage};
use super::{Matches, Reader, Refused};
use crate::ids::MatchId;

impl Matches {
    /// The events behind `after` as the reader is told them, read once for all who wait like `watch`, which waits for
    /// this match. `None` where the reader has to look alone, with [`Matches::events`]: being no usual follower, or not
    /// to see the match, or because the look has failed.
    pub async fn events_together(
        &self,
        watch: &Watch,
        reader: &Reader,
        id: &MatchId,
        after: EventCursor,
    ) -> Option<Arc<SharedPage>> {
        let look = watch.shared().look(|| {
            let (matches, id) = (self.clone(), id.clone());
            async move { matches.glimpse(&id).await.ok().flatten() }
        });
        let seen = look.await?;
        let viewed = self.let_in(reader, Arc::clone(&seen.live))?;
        seen.page(viewed.viewer, after)
    }

    /// The match with its newest steps, as they are now; nothing if there is no such match, or it has changed meanwhile.
    async fn glimpse(&self, id: &MatchId) -> Result<Option<Glimpse>, Refused> {
        let Some(live) = self.as_it_stands(id).await? else { return Ok(None) };
        let present = live.stored.version;
        let page = self.telling(&live).page(present.saturating_sub(STEPS), present, STEPS as usize).await?;
        let entries = page.unwrap_or_default().into_iter().map(|entry| with_names(entry, &self.marks)).collect();
        Ok(Glimpse::of(live, entries))
    }

    /// The match as it is now, whoever may see it.
    async fn as_it_stands(&self, id: &MatchId) -> Result<Option<Arc<LiveMatch>>, Refused> {
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
