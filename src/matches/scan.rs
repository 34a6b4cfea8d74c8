//! Looking through lists of matches for what no list is kept of: how many wait for a player, and how many one has made.
//!
//! Invariant: what is looked at is read in part (`access`), if what is asked is in that part.
//!
//! Deliberately missing: an answer as of one moment. A match that changes meanwhile is counted as it was or as it is.

use crate::access::Access;
use crate::model::unreadable::Unreadable;
use crate::{Matches, Refused, Stage};
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::{ListQuery, ListScope, ListedMatch};

/// The number of matches fetched at a time.
pub(super) const PAGE: usize = 200;

impl Matches {
    /// Looks at all listed matches of a stage, newest first and a page at a time, for as long as `look` says that it is to
    /// go on.
    pub(super) async fn look_through(
        &self,
        scope: ListScope,
        stage: Stage,
        mut look: impl FnMut(&[ListedMatch]) -> bool,
    ) -> Result<(), Refused> {
        let mut before: Option<MatchId> = None;
        loop {
            let page = self.page_of(scope.clone(), stage, before.as_ref()).await?;
            if !look(&page) || page.len() < PAGE {
                return Ok(());
            }
            before = page.last().map(|listed| listed.id.clone());
        }
    }

    /// A live match that is being played in which the player has a seat in play.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn live_match_of(&self, player: &PlayerId) -> Result<Option<MatchId>, Refused> {
        let mut found = None;
        let look = |page: &[ListedMatch]| {
            let live =
                |listed: &&ListedMatch| Access::of(&listed.stored).is_some_and(|access| access.is_live_for(player));
            found = page.iter().find(live).map(|listed| listed.id.clone());
            found.is_none()
        };
        self.look_through(ListScope::Player(player.clone()), Stage::Playing, look).await?;
        Ok(found)
    }

    /// The stage of a match; `None` where there is none.
    ///
    /// # Errors
    /// Those of the store, and that the match cannot be read.
    pub async fn stage_of(&self, id: &MatchId) -> Result<Option<Stage>, Refused> {
        let Some(loaded) = self.store.load_match(id, None).await? else { return Ok(None) };
        Ok(Some(Access::of(&loaded.stored).ok_or_else(|| Unreadable::new("a match has no stage"))?.stage()))
    }

    /// A page of listed matches of a stage, older than `before`; the last one if it is shorter than [`PAGE`].
    pub(super) async fn page_of(
        &self,
        scope: ListScope,
        stage: Stage,
        before: Option<&MatchId>,
    ) -> Result<Vec<ListedMatch>, Refused> {
        let before = before.cloned();
        let query = ListQuery { scope, stage: Some(stage), game: None, before, limit: PAGE, seen_by: None };
        Ok(self.store.list_matches(&query).await?)
    }
}
