//! Archiving: the log of a match that is over becomes one small value.
//!
//! Invariant: every read answers as before. Archiving deliberately drops what idempotency keys have committed: nobody
//! repeats a request days after the end.

use crate::log_replay::LOG_PAGE;
use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use crate::{Matches, Refused};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::MatchId;
use sarsen_store::{Archived, Due};

impl Matches {
    /// Returns true if the log of the match is archived.
    pub(super) async fn is_archived(&self, id: &MatchId) -> Result<bool, Refused> {
        Ok(self.store.is_archived(id).await?)
    }

    /// Archives the log of a match that is over, which is next to be looked at at `next`.
    pub(super) async fn archive(&self, over: &LiveMatch, next: Option<Timestamp>) -> Result<Archived, Refused> {
        let (id, version) = (&over.stored.id, over.stored.version);
        if self.store.is_archived(id).await? {
            return Ok(Archived::Already);
        }
        let mut entries: Vec<Vec<u8>> = Vec::new();
        while (entries.len() as u64) < version {
            let page = self.store.log(id, entries.len() as u64, LOG_PAGE).await?;
            if page.is_empty() {
                return Err(Unreadable::new("the log is shorter than the match").into());
            }
            entries.extend(page);
        }
        let due = next.map_or(Due::Remove, Due::At);
        Ok(self.store.archive_match(id, version, over.stamp, &entries, due).await?)
    }
}
