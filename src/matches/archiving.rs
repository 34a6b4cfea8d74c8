//! Archiving: the log of a match that is over becomes one small value.
//!
//! Invariants: everything is read as before, and told as before: an entry loses what it says of what happened only if the
//! very same is made again from what was done. What is lost on purpose is what idempotency keys have committed: nobody
//! repeats a request days after the end.

use super::again::LOG_PAGE;
use super::events::StoredEvent;
use super::history::retake;
use super::live_match::LiveMatch;
use super::logged::{Logged, written};
use super::refused::Unreadable;
use super::told::tell_one;
use super::undo::earlier::Earlier;
use super::{Matches, Refused};
use crate::ambient::Timestamp;
use crate::games::Corrupt;
use crate::ids::MatchId;
use crate::rules::Viewer;
use crate::store::{Archived, Due};

impl Matches {
    /// Whether the log of a match has been archived.
    pub(super) async fn is_archived(&self, id: &MatchId) -> Result<bool, Refused> {
        match &self.archives {
            Some(archives) => Ok(archives.is_archived(id).await?),
            None => Ok(false),
        }
    }

    /// Archives the log of a match that is over, which is next to be looked at at `next`.
    pub(super) async fn archive(&self, over: &LiveMatch, next: Option<Timestamp>) -> Result<Archived, Refused> {
        let Some(archives) = &self.archives else { return Ok(Archived::Already) };
        let (id, version) = (&over.stored.id, over.stored.version);
        if archives.is_archived(id).await? {
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
        let entries = shortened(over, entries);
        let due = next.map_or(Due::Remove, Due::At);
        Ok(archives.archive_match(id, version, over.stamp, &entries, due).await?)
    }
}

/// The same log without what is made again from it. From the first step on that cannot be taken again, everything stays as
/// it is.
fn shortened(over: &LiveMatch, mut entries: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let (mut live, mut earlier) = (None, Earlier::of(&over.stored.undo));
    for (version, bytes) in (1..).zip(&mut entries) {
        match shorter(over, live.take(), version, bytes, &mut earlier) {
            Ok((next, shorter)) => {
                live = Some(next);
                *bytes = shorter.unwrap_or_else(|| std::mem::take(bytes));
            }
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(id = %over.stored.id, version, error, "a step cannot be taken again; it is archived as it is");
                break;
            }
        }
    }
    entries
}

/// The match after one more step, and the shorter entry of it if there is one.
fn shorter(
    over: &LiveMatch,
    live: Option<LiveMatch>,
    version: u64,
    bytes: &[u8],
    earlier: &mut Earlier,
) -> Result<(LiveMatch, Option<Vec<u8>>), Unreadable> {
    let mut logged = Logged::decode(bytes, version, over)?;
    let told = logged.told.take();
    let (live, made) = retake(over, live, &logged, earlier)?;
    let Some(told) = told else { return Ok((live, None)) };
    // As they are told: what an earlier release has written may be written otherwise today.
    let same = said(over, &told.events)? == said(over, &made.events)? && told.to_act == made.to_act;
    let shorter = if same { Some(written(&made, over)?) } else { None };
    Ok((live, shorter))
}

/// All of these events, as whoever sees everything is told of them.
fn said(of: &LiveMatch, events: &[StoredEvent]) -> Result<Vec<Option<String>>, Unreadable> {
    let one = |event: &StoredEvent| tell_one(&*of.game, event, Viewer::Omniscient);
    let all: Result<Vec<_>, Corrupt> = events.iter().map(one).collect();
    Ok(all?.into_iter().map(|event| event.map(|event| event.get().to_owned())).collect())
}
