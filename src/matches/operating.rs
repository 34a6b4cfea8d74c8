//! Operators' use cases: reading a match as a whole, and ending it.
//!
//! Invariant: everything of the game is shown, hidden cards too; the seed not before the end, and the invite code
//! never.

use std::sync::Arc;

use crate::model::events::AbortReason;
use crate::model::log::{Action, Cause};
use crate::model::refused::ReadRefused;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::{Logged, LoggedCause};
use crate::{Matches, Reader, Refused, ViewedMatch};
use sarsen_base::ids::MatchId;
use sarsen_store::Stage;

impl Matches {
    /// A match with everything in its game.
    ///
    /// # Errors
    /// [`ReadRefused::MatchNotFound`].
    pub async fn read_whole(&self, id: &MatchId) -> Result<ViewedMatch, Refused> {
        Ok(self.with_rematch(self.whole(self.present(id).await?)).await?)
    }

    /// Calls a match off, before its start or while it is played. One that an operator has called off stays as it is, so
    /// that asking again does no harm.
    ///
    /// # Errors
    /// [`ReadRefused::MatchNotFound`], [`Refused::OutOfPlay`].
    pub async fn abort_whole(&self, id: &MatchId) -> Result<ViewedMatch, Refused> {
        for _ in 0..crate::ATTEMPTS_MAX {
            let before = self.present(id).await?;
            if before.stored.stage == Stage::Aborted && self.is_called_off_by_operator(&before).await? {
                self.must_last(&before).await?;
                return Ok(self.whole(before));
            }
            let mut live = before.duplicate();
            let entry =
                live.take_step(Action::CallOff { reason: AbortReason::Operator }, before.moment(self.received()))?;
            if let Some((live, _)) = self.commit(live, entry, Some(&before), None).await? {
                return Ok(self.whole(live));
            }
        }
        Err(Refused::Busy)
    }

    async fn is_called_off_by_operator(&self, aborted: &LiveMatch) -> Result<bool, Refused> {
        let version = aborted.stored.version;
        // No more than what was done: the match may be called off because what happened cannot be made again.
        let Some(bytes) = self.store.log(&aborted.stored.id, version - 1, 1).await?.pop() else { return Ok(false) };
        let newest = Logged::decode(&bytes, version, aborted)?;
        let operator = AbortReason::Operator;
        Ok(matches!(newest.cause, LoggedCause::Whole(Cause::Action(Action::CallOff { reason })) if reason == operator))
    }

    async fn present(&self, id: &MatchId) -> Result<Arc<LiveMatch>, Refused> {
        let loaded = self.store.load_match(id, None).await?.ok_or(ReadRefused::MatchNotFound)?;
        Ok(self.opened(id, &loaded)?)
    }

    fn whole(&self, live: Arc<LiveMatch>) -> ViewedMatch {
        live.seen_by(&Reader::default(), &self.statuses).whole()
    }
}
