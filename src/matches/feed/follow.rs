//! Following what happens: in one match, and in all matches of a player.
//!
//! Invariants: every answer is made for one reader, from what that reader may see at that moment. If a failover has
//! undone or replaced the version of a cursor, its follower gets a resync ([`super::resync`]) and never goes on as if
//! nothing had happened.

use std::collections::HashMap;

use crate::feed::cursor::{EventCursor, NoticeCursor};
use crate::feed::notifier::{Topic, Watch};
use crate::feed::redacted::{self, EventId, RedactedEvent};
use crate::log_replay::LOG_PAGE;
use crate::model::log::LogEntry;
use crate::model::refused::ReadRefused;
use crate::names::with_names;
use crate::repeated::undone;
use crate::table::log_codec::stamp_of;
use crate::{Matches, Reader, Refused, ViewedMatch};
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_rules::Seat;
use sarsen_store::Stamp;

/// The most loads of a match whose log is that of another one, because a failover came between the two reads.
const LOADS_MAX: usize = 3;

/// The most events of one step. The rest comes with the next step, which shows the same match.
pub(crate) const EVENTS_MAX: usize = 500;

/// A match as it is now, and what has happened in it since.
pub struct ToldStep {
    /// The match.
    pub viewed: ViewedMatch,
    /// The events, in order, or a resync alone. Empty where nothing was to be told.
    pub events: Vec<RedactedEvent>,
    /// The cursor to go on from: within the version of the match, unless there is more.
    pub next: EventCursor,
    /// True if more events are there already.
    pub more: bool,
}

/// A page of a match's event log.
pub struct ToldPage {
    /// The events, in order; or a resync alone.
    pub items: Vec<RedactedEvent>,
    /// The cursor to go on from; `None` at the very beginning.
    pub next: Option<EventCursor>,
    /// True if more events are there already.
    pub more: bool,
    /// True if the match has ended, so that nothing will follow the last event.
    pub ended: bool,
}

/// The events of one step of a player's match.
pub struct MyEvent {
    /// Its number in the player's inbox, from 1.
    pub number: u64,
    /// The match.
    pub match_id: MatchId,
    /// The stamp of the version that the step made.
    pub stamp: Stamp,
    /// Its game.
    pub game: String,
    /// The version that the step made.
    pub version: u64,
    /// The time of the step.
    pub at: Timestamp,
    /// True if the player was to act after the step.
    pub your_turn: bool,
    /// The events, as the match's own log shows them to the player.
    pub events: Vec<RedactedEvent>,
}

/// A page of a player's inbox.
pub struct MyEventPage {
    /// The events, in order.
    pub items: Vec<MyEvent>,
    /// The matches that they are of, as they are now.
    pub matches: HashMap<MatchId, ViewedMatch>,
    /// Behind the last notice looked at, whether or not it is shown.
    pub next: NoticeCursor,
    /// True if more events are there already.
    pub more: bool,
    /// True if the notice of the cursor names another step now, or is gone. Then there are no events.
    pub resync: bool,
}

impl Matches {
    /// Events after `after` as the reader may see them, or a resync alone.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn events(
        &self,
        reader: &Reader,
        id: &MatchId,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<ToldPage, Refused> {
        self.events_and_match(reader, id, after, limit).await.map(|(_, page)| page)
    }

