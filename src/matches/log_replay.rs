//! Replay of the log: entries say only what was done, and a replay adds the events.
//!
//! Invariants:
//! - A replay gives what was answered at the time: steps are functions of the state before them, and any change of what
//!   they bring about raises the game's `rules_version`.
//! - A replay goes on from a state only if the state's stamp is the one in the log. Consecutive reads overlap by an
//!   entry, whose stamps must agree. So no result mixes two logs of which a failover has replaced one.
//! - Nobody replays all steps for one of them: a long replay leaves checkpoints beside the log, and this process keeps
//!   the last steps of what it follows (`feed::recent`). An undo that goes back behind a checkpoint leaves one of its own, so
//!   that a replay need not begin where it leads.

use std::io::{Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::feed::recent::STEPS;
use crate::model::log::LogEntry;
use crate::model::refused::{ReadRefused, Unreadable};
use crate::repeated::undone;
use crate::table::earlier::Earlier;
use crate::table::live_match::LiveMatch;
use crate::table::log_codec::{Logged, stamp_of};
use crate::table::replay::replay;
use crate::{Matches, Refused};
use sarsen_base::ids::MatchId;
use sarsen_store::{Checkpoint, Stamp};

/// The number of log entries fetched at a time.
pub(super) const LOG_PAGE: usize = 200;
/// The number of versions between two checkpoints. A read of one step replays about half as many; a checkpoint takes
/// about as much room as twenty entries.
pub(super) const CHECKPOINT_EVERY: u64 = 64;
/// The most bytes that a state takes.
const STATE_MAX: u64 = 4 << 20;

/// Tells a log from one place to the next. It remembers the state that it has come to.
pub(super) struct Telling<'a> {
    matches: &'a Matches,
    /// The match as it was loaded, whose log it is.
    present: &'a LiveMatch,
    /// A state of it, which is sure to be the one that the log leads to.
    live: Option<LiveMatch>,
    /// Earlier states that undos lead back to.
    earlier: Earlier,
    /// Checkpoints that were passed.
    passed: Vec<Checkpoint>,
}

impl Matches {
    /// Begins to tell the log of a match.
    pub(super) fn telling<'a>(&'a self, present: &'a LiveMatch) -> Telling<'a> {
        Telling { matches: self, present, live: None, earlier: Earlier::default(), passed: Vec::new() }
    }

    /// The same match at `version`, and what happened in the step to it.
    ///
    /// # Errors
    /// [`ReadRefused::NoSuchVersion`].
    pub(super) async fn match_at(&self, present: &LiveMatch, version: u64) -> Result<(LiveMatch, LogEntry), Refused> {
        if version == 0 || version > present.stored.version {
            return Err(ReadRefused::NoSuchVersion.into());
        }
        let mut telling = self.telling(present);
        let made = telling.go(version - 1, version, &[]).await;
        let entry = telling.explained(made).await?;
        telling.leave_checkpoints().await;
        let made = telling.live.zip(entry);
        Ok(made.ok_or_else(|| Unreadable::new("the log is empty"))?)
    }

    /// Leaves a checkpoint of the state to which an undo to version `to` has just led, if a replay needs one.
    pub(super) async fn leave_undone(&self, live: &LiveMatch, to: u64) {
        let version = live.stored.version;
        if skips_checkpoint(to, version) {
            match checkpoint_of(live) {
                Ok(left) => self.leave_checkpoints(&live.stored.id, [left]).await,
                Err(unreadable) => tracing::debug!(error = &unreadable as &dyn std::error::Error, "no checkpoint"),
            }
        }
    }

    /// Leaves checkpoints. Without them everything goes on as well, if not as fast.
    async fn leave_checkpoints(&self, id: &MatchId, left: impl IntoIterator<Item = Checkpoint>) {
        for left in left {
            if let Err(error) = self.store.leave_checkpoint(id, &left).await {
                tracing::debug!(%id, error = &error as &dyn std::error::Error, "a checkpoint was not left");
                return;
            }
        }
    }

    /// The refusal where the log does not reach a version that the match had when it was loaded.
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
}

