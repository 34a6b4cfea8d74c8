//! A match as it was at an earlier version, rebuilt from its log.
//!
//! Invariant: rebuilding takes the logged actions again, in order, at their logged moments; nothing else enters but the
//! seed. The result is the record that was stored at that version.

use super::record::{Action, LogEntry};
use super::table::Table;
use super::{Matches, Refused};
use crate::games::Games;
use crate::ids::MatchId;

/// How many log entries are fetched at a time.
const LOG_PAGE: usize = 500;

impl Matches {
    /// The table of the same match at `version`, and the entry that made it.
    pub(super) async fn table_at(&self, present: &Table, version: u64) -> Result<(Table, LogEntry), Refused> {
        if version == 0 || version > present.record.version {
            return Err(Refused::NoSuchVersion);
        }
        let entries = self.entries(&present.record.id, version).await?;
        rebuild(&self.games, &present.record, &entries)
    }

    /// The log up to `version`.
    pub(super) async fn entries(&self, id: &MatchId, version: u64) -> Result<Vec<LogEntry>, Refused> {
        let mut entries = Vec::new();
        while (entries.len() as u64) < version {
            let after = entries.len() as u64;
            let wanted = usize::try_from(version - after).unwrap_or(LOG_PAGE).min(LOG_PAGE);
            let page = self.store.log(id, after, wanted).await?;
            if page.is_empty() {
                return Err(Refused::Unreadable("the log is shorter than the match".into()));
            }
            for bytes in page {
                entries.push(serde_json::from_slice(&bytes).map_err(Refused::unreadable)?);
            }
        }
        Ok(entries)
    }
}

/// Takes the actions of `entries` again on the seed of `record`.
///
/// # Errors
/// [`Refused::NoSuchVersion`] without entries, [`Refused::Unreadable`] if the log does not begin with the creation, or
/// why an action could not be taken.
pub(super) fn rebuild(
    games: &Games,
    record: &super::record::MatchRecord,
    entries: &[LogEntry],
) -> Result<(Table, LogEntry), Refused> {
    let (first, later) = entries.split_first().ok_or(Refused::NoSuchVersion)?;
    if !matches!(first.action, Action::Create { .. }) {
        return Err(Refused::Unreadable("the log does not begin with the creation".into()));
    }
    let (mut table, mut last) = Table::create(games, record.id.clone(), record.seed, first.action.clone(), first.at)?;
    for entry in later {
        last = table.act(entry.action.clone(), entry.at)?;
    }
    Ok((table, last))
}
