//! A match as it was at an earlier version, rebuilt from its log.
//!
//! Invariant: rebuilding takes the logged actions again, in order, at their logged moments; nothing else enters but the
//! seed. The result is the record that was stored at that version.

use super::fairness::ServerSeed;
use super::live_match::LiveMatch;
use super::stored::{LogEntry, StoredMatch};
use super::{Matches, Refused};
use crate::games::Games;
use crate::ids::MatchId;

/// How many log entries are fetched at a time.
const LOG_PAGE: usize = 200;

impl Matches {
    /// The same match at `version`, and the entry that made it.
    pub(super) async fn match_at(&self, present: &LiveMatch, version: u64) -> Result<(LiveMatch, LogEntry), Refused> {
        let StoredMatch { id, seed, version: newest, .. } = &present.stored;
        if version == 0 || version > *newest {
            return Err(Refused::NoSuchVersion);
        }
        let mut rebuilt = None;
        let mut after = 0;
        while after < version {
            for entry in self.entries(id, after, version).await? {
                after = entry.version;
                rebuilt = Some(retake(&self.games, id, *seed, rebuilt, entry).map_err(Refused::unreadable)?);
            }
        }
        rebuilt.ok_or(Refused::NoSuchVersion)
    }

    /// A page of the log after version `after`, up to `version`. Never empty.
    pub(super) async fn entries(&self, id: &MatchId, after: u64, version: u64) -> Result<Vec<LogEntry>, Refused> {
        let wanted = usize::try_from(version - after).unwrap_or(LOG_PAGE).min(LOG_PAGE);
        let page = self.store.log(id, after, wanted).await?;
        if page.is_empty() {
            return Err(Refused::Unreadable("the log is shorter than the match".into()));
        }
        // A long log is many pages: between two of them other requests have their turn.
        tokio::task::yield_now().await;
        page.iter().map(|bytes| LogEntry::decode(bytes)).collect()
    }
}

/// Takes one more logged step: the creation if there is no match yet.
fn retake(
    games: &Games,
    id: &MatchId,
    seed: ServerSeed,
    rebuilt: Option<(LiveMatch, LogEntry)>,
    entry: LogEntry,
) -> Result<(LiveMatch, LogEntry), Refused> {
    match rebuilt {
        None => LiveMatch::create(games, id.clone(), seed, entry.action, entry.at),
        Some((mut live, _)) => {
            let entry = live.take_step(entry.action, entry.at)?;
            Ok((live, entry))
        }
    }
}
