//! The newest steps of matches that somebody follows here, kept so that the next follower need not replay them.
//!
//! Invariant: a step is found only under the stamp that its entry has in the store, so a hit is what happened.
//! Deliberately missing: any promise of a hit. A match that nobody has asked about here is not kept. Most matches are
//! followed by the answers to moves alone, and unused memory costs more than one replay.

use std::sync::Arc;

use quick_cache::sync::Cache;

use crate::model::log::LogEntry;
use crate::table::live_match::LiveMatch;
use sarsen_base::ids::MatchId;
use sarsen_store::Stamp;

/// The capacity in matches; the least requested are evicted first.
const MATCHES: usize = 2048;
/// The number of steps kept of each match: a round of a full table.
pub(crate) const STEPS: usize = 6;

/// The newest steps of a match.
pub(crate) struct Recent {
    /// The match after the last of them.
    pub(crate) live: Arc<LiveMatch>,
    /// The match before the newest step that is missing here, because another instance has made it.
    earlier: Option<Arc<LiveMatch>>,
    /// In ascending order, the newest last.
    steps: Vec<Arc<LogEntry>>,
}

/// The newest steps of this process's matches.
pub(crate) struct RecentSteps(Cache<MatchId, Arc<Recent>>);

impl Recent {
    /// The step that has made this version under this stamp.
    pub(crate) fn find(&self, version: u64, stamp: Stamp) -> Option<&LogEntry> {
        let found = self.steps.iter().rev().find(|step| step.version == version && step.stamp == stamp);
        found.map(|step| &**step)
    }

    /// The nearest state at or before this version.
    pub(crate) fn state(&self, at_most: u64) -> Option<&LiveMatch> {
        let states = std::iter::once(&self.live).chain(&self.earlier);
        states.map(|live| &**live).find(|live| live.stored.version <= at_most)
    }
}

impl Default for RecentSteps {
    fn default() -> RecentSteps {
        RecentSteps(Cache::new(MATCHES))
    }
}

impl RecentSteps {
    pub(crate) fn of(&self, id: &MatchId) -> Option<Arc<Recent>> {
        self.0.get(id)
    }

    /// Keeps the step that was just made, if anybody has been told steps of this match here.
    pub(crate) fn go_on(&self, live: &Arc<LiveMatch>, step: &Arc<LogEntry>) {
        if self.0.contains_key(&live.stored.id) {
            self.keep(Arc::clone(live), std::slice::from_ref(step));
        }
    }

    /// Keeps the steps (in ascending order, at least one) that have led to `live`, unless later ones are kept already.
    pub(crate) fn keep(&self, live: Arc<LiveMatch>, steps: &[Arc<LogEntry>]) {
        let (id, version) = (live.stored.id.clone(), live.stored.version);
        if steps.last().is_none_or(|last| last.version != version) {
            return;
        }
        let newest = &steps[steps.len().saturating_sub(STEPS)..];
        let mut kept: Vec<Arc<LogEntry>> = newest.to_vec();
        let mut earlier = None;
        if let Some(before) = self.of(&id) {
            if before.live.stored.version > version {
                return;
            }
            let goes_on = before.live.stored.version + (kept.len() as u64) >= version;
            earlier = if goes_on { before.earlier.clone() } else { Some(before.live.clone()) };
            let first = kept.first().map_or(version, |first| first.version);
            let room = STEPS.saturating_sub(kept.len());
            let others: Vec<_> = before.steps.iter().filter(|step| step.version < first).cloned().collect();
            kept.splice(0..0, others[others.len().saturating_sub(room)..].iter().cloned());
        }
        self.0.insert(id, Arc::new(Recent { live, earlier, steps: kept }));
    }
}
