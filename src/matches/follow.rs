//! Following what happens: in one match, and in all matches of a player.
//!
//! Invariant: every answer is made for one reader, from what that reader may see at that moment.

use std::collections::HashMap;

use super::hub::{Topic, Watch};
use super::log::LogEntry;
use super::refused::ReadRefused;
use super::told::{self, EventId, ToldEvent};
use super::{Matches, Reader, Refused, ViewedMatch};
use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId};

/// How many log entries are fetched at a time.
const LOG_PAGE: usize = 200;

/// A page of a match's event log.
pub struct ToldPage {
    /// The events, in order.
    pub items: Vec<ToldEvent>,
    /// Whether more are there already.
    pub more: bool,
    /// Whether the match has ended, so that nothing will follow the last event.
    pub ended: bool,
}

/// What one step of one of a player's matches brought.
pub struct MyEvent {
    /// Its number in the player's inbox, from 1.
    pub number: u64,
    /// The match.
    pub match_id: MatchId,
    /// Its game.
    pub game: String,
    /// The version that the step made.
    pub version: u64,
    /// When.
    pub at: Timestamp,
    /// Whether the player was to act afterwards.
    pub your_turn: bool,
    /// The events, as the player is told them in the match's own log.
    pub events: Vec<ToldEvent>,
}

/// A page of a player's inbox.
pub struct MyEventPage {
    /// The events, in order.
    pub items: Vec<MyEvent>,
    /// The number of the last notice looked at, whether or not it is shown.
    pub last: u64,
    /// Whether more are there already.
    pub more: bool,
}

impl Matches {
    /// Events after `after` as the reader is told them.
    ///
    /// # Errors
    /// That the match is not to be seen.
    pub async fn events(
        &self,
        reader: &Reader,
        id: &MatchId,
        after: Option<EventId>,
        limit: usize,
    ) -> Result<ToldPage, Refused> {
        let viewed = self.read(reader, id).await?;
        let ended = viewed.live.stored.stage.is_over();
        // The version of the last event is read again: it may hold more.
        let mut version = after.map_or(0, |after| after.version.saturating_sub(1));
        let mut items = Vec::new();
        while version < viewed.live.stored.version {
            // Not beyond what was loaded: a later step may have given the reader a seat, which sees more.
            for entry in self.entries(id, version, viewed.live.stored.version).await? {
                version = entry.version;
                for event in told::tell(&*viewed.live.game, &entry, viewed.viewer)? {
                    if after.is_some_and(|after| event.id <= after) {
                        continue;
                    }
                    if items.len() == limit {
                        return Ok(ToldPage { items, more: true, ended });
                    }
                    items.push(event);
                }
            }
        }
        Ok(ToldPage { items, more: false, ended })
    }

    /// The player's inbox after notice `after`: one item for each step of a match of theirs.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn my_events(&self, player: &PlayerId, after: u64, limit: usize) -> Result<MyEventPage, Refused> {
        let reader = Reader::player(player.clone());
        let inbox = self.inboxes.inbox(player, after, limit).await?;
        let last = inbox.notices.last().map_or(after, |notice| notice.number);
        let mut matches: HashMap<MatchId, Vec<u64>> = HashMap::new();
        for notice in &inbox.notices {
            matches.entry(notice.match_id.clone()).or_default().push(notice.version);
        }
        let mut told = HashMap::with_capacity(matches.len());
        for (id, versions) in matches {
            let steps = self.steps(&reader, &id, &versions).await?;
            told.insert(id, steps);
        }
        let mut items = Vec::with_capacity(inbox.notices.len());
        for notice in inbox.notices {
            let Some(Some((viewed, steps))) = told.get(&notice.match_id) else { continue };
            let Some(entry) = steps.get(&notice.version) else { continue };
            items.push(my_event(notice.number, viewed, entry)?);
        }
        Ok(MyEventPage { items, last, more: last < inbox.newest })
    }

    /// The match and its steps that made `versions` (ascending), or `None` if the reader may not see it any more.
    async fn steps(
        &self,
        reader: &Reader,
        id: &MatchId,
        versions: &[u64],
    ) -> Result<Option<(ViewedMatch, HashMap<u64, LogEntry>)>, Refused> {
        let viewed = match self.read(reader, id).await {
            // A private match that the player has left since.
            Err(Refused::Read(ReadRefused::MatchNotFound)) => return Ok(None),
            Err(Refused::Unreadable(error)) => {
                tracing::error!(%id, error = &error as &dyn std::error::Error, "a match cannot be read");
                return Ok(None);
            }
            viewed => viewed?,
        };
        let mut steps = HashMap::with_capacity(versions.len());
        for version in versions {
            if steps.contains_key(version) {
                continue;
            }
            // Neighbours come along: an inbox mostly holds runs of versions.
            let run = versions.iter().filter(|other| (*version..*version + LOG_PAGE as u64).contains(*other));
            let span = run.max().map_or(1, |newest| newest - version + 1);
            for bytes in self.store.log(id, version - 1, span as usize).await? {
                let entry = LogEntry::decode(&bytes)?;
                steps.insert(entry.version, entry);
            }
        }
        Ok(Some((viewed, steps)))
    }

    /// Begins to watch; see [`super::hub`].
    pub fn watch(&self, topic: Topic) -> Watch {
        self.hub.watch(topic)
    }
}

/// What the step that `entry` logs brought, as the reader of `viewed` is told.
pub(crate) fn my_event(number: u64, viewed: &ViewedMatch, entry: &LogEntry) -> Result<MyEvent, Refused> {
    Ok(MyEvent {
        number,
        match_id: viewed.live.stored.id.clone(),
        game: viewed.live.stored.terms.game.clone(),
        version: entry.version,
        at: entry.at,
        your_turn: viewed.seat().is_some_and(|seat| entry.to_act.contains(&seat)),
        events: told::tell(&*viewed.live.game, entry, viewed.viewer)?,
    })
}