    /// The match as it is now, with the one that follows it, for a reader who has read `seen` and waits like `watch`, which
    /// waits for this match: looked at together with others where that shows it as it was read or later.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn look_on(
        &self,
        watch: &Watch,
        reader: &Reader,
        id: &MatchId,
        seen: &ViewedMatch,
    ) -> Result<ViewedMatch, Refused> {
        let shown = |viewed: &ViewedMatch| (viewed.live.stored.version, viewed.live.stamp);
        // A look that others have begun may be older than what the reader has read by themselves.
        let fits = |other: &ViewedMatch| shown(other) == shown(seen) || shown(other).0 > shown(seen).0;
        match self.look_together(watch, reader, id).await.filter(|look| fits(&look.viewed)) {
            Some(look) => Ok(ViewedMatch { rematch: look.rematch(), ..look.viewed }),
            None => self.read_with_rematch(reader, id).await,
        }
    }

    /// The match as it is now and what happened after `after`, at most [`EVENTS_MAX`] events, or a resync alone; without a
    /// cursor none.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn step_since(
        &self,
        reader: &Reader,
        id: &MatchId,
        after: Option<EventCursor>,
    ) -> Result<ToldStep, Refused> {
        let Some(after) = after else { return self.step_now(reader, id).await };
        let (viewed, page) = self.events_and_match(reader, id, Some(after), EVENTS_MAX).await?;
        let next = page.next.unwrap_or(after);
        let next = if page.more { next } else { within_present(&viewed, next) };
        Ok(ToldStep { viewed, events: page.items, next, more: page.more })
    }

    async fn step_now(&self, reader: &Reader, id: &MatchId) -> Result<ToldStep, Refused> {
        for _ in 0..LOADS_MAX {
            let viewed = self.read(reader, id).await?;
            if let Some((next, _)) = self.newest_told(&viewed).await? {
                return Ok(ToldStep { viewed, events: Vec::new(), next, more: false });
            }
        }
        Err(undone().into())
    }

    /// The match, and its events after `after` as the reader may see them, or a resync alone.
    ///
    /// # Errors
    /// Those of [`Matches::read`].
    pub async fn events_and_match(
        &self,
        reader: &Reader,
        id: &MatchId,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<(ViewedMatch, ToldPage), Refused> {
        for _ in 0..LOADS_MAX {
            let viewed = self.read(reader, id).await?;
            if let Some(page) = self.tell_after(&viewed, after, limit).await? {
                return Ok((viewed, page));
            }
        }
        Err(undone().into())
    }

    /// Events of the loaded match; `None` if its log turns out to be that of another one.
    async fn tell_after(
        &self,
        viewed: &ViewedMatch,
        after: Option<EventCursor>,
        limit: usize,
    ) -> Result<Option<ToldPage>, Refused> {
        let stored = &viewed.live.stored;
        let (present, ended) = (stored.version, stored.stage.is_over());
        let sure = |cursor: &EventCursor| cursor.stamp.is_none() || (1..=present).contains(&cursor.id.version);
        if !after.as_ref().is_none_or(sure) {
            return self.resync(viewed).await;
        }
        let (mut items, mut next) = (Vec::new(), after);
        // The version of the last event is read again: it may hold more, and shows whether it is still the same.
        let mut version = after.map_or(0, |after| after.id.version.saturating_sub(1));
        let mut telling = self.telling(&viewed.live);
        while version < present {
            // Not beyond what was loaded: a later step may have given the reader a seat, which sees more. Nor many more
            // entries than fit: almost every step has an event for every reader.
            let most = limit.saturating_sub(items.len()).saturating_add(2);
            let Some(entries) = telling.page(version, present, most).await? else { return Ok(None) };
            for entry in entries {
                version = entry.version;
                if let Some(next) = next.as_mut().filter(|next| next.id.version == version) {
                    if next.stamp.is_some_and(|stamp| stamp != entry.stamp) {
                        return self.resync(viewed).await;
                    }
                    next.stamp = Some(entry.stamp);
                }
                let entry = with_names(entry, &self.statuses);
                for event in redacted::tell(&*viewed.live.game, &entry, viewed.viewer)? {
                    if after.is_some_and(|after| event.id <= after.id) {
                        continue;
                    }
                    if items.len() == limit {
                        return Ok(Some(ToldPage { items, next, more: true, ended }));
                    }
                    next = Some(event.cursor());
                    items.push(event);
                }
            }
        }
        Ok(Some(ToldPage { items, next, more: false, ended }))
    }

    /// The player's inbox after `after`: one item for each step of a match of theirs.
    ///
    /// # Errors
    /// Only those of the store.
    pub async fn my_events(
        &self,
        player: &PlayerId,
        after: NoticeCursor,
        limit: usize,
    ) -> Result<MyEventPage, Refused> {
        let reader = Reader::player(player.clone());
        // With a stamp the notice itself is read again, which shows whether it still names the same step.
        let again = after.stamp.filter(|_| after.number > 0);
        let (from, count) = if again.is_some() { (after.number - 1, limit + 1) } else { (after.number, limit) };
        let mut inbox = self.store.inbox(player, from, count).await?;
        if let Some(stamp) = again {
            // Of a notice that has been dropped since, because newer ones have come, nothing can be said.
            let named = inbox.notices.first().is_some_and(|notice| notice.number == after.number);
            let gone = inbox.newest < after.number;
            if gone || (named && !self.names(&inbox.notices.remove(0), stamp).await?) {
                return self.resync_inbox(player).await;
            }
            inbox.notices.truncate(limit);
        }
        let mut next = after;
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
            next = NoticeCursor { number: notice.number, stamp: None };
            let Some(Some((viewed, steps))) = told.get(&notice.match_id) else { continue };
            let Some(entry) = steps.get(&notice.version) else { continue };
            next.stamp = Some(entry.stamp);
            items.push(my_event(notice.number, viewed, entry)?);
        }
        let matches = told.into_iter().filter_map(|(id, told)| told.map(|(viewed, _)| (id, viewed))).collect();
        Ok(MyEventPage { items, matches, more: next.number < inbox.newest, next, resync: false })
    }

    /// The match and its steps that made `versions` (ascending), or `None` if the reader may not see it any more.
    async fn steps(
        &self,
        reader: &Reader,
        id: &MatchId,
        versions: &[u64],
    ) -> Result<Option<(ViewedMatch, HashMap<u64, LogEntry>)>, Refused> {
        for _ in 0..LOADS_MAX {
            let viewed = match self.read(reader, id).await {
                // A private match that the player has left since.
                Err(Refused::Read(ReadRefused::MatchNotFound)) => return Ok(None),
                Err(Refused::Unreadable(error)) => {
                    tracing::error!(%id, error = &error as &dyn std::error::Error, "a match cannot be read");
                    return Ok(None);
                }
                viewed => viewed?,
            };
            if let Some(steps) = self.steps_of(&viewed, versions).await? {
                return Ok(Some((viewed, steps)));
            }
        }
        if self.has_lost_steps(id).await? {
            // One match whose log is damaged must not hide all others.
            tracing::error!(%id, "the log of a match is not that of the match");
            return Ok(None);
        }
        Err(undone().into())
    }

    /// Returns true if the newest step of a match is not in its log, though the match does not change meanwhile.
    async fn has_lost_steps(&self, id: &MatchId) -> Result<bool, Refused> {
        let Some(before) = self.store.standing(id).await? else { return Ok(false) };
        let newest = self.store.log(id, before.version.saturating_sub(1), 1).await?.pop();
        let same = newest.is_some_and(|bytes| stamp_of(&bytes) == Some(before.stamp));
        Ok(!same && self.store.standing(id).await? == Some(before))
    }

    /// Those steps of the loaded match; `None` if its log turns out to be that of another one.
    async fn steps_of(
        &self,
        viewed: &ViewedMatch,
        versions: &[u64],
    ) -> Result<Option<HashMap<u64, LogEntry>>, Refused> {
        let (id, present) = (&viewed.live.stored.id, viewed.live.stored.version);
        let mut telling = self.telling(&viewed.live);
        let mut steps = HashMap::with_capacity(versions.len());
        for version in versions.iter().copied().filter(|version| (1..=present).contains(version)) {
            if steps.contains_key(&version) {
                continue;
            }
            // Neighbours come along: an inbox mostly holds runs of versions.
            let run = versions.iter().filter(|other| (version..version + LOG_PAGE as u64).contains(*other));
            let newest = run.max().map_or(version, |newest| *newest).min(present);
            let mut told = telling.page(version - 1, newest, LOG_PAGE).await;
            if let Err(Refused::Unreadable(_)) = &told {
                // One step that cannot be read must not hide all others.
                told = self.telling(&viewed.live).page(version - 1, version, 1).await;
            }
            match told {
                Ok(Some(entries)) => {
                    steps.extend(entries.into_iter().map(|entry| (entry.version, with_names(entry, &self.statuses))));
                }
                Ok(None) => return Ok(None),
                Err(Refused::Unreadable(error)) => {
                    tracing::error!(%id, error = &error as &dyn std::error::Error, "a step cannot be read");
                }
                Err(refused) => return Err(refused),
            }
        }
        Ok(Some(steps))
    }

    /// Begins to watch; see [`super::notifier`].
    pub fn watch(&self, topic: Topic) -> Watch {
        self.notifier.watch(topic)
    }
}

