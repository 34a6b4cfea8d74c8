//! Matches that were read or written just now, decoded: the next request for one of them, and each of its watchers,
//! need not decode it again.
//!
//! Invariant: a kept match is given only for the very bytes that it was decoded from or encoded to, and only for the stamp
//! that stood beside them, so it is what decoding them again would give. What a match is, the store alone says.

use std::sync::Arc;

use quick_cache::sync::Cache;

use super::live_match::LiveMatch;
use super::refused::Unreadable;
use crate::ambient::Timestamp;
use crate::games::Games;
use crate::ids::MatchId;
use crate::store::LoadedMatch;

/// How many matches are kept; those asked for least go first. One takes some KB.
const KEPT: usize = 4096;

/// The decoded matches of this process.
pub(super) struct MatchCache {
    kept: Cache<MatchId, (Arc<[u8]>, Arc<LiveMatch>)>,
    /// What every match of this process knows that names no expiry.
    expiring_since: Option<Timestamp>,
}

impl MatchCache {
    pub(super) fn new(expiring_since: Option<Timestamp>) -> MatchCache {
        MatchCache { kept: Cache::new(KEPT), expiring_since }
    }

    /// The match that was loaded.
    ///
    /// # Errors
    /// Those of [`LiveMatch::open`].
    pub(super) fn open(&self, games: &Games, id: &MatchId, loaded: &LoadedMatch) -> Result<Arc<LiveMatch>, Unreadable> {
        if let Some((bytes, live)) = self.kept.get(id)
            && *bytes == *loaded.stored
            && live.stamp == loaded.stamp
        {
            return Ok(live);
        }
        let mut live = LiveMatch::open(games, &loaded.stored)?;
        live.stamp = loaded.stamp;
        live.expiring_since = self.expiring_since;
        Ok(self.keep(loaded.stored.as_slice().into(), live))
    }

    /// Keeps a match that was decoded from `stored` or encoded to it.
    pub(super) fn keep(&self, stored: Arc<[u8]>, live: LiveMatch) -> Arc<LiveMatch> {
        let live = Arc::new(live);
        self.kept.insert(live.stored.id.clone(), (stored, live.clone()));
        live
    }
}
