//! Matches that were read or written just now, decoded: the next request for one of them, and each of its watchers,
//! need not load and decode it again.
//!
//! Invariants:
//! - A kept match was loaded from its store or committed to it at its version and stamp. No other step has that stamp,
//!   so two copies of a match with the same version and stamp are equal.
//! - Only the store knows the present match. A kept match may be old: another instance has moved, a failover has undone
//!   its last step, or it was deleted. So every answer, a refusal too, needs the store's confirmation. That is a check
//!   that the match is still current ([`LiveMatch::stands_at`]), or a commit, which is conditional on that very stamp.
//! - News of other instances' steps ([`MatchCache::overtaken`]) comes late or never. It saves round trips, and nothing
//!   depends on it.

use std::sync::Arc;

use quick_cache::sync::Cache;

use crate::model::unreadable::Unreadable;
use crate::table::live_match::LiveMatch;
use sarsen_base::ids::MatchId;
use sarsen_games::Games;
use sarsen_store::{LoadedMatch, StampedVersion};

/// The capacity in matches; the least requested are evicted first. A match takes some KB.
const KEPT: usize = 4096;

/// The decoded matches of this process.
pub(super) struct MatchCache {
    kept: Cache<MatchId, Arc<LiveMatch>>,
}

impl Default for MatchCache {
    fn default() -> MatchCache {
        MatchCache { kept: Cache::new(KEPT) }
    }
}

impl MatchCache {
    /// The match as it was when this process last heard of it, if it is kept. It may be old.
    pub(super) fn last_known(&self, id: &MatchId) -> Option<Arc<LiveMatch>> {
        self.kept.get(id)
    }

    /// The match that was loaded, which is kept from now on.
    ///
    /// # Errors
    /// Those of [`LiveMatch::open`].
    pub(super) fn open(&self, games: &Games, id: &MatchId, loaded: &LoadedMatch) -> Result<Arc<LiveMatch>, Unreadable> {
        let LoadedMatch { version, stamp, .. } = *loaded;
        if let Some(kept) = self.last_known(id).filter(|kept| kept.stands_at(StampedVersion { version, stamp })) {
            return Ok(kept);
        }
        let mut live = LiveMatch::open(games, &loaded.stored)?;
        live.stamp = stamp;
        Ok(self.keep(live))
    }

    /// Keeps a match as it was loaded or committed.
    pub(super) fn keep(&self, live: LiveMatch) -> Arc<LiveMatch> {
        let live = Arc::new(live);
        self.kept.insert(live.stored.id.clone(), live.clone());
        live
    }

    /// Hears that the match has come to this version. If what is kept is older, it is of no use any more.
    pub(super) fn overtaken(&self, id: &MatchId, version: u64) {
        self.kept.remove_if(id, |kept| kept.stored.version < version);
    }
}