/// The cursor, or the beginning of the match's present version if it lies before that: a step may tell a reader nothing.
pub(crate) fn within_present(viewed: &ViewedMatch, cursor: EventCursor) -> EventCursor {
    let present = EventId { version: viewed.live.stored.version, index: 0 };
    if cursor.id >= present { cursor } else { EventCursor { id: present, stamp: Some(viewed.live.stamp) } }
}

impl MyEvent {
    /// The cursor behind this event.
    pub fn cursor(&self) -> NoticeCursor {
        NoticeCursor { number: self.number, stamp: Some(self.stamp) }
    }
}

/// The events of the step that `entry` logs, redacted for the reader of `viewed`.
///
/// # Errors
/// [`Refused`] if the entry cannot be read by its game.
pub fn my_event(number: u64, viewed: &ViewedMatch, entry: &LogEntry) -> Result<MyEvent, Refused> {
    let live = &viewed.live;
    Ok(MyEvent {
        number,
        match_id: live.stored.id.clone(),
        stamp: entry.stamp,
        game: live.stored.terms.game.clone(),
        version: entry.version,
        at: entry.at,
        your_turn: viewed.seat().is_some_and(|own| {
            let acts = |seat: Seat| live.holder(seat) == live.holder(own) && !live.is_taken_over(seat);
            entry.to_act.iter().any(|seat| acts(*seat))
        }),
        events: redacted::tell(&*viewed.live.game, entry, viewed.viewer)?,
    })
}
