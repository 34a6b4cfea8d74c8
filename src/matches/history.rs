//! A match as it was at an earlier version, rebuilt from its log.
//!
//! Invariant: rebuilding takes the logged steps again, in order, at their logged moments; nothing else enters but the
//! seed. The result is the match that was stored at that version. From where it begins, `log_replay` decides.

use std::sync::Arc;

use crate::model::refused::ReadRefused;
use crate::table::log_codec::stamp_of;
use crate::{Matches, Reader, Refused, ViewedMatch};
use sarsen_rules::Viewer;
use sarsen_store::Stamp;

impl Matches {
    /// The match at an earlier version: as the seat that the reader of `viewed` holds now could see it then, or, after the
    /// end, with everything shown.
    ///
    /// # Errors
    /// [`ReadRefused::NoSuchVersion`], [`ReadRefused::FullTooEarly`].
    pub async fn history(
        &self,
        reader: &Reader,
        viewed: ViewedMatch,
        version: u64,
        full: bool,
    ) -> Result<ViewedMatch, Refused> {
        if full && !viewed.live.stored.stage.is_over() {
            return Err(ReadRefused::FullTooEarly.into());
        }
        let (live, _) = self.match_at(&viewed.live, version).await?;
        let then = Arc::new(live).seen_by(reader, &self.statuses);
        // A seat's past belongs to its present holder: a substitute reads it, and the player who handed the seat on
        // sees no more of it than a stranger.
        let viewer = if full { Viewer::Omniscient } else { viewed.viewer };
        Ok(ViewedMatch { viewer, insider: viewed.insider, ..then })
    }

    /// The stamp of the step that made `version`, which the match has reached; `None` if a failover has undone it.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn stamp_at(&self, viewed: &ViewedMatch, version: u64) -> Result<Option<Stamp>, Refused> {
        let live = &viewed.live;
        if version == live.stored.version {
            return Ok(Some(live.stamp));
        }
        let entries = self.store.log(&live.stored.id, version.saturating_sub(1), 1).await?;
        Ok(entries.first().and_then(|bytes| stamp_of(bytes)))
    }
}
