//! Reading: lists, event logs, inboxes, earlier versions.
//!
//! Invariant: every answer is made for one reader, from what that reader may see at that moment.

use std::collections::HashMap;
use std::sync::Arc;

use super::events::{self, EventId, ToldEvent};
use super::hub::{Topic, Watch};
use super::live_match::LiveMatch;
use super::stored::LogEntry;
use super::{Matches, Reader, Refused, ViewedMatch};
use crate::ambient::Timestamp;
use crate::ids::{MatchId, PlayerId};
use crate::rules::Viewer;
use crate::store::{ListQuery, ListScope, Stage};

/// How many log entries are fetched at a time.
const LOG_PAGE: usize = 200;
/// The most matches that one page of "my turn" looks at.
const SCAN_MAX: usize = 1000;

/// A question for a list of matches, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchFilter {
    /// Only matches of this player, private ones too; otherwise public ones.
    pub mine: Option<PlayerId>,
    /// Only matches in which that player is to act.
    pub my_turn: bool,
    /// Only matches at this stage.
    pub stage: Option<Stage>,
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches older than this one.
    pub before: Option<MatchId>,
    /// At most so many.
    pub limit: usize,
}

/// A page of a list of matches.
pub struct MatchPage {
    /// The matches, newest first.
    pub items: Vec<ViewedMatch>,
    /// Where the next page begins, if there may be one.
    pub next: Option<MatchId>,
}

/// A page of a match's event log.
pub struct EventPage {
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
    /// A page of matches.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn list(&self, reader: &Reader, filter: &MatchFilter) -> Result<MatchPage, Refused> {
        let mut query = ListQuery {
            scope: filter.mine.clone().map_or(ListScope::Public, ListScope::Player),
            stage: if filter.my_turn { Some(Stage::Playing) } else { filter.stage },
            game: filter.game.clone(),
            before: filter.before.clone(),
            limit: if filter.my_turn { LOG_PAGE } else { filter.limit },
        };
        let mut items = Vec::new();
        let mut looked_at = 0;
        loop {
            let page = self.store.list_matches(&query).await?;
            let ended = page.len() < query.limit;
            for listed in page {
                // A newer release may share the store, and one match that cannot be read must not hide the others.
                let Some(live) = readable(&listed.id, LiveMatch::open_without_state(&self.games, &listed.stored))
                else {
                    query.before = Some(listed.id);
                    continue;
                };
                let viewed = Arc::new(live).seen_by(reader);
                let theirs = viewed.seat().is_some_and(|seat| viewed.live.decision(seat).is_some());
                query.before = Some(listed.id);
                looked_at += 1;
                if !filter.my_turn || theirs {
                    items.push(viewed);
                    if items.len() == filter.limit {
                        return Ok(MatchPage { items, next: query.before });
                    }
                }
            }
            if ended {
                return Ok(MatchPage { items, next: None });
            }
            if looked_at >= SCAN_MAX {
                return Ok(MatchPage { items, next: query.before });
            }
        }
    }

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
    ) -> Result<EventPage, Refused> {
        let viewed = self.read(reader, id).await?;
        let ended = matches!(viewed.live.stored.stage, Stage::Finished | Stage::Aborted);
        // The version of the last event is read again: it may hold more.
        let mut version = after.map_or(0, |after| after.version.saturating_sub(1));
        let mut items = Vec::new();
        while version < viewed.live.stored.version {
            let page = self.store.log(id, version, LOG_PAGE).await?;
            if page.is_empty() {
                break;
            }
            for bytes in page {
                let entry = LogEntry::decode(&bytes)?;
                version = entry.version;
                for event in events::tell(&*viewed.live.game, &entry, viewed.viewer)? {
                    if after.is_some_and(|after| event.id <= after) {
                        continue;
                    }
                    if items.len() == limit {
                        return Ok(EventPage { items, more: true, ended });
                    }
                    items.push(event);
                }
            }
        }
        Ok(EventPage { items, more: false, ended })
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
            Err(Refused::MatchNotFound) => return Ok(None),
            Err(Refused::Unreadable(error)) => {
                tracing::error!(%id, error = &*error, "a match cannot be read");
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

    /// The match at an earlier version: as the reader of `seen` could see it then, or, after the end, with everything
    /// shown.
    ///
    /// # Errors
    /// [`Refused::NoSuchVersion`], [`Refused::FullTooEarly`].
    pub async fn history(
        &self,
        reader: &Reader,
        viewed: ViewedMatch,
        version: u64,
        full: bool,
    ) -> Result<ViewedMatch, Refused> {
        if full && viewed.live.stored.stage != Stage::Finished {
            return Err(Refused::FullTooEarly);
        }
        let (live, _) = self.match_at(&viewed.live, version).await?;
        let then = Arc::new(live).seen_by(reader);
        let viewer = if full { Viewer::Omniscient } else { then.viewer };
        Ok(ViewedMatch { viewer, insider: viewed.insider, live: then.live })
    }
}

/// What the step that `entry` logs brought, as the reader is told.
pub(crate) fn my_event(number: u64, viewed: &ViewedMatch, entry: &LogEntry) -> Result<MyEvent, Refused> {
    Ok(MyEvent {
        number,
        match_id: viewed.live.stored.id.clone(),
        game: viewed.live.stored.terms.game.clone(),
        version: entry.version,
        at: entry.at,
        your_turn: viewed.seat().is_some_and(|seat| entry.to_act.contains(&seat)),
        events: events::tell(&*viewed.live.game, entry, viewed.viewer)?,
    })
}

/// The match, unless this release cannot read it.
fn readable(id: &MatchId, live: Result<LiveMatch, Refused>) -> Option<LiveMatch> {
    live.inspect_err(|error| tracing::error!(%id, error = error as &dyn std::error::Error, "a match cannot be read"))
        .ok()
}
