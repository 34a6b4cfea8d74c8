//! States that undos lead back to, kept while the steps of a log are taken again.
//!
//! Invariant: a state is kept only if an entry that was read asks for its version.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::live_match::LiveMatch;
use crate::table::log_codec::Logged;

/// The number of states from which on a replay that can make them again forgets them.
const STATES_MAX: usize = 256;

/// The states that are asked for, as far as they were passed.
#[derive(Default)]
pub(crate) struct Earlier {
    wanted: BTreeSet<u64>,
    kept: BTreeMap<u64, LiveMatch>,
    /// States for single undos, by the version of the undo. They come from checkpoints.
    provided: BTreeMap<u64, LiveMatch>,
}

impl Earlier {
    /// For these entries of a log.
    pub(crate) fn for_log<'a>(entries: impl IntoIterator<Item = &'a Logged>) -> Earlier {
        let mut earlier = Earlier::default();
        earlier.want_for(entries);
        earlier
    }

    /// Keeps from now on the states at these versions, too.
    pub(crate) fn want(&mut self, versions: impl IntoIterator<Item = u64>) {
        self.wanted.extend(versions);
    }

    /// Keeps from now on what these entries go back to, too.
    pub(crate) fn want_for<'a>(&mut self, entries: impl IntoIterator<Item = &'a Logged>) {
        self.want(entries.into_iter().filter_map(Logged::to_version));
    }

    /// The match is at some version: it is kept if it is asked for.
    pub(crate) fn pass(&mut self, live: &LiveMatch) {
        let version = live.stored.version;
        if self.wanted.contains(&version) {
            self.kept.entry(version).or_insert_with(|| live.duplicate());
        }
    }

    /// The state of `version` is at hand for the step to `step`.
    pub(crate) fn provide(&mut self, step: u64, version: u64, mut like: LiveMatch) {
        like.stored.version = version;
        self.provided.insert(step, like);
    }

    /// The match at this version for the step to `step`, if it was passed and asked for, or provided.
    pub(crate) fn find(&self, step: u64, version: u64) -> Option<&LiveMatch> {
        let provided = self.provided.get(&step).filter(|then| then.stored.version == version);
        provided.or_else(|| self.kept.get(&version))
    }

    /// Forgets what was passed if that is much, for a replay that can make it again.
    pub(crate) fn make_room(&mut self) {
        if self.kept.len() + self.provided.len() > STATES_MAX {
            self.clear();
        }
    }

    /// Forgets what was passed, and what was asked for.
    pub(crate) fn clear(&mut self) {
        *self = Earlier::default();
    }
}
