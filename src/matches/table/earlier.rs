//! States that undos lead back to, kept while the steps of a log are taken again.
//!
//! Invariant: kept is only what an undo asks for. Which versions those are is known beforehand, so each step is taken once.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::track::{UndoTrack, Undone};
use crate::table::live_match::LiveMatch;

/// The states that are asked for, as far as they were passed.
#[derive(Default)]
pub(crate) struct Earlier {
    wanted: BTreeSet<u64>,
    kept: BTreeMap<u64, LiveMatch>,
}

impl Earlier {
    /// For a log in which undos go back to these versions.
    pub(crate) fn at(wanted: impl IntoIterator<Item = u64>) -> Earlier {
        Earlier { wanted: wanted.into_iter().collect(), kept: BTreeMap::new() }
    }

    /// For the log of a match that keeps this track.
    pub(crate) fn of(track: &UndoTrack) -> Earlier {
        Earlier::at(track.undone.iter().map(|undone| undone.to))
    }

    /// The match is at some version: it is kept if it is asked for.
    pub(crate) fn pass(&mut self, live: &LiveMatch) {
        let version = live.stored.version;
        if self.wanted.contains(&version) {
            self.kept.entry(version).or_insert_with(|| live.duplicate());
        }
    }

    /// The match at this version, if it was passed and asked for.
    pub(crate) fn find(&self, version: u64) -> Option<&LiveMatch> {
        self.kept.get(&version)
    }

    /// Forgets what was passed.
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
    }

    /// The earliest version that has to be passed to get from `from` to `until`, where `from` itself is too late.
    pub(crate) fn lacks(&self, track: &UndoTrack, from: u64, until: u64) -> Option<u64> {
        let between = track.undone.iter().filter(|undone| from < undone.version && undone.version <= until);
        let missing = between.filter(|Undone { to, .. }| *to < from && !self.kept.contains_key(to));
        missing.map(|undone| undone.to).min()
    }
}