impl Telling<'_> {
    /// The entries after version `after`, up to `version` and at most `most` of them. `None` if the log turns out to be
    /// shorter, or that of another match than the one that was loaded.
    pub(super) async fn page(
        &mut self,
        after: u64,
        version: u64,
        most: usize,
    ) -> Result<Option<Vec<LogEntry>>, Refused> {
        // A state at version `after` comes from an earlier page. Its entry is read too, to compare the stamps.
        let state = self.live.as_ref().filter(|live| after > 0 && live.stored.version == after);
        let overlap = usize::from(state.is_some());
        let mut logged = self.read(after - overlap as u64, version, most + overlap).await?;
        if let Some(state) = state {
            if logged.first().is_none_or(|entry| entry.stamp != state.stamp) {
                return Ok(None);
            }
            logged.remove(0);
        }
        let present = self.present;
        let other = |entry: &Logged| {
            let newest = entry.version == present.stored.version;
            newest && entry.stamp != present.stamp
        };
        if logged.is_empty() || logged.iter().any(other) {
            return Ok(None);
        }
        let told = self.tell(&logged).await;
        let told = self.explained(told).await?;
        self.leave_checkpoints().await;
        Ok(Some(told))
    }

    /// The same, of a match whose log must be there.
    pub(super) async fn page_of_log(&mut self, after: u64, version: u64) -> Result<Vec<LogEntry>, Refused> {
        match self.page(after, version, LOG_PAGE).await? {
            Some(page) => Ok(page),
            None => Err(self.matches.cut_short(&self.present.stored.id, version).await),
        }
    }

    /// The same match at `version`, and the entry of the step that was taken there. Cheap for one version after another.
    pub(super) async fn step_behind(&mut self, version: u64) -> Result<(LiveMatch, LogEntry), Refused> {
        let come_to = self.go(version, version, &[]).await;
        self.explained(come_to).await?;
        let before = self.live.as_ref().map(LiveMatch::duplicate);
        let made = self.go(version, version + 1, &[]).await;
        let entry = self.explained(made).await?;
        self.leave_checkpoints().await;
        Ok(before.zip(entry).ok_or_else(|| Unreadable::new("the log is empty"))?)
    }

    async fn tell(&mut self, logged: &[Logged]) -> Result<Vec<LogEntry>, Refused> {
        let recent = self.matches.recent.of(&self.present.stored.id);
        let known = |entry: &Logged| recent.as_ref()?.find(entry.version, entry.stamp).cloned();
        let mut told = Vec::with_capacity(logged.len());
        let mut made_again = false;
        for (at, entry) in logged.iter().enumerate() {
            if let Some(known) = known(entry) {
                told.push(known);
                continue;
            }
            self.go(entry.version - 1, entry.version - 1, &logged[..=at]).await?;
            told.push(self.step(entry)?);
            made_again = true;
        }
        if let Some(live) = self.live.as_ref().filter(|_| made_again) {
            let until = told.partition_point(|step| step.version <= live.stored.version);
            let newest: Vec<Arc<LogEntry>> =
                told[until.saturating_sub(STEPS)..until].iter().cloned().map(Arc::new).collect();
            self.matches.recent.keep(Arc::new(live.duplicate()), &newest);
        }
        Ok(told)
    }

    /// Takes the steps up to `target`, from the nearest state at or before `from_most` that there is; answers the last
    /// one. `page` are entries that have been read already, the last of them that of `target` or of the version after it.
    async fn go(&mut self, from_most: u64, target: u64, page: &[Logged]) -> Result<Option<LogEntry>, Refused> {
        self.earlier.make_room();
        let until = page.last().map_or(target, |last| target.max(last.version));
        let mut sure = self.start(from_most).await?;
        let steps = loop {
            let at = self.live.as_ref().map_or(0, |live| live.stored.version);
            if at == target && sure && self.lacks(at, page).await?.is_none() {
                return Ok(None);
            }
            // The entry of the state comes along, to be compared.
            let steps = self.stretch(at.max(1), until, page).await?;
            let same = at == 0 || self.live.as_ref().map(|live| live.stamp) == steps.first().map(|entry| entry.stamp);
            match (same, sure) {
                (true, _) => {}
                (false, true) => return Err(undone().into()),
                (false, false) => {
                    (self.live, sure) = (None, true);
                    self.earlier.clear();
                    continue;
                }
            }
            match self.lacks(at, &steps).await? {
                Some(to) => sure = self.start(to).await?,
                None => break steps,
            }
        };
        self.earlier.want_for(&steps);
        self.live.iter().for_each(|live| self.earlier.pass(live));
        let begins = page.first().map_or(u64::MAX, |first| first.version);
        let mut last = None;
        for entry in &steps {
            let at = self.live.as_ref().map_or(0, |live| live.stored.version);
            if entry.version <= at || entry.version > target {
                continue;
            }
            last = Some(self.step(entry)?);
            // Steps of the page leave no checkpoints: a replay that goes beyond the page does.
            if entry.version < begins && entry.version <= from_most {
                self.pass()?;
            }
            // A long log: other requests have their turn.
            if entry.version.is_multiple_of(LOG_PAGE as u64) {
                tokio::task::yield_now().await;
            }
        }
        Ok(last)
    }

    /// The entries of the versions from `from` to `until`, of which those of `page` have been read already.
    async fn stretch(&self, from: u64, until: u64, page: &[Logged]) -> Result<Vec<Logged>, Refused> {
        let begins = page.first().map_or(u64::MAX, |first| first.version);
        let mut steps: Vec<Logged> = Vec::new();
        // Each read overlaps what has been read by an entry, and so does the page.
        let overlaps = |steps: &mut Vec<Logged>, first: &Logged| match steps.pop() {
            Some(last) if last.stamp != first.stamp => Err(Refused::from(undone())),
            _ => Ok(()),
        };
        while from < begins && steps.last().is_none_or(|last| last.version < until.min(begins)) {
            let after = steps.last().map_or(from, |last| last.version) - 1;
            let more = self.read(after, until.min(begins), LOG_PAGE).await?;
            if more.len() <= usize::from(!steps.is_empty()) {
                return Err(self.matches.cut_short(&self.present.stored.id, self.present.stored.version).await);
            }
            overlaps(&mut steps, &more[0])?;
            steps.extend(more);
        }
        if let Some(first) = page.first() {
            overlaps(&mut steps, first)?;
            steps.extend(page.iter().filter(|entry| entry.version >= from).cloned());
        }
        Ok(steps)
    }

    /// The earliest version that these steps, those after `at`, go back to and that is not at hand.
    async fn lacks(&mut self, at: u64, steps: &[Logged]) -> Result<Option<u64>, Refused> {
        let on_offer = self.live.as_ref().and_then(LiveMatch::takeback).map(|offer| offer.to_version);
        let asked = steps.iter().filter(|entry| entry.version > at);
        let asked = asked.filter_map(|entry| Some((entry.version, entry.stamp, entry.to_version()?)));
        let mut lacking = on_offer.filter(|to| *to < at && self.earlier.find(at, *to).is_none());
        for (version, stamp, to) in asked.filter(|(_, _, to)| *to < at).collect::<Vec<_>>() {
            if self.earlier.find(version, to).is_none() && !self.provide(version, stamp, to).await? {
                lacking = Some(lacking.map_or(to, |least| least.min(to)));
            }
        }
        Ok(lacking)
    }

    /// Provides the state that the undo to `version` leads to from the checkpoint that it has left; returns false if it has
    /// left none.
    async fn provide(&mut self, version: u64, stamp: Stamp, to: u64) -> Result<bool, Refused> {
        if !skips_checkpoint(to, version) {
            return Ok(false);
        }
        let found = self.matches.store.checkpoint(&self.present.stored.id, version).await?;
        let found = found.filter(|found| (found.version, found.stamp) == (version, stamp));
        let Some(left) = found.and_then(|found| checkpointed(self.present, &found).ok()) else { return Ok(false) };
        let is_it = left.stored.undo.undone.last().is_some_and(|undone| (undone.version, undone.to) == (version, to));
        if is_it {
            self.earlier.provide(version, to, left);
        }
        Ok(is_it)
    }

    /// Takes one more step.
    fn step(&mut self, entry: &Logged) -> Result<LogEntry, Refused> {
        let (live, made) = replay(self.present, self.live.take(), entry, &mut self.earlier)?;
        self.live = Some(live);
        Ok(made)
    }

    /// Finds the nearest state at or before `most`; answers whether it is sure to be the one that the log leads to.
    async fn start(&mut self, most: u64) -> Result<bool, Refused> {
        let version = |live: &LiveMatch| Some(live.stored.version).filter(|version| *version <= most);
        let own = self.live.as_ref().and_then(version);
        if own.is_none() {
            self.live = None;
        }
        if most == 0 || own.is_some_and(|own| most - own < CHECKPOINT_EVERY) {
            return Ok(true);
        }
        let id = &self.present.stored.id;
        let recent = self.matches.recent.of(id);
        if let Some(state) = recent.as_ref().and_then(|recent| recent.state(most))
            && own.is_none_or(|own| own < state.stored.version)
        {
            let at = state.stored.version;
            self.live = Some(state.duplicate());
            if most - at < CHECKPOINT_EVERY {
                return Ok(false);
            }
        }
        let near = self.live.as_ref().map_or(0, |live| live.stored.version);
        let sure = own.is_some_and(|own| own == near) || near == 0;
        if most < CHECKPOINT_EVERY {
            return Ok(sure);
        }
        match self.matches.store.checkpoint(id, most).await? {
            Some(found) if found.version > near => match checkpointed(self.present, &found) {
                Ok(live) => {
                    self.live = Some(live);
                    Ok(false)
                }
                // Of a newer release, perhaps; there are other ways.
                Err(unreadable) => {
                    tracing::debug!(%id, error = &unreadable as &dyn std::error::Error, "a checkpoint cannot be read");
                    Ok(sure)
                }
            },
            _ => Ok(sure),
        }
    }

    /// Remembers the present state if it should become a checkpoint.
    fn pass(&mut self) -> Result<(), Unreadable> {
        let Some(live) = &self.live else { return Ok(()) };
        let version = live.stored.version;
        let undone = live.stored.undo.undone.last().filter(|undone| undone.version == version);
        if version.is_multiple_of(CHECKPOINT_EVERY) || undone.is_some_and(|undone| skips_checkpoint(undone.to, version))
        {
            self.passed.push(checkpoint_of(live)?);
        }
        Ok(())
    }

    /// Leaves the checkpoints that were passed.
    async fn leave_checkpoints(&mut self) {
        self.matches.leave_checkpoints(&self.present.stored.id, self.passed.drain(..)).await;
    }

    /// Entries of the log after `after`, up to `version` and no more than `most`; fewer where the log is shorter.
    async fn read(&self, after: u64, version: u64, most: usize) -> Result<Vec<Logged>, Refused> {
        let wanted = usize::try_from(version.saturating_sub(after)).unwrap_or(most).min(most).min(LOG_PAGE);
        let page = self.matches.store.log(&self.present.stored.id, after, wanted).await?;
        let entries = (after + 1..).zip(&page).map(|(version, bytes)| Logged::decode(bytes, version, self.present));
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// Explains why a step could not be replayed: a failover may have put another log in the place of the one that was
    /// loaded.
    async fn explained<T>(&self, made: Result<T, Refused>) -> Result<T, Refused> {
        let Err(Refused::Unreadable(unreadable)) = made else { return made };
        let stored = &self.present.stored;
        let newest = self.matches.store.log(&stored.id, stored.version.saturating_sub(1), 1).await?;
        match newest.first().and_then(|bytes| stamp_of(bytes)) {
            Some(stamp) if stamp == self.present.stamp => Err(unreadable.into()),
            _ => Err(undone().into()),
        }
    }
}

/// Returns true if a checkpoint lies between `to` and the undo that has made `version`.
fn skips_checkpoint(to: u64, version: u64) -> bool {
    let newest = version.saturating_sub(1);
    to < newest - newest % CHECKPOINT_EVERY
}

fn checkpoint_of(live: &LiveMatch) -> Result<Checkpoint, Unreadable> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&live.duplicate().encode()?).map_err(Unreadable::new)?;
    let state = encoder.finish().map_err(Unreadable::new)?;
    Ok(Checkpoint { version: live.stored.version, stamp: live.stamp, state })
}

/// The state of a match that a checkpoint of it holds.
pub(crate) fn checkpointed(present: &LiveMatch, found: &Checkpoint) -> Result<LiveMatch, Unreadable> {
    let mut state = Vec::new();
    DeflateDecoder::new(found.state.as_slice()).take(STATE_MAX).read_to_end(&mut state).map_err(Unreadable::new)?;
    let mut live = present.at(&state)?;
    live.stamp = found.stamp;
    if live.stored.version == found.version && live.stored.id == present.stored.id {
        return Ok(live);
    }
    Err(Unreadable::new("a checkpoint is of another match or version"))
}
