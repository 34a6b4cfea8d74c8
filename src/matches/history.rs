//! A match as it was at an earlier version, rebuilt from its log.
//!
//! Invariant: rebuilding takes the logged steps again, in order, at their logged moments; nothing else enters but the
//! seed. The result is the match that was stored at that version.

use std::sync::Arc;

use super::idempotency::undone;
use super::live_match::LiveMatch;
use super::log::{Cause, LogEntry};
use super::refused::{ReadRefused, Unreadable};
use super::{Matches, Reader, Refused, ViewedMatch};
use crate::ids::MatchId;
use crate::rules::Viewer;
use crate::store::Stamp;

/// How many log entries are fetched at a time.
const LOG_PAGE: usize = 200;

impl Matches {
    /// The match at an earlier version: as the reader of `viewed` could see it then, or, after the end, with everything
    /// shown.
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
        let then = Arc::new(live).seen_by(reader, &self.marks);
        let viewer = if full { Viewer::Omniscient } else { then.viewer };
        Ok(ViewedMatch { viewer, insider: viewed.insider, ..then })
    }

    /// The stamp of the step that made `version`, which the match has reached; `None` if it has none.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn stamp_at(&self, viewed: &ViewedMatch, version: u64) -> Result<Option<Stamp>, Refused> {
        let live = &viewed.live;
        if version == live.stored.version {
            return Ok(live.stamp);
        }
        let entries = self.store.log(&live.stored.id, version.saturating_sub(1), 1).await?;
        Ok(entries.first().and_then(|bytes| LogEntry::stamp_of(bytes)))
    }

    /// The same match at `version`, and the entry that made it.
    pub(super) async fn match_at(&self, present: &LiveMatch, version: u64) -> Result<(LiveMatch, LogEntry), Refused> {
        if version == 0 || version > present.stored.version {
            return Err(ReadRefused::NoSuchVersion.into());
        }
        let mut rebuilt = None;
        let mut after = 0;
        while after < version {
            for entry in self.entries(&present.stored.id, after, version).await? {
                after = entry.version;
                rebuilt = Some(retake(present, rebuilt, entry)?);
            }
        }
        Ok(rebuilt.ok_or_else(|| Unreadable::new("the log is empty"))?)
    }

    /// A page of the log after version `after`, up to `version`. Never empty.
    pub(super) async fn entries(&self, id: &MatchId, after: u64, version: u64) -> Result<Vec<LogEntry>, Refused> {
        let page = self.log_page(id, after, version).await?;
        if page.is_empty() { Err(self.cut_short(id, version).await) } else { Ok(page) }
    }

    /// Why the log does not reach a version that the match had when it was loaded.
    async fn cut_short(&self, id: &MatchId, version: u64) -> Refused {
        match self.store.load_match(id, None).await {
            Ok(None) => ReadRefused::MatchNotFound.into(),
            Ok(Some(now)) if now.version < version => undone().into(),
            // It may have been made again meanwhile; if the log is really shorter, asking again shows the same.
            Ok(Some(_)) if self.store.log(id, version - 1, 1).await.is_ok_and(|newest| !newest.is_empty()) => {
                undone().into()
            }
            Ok(Some(_)) => Unreadable::new("the log is shorter than the match").into(),
            Err(error) => error.into(),
        }
    }

    /// The same; empty where the log is shorter.
    pub(super) async fn log_page(&self, id: &MatchId, after: u64, version: u64) -> Result<Vec<LogEntry>, Refused> {
        let wanted = usize::try_from(version - after).unwrap_or(LOG_PAGE).min(LOG_PAGE);
        let page = self.store.log(id, after, wanted).await?;
        // A long log is many pages: between two of them other requests have their turn.
        tokio::task::yield_now().await;
        Ok(page.iter().map(|bytes| LogEntry::decode(bytes)).collect::<Result<_, _>>()?)
    }
}

/// Takes one more logged step: the creation where there is no match yet, an action where there is.
pub(super) fn retake(
    present: &LiveMatch,
    rebuilt: Option<(LiveMatch, LogEntry)>,
    logged: LogEntry,
) -> Result<(LiveMatch, LogEntry), Unreadable> {
    let stamp = logged.stamp;
    let taken = match (rebuilt, logged.cause) {
        (None, Cause::Creation(creation)) => {
            let (id, seed) = (present.stored.id.clone(), present.stored.seed);
            let made = LiveMatch::create(Arc::clone(&present.game), id, seed, creation, logged.at);
            made.map(|(mut live, entry)| {
                live.expiring_since = present.expiring_since;
                (live, entry)
            })
        }
        (Some((mut live, _)), Cause::Action(action)) => live.take_step(action, logged.at).map(|entry| (live, entry)),
        _ => return Err(Unreadable::new("a log begins with the creation, and has no second one")),
    };
    let (mut live, mut entry) = taken.map_err(Unreadable::new)?;
    (live.stamp, entry.stamp) = (stamp, stamp);
    Ok((live, entry))
}
