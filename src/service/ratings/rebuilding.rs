//! Rebuilding: ratings and board of a category, computed again from its log.

use std::collections::HashSet;

use super::board_key::{is_shown, key_of};
use super::category::has_two_seats;
use super::contention::{ATTEMPTS, busy};
use super::entry::{Entry, StoredRating};
use super::fold::Fold;
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::Timestamp;
use sarsen_base::ids::{MatchId, PlayerId};
use sarsen_store::upgrade::Formed;
use sarsen_store::{PutRating, RatingEntry, RatingStore, Restored, StoreError};

/// The number of entries that are read at once.
const AT_ONCE: usize = 1000;

/// The ratings of a category that were computed again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rebuilt {
    /// The number of entries of the log.
    pub entries: u64,
    /// The number of players with a rating.
    pub players: usize,
}

/// The fold of the logs of a store.
#[derive(Clone, Copy)]
pub struct Refold<'a> {
    /// The store.
    pub store: &'a dyn RatingStore,
    /// The statuses of players: one who has left for good has no rating.
    pub known: &'a KnownStatuses,
    /// The moment at which boards are made.
    pub now: Timestamp,
}

impl Refold<'_> {
    /// Computes ratings and board of a category again, without the matches that were annulled, and puts them in the place of
    /// the present ones. A service may rate on meanwhile: all are written once beside the present ones, and then again only
    /// those which later entries of the log have changed.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub(crate) async fn rebuild(&self, category: &str) -> Result<Rebuilt, StoreError> {
        let mut rebuilding = self.begin(category).await?;
        for _ in 0..ATTEMPTS {
            rebuilding.read_on().await?;
            let players = rebuilding.stage().await?;
            if rebuilding.switch(players).await? {
                return Ok(Rebuilt { entries: rebuilding.fold.length, players });
            }
        }
        Err(busy())
    }

    pub(super) async fn begin<'a>(&'a self, category: &'a str) -> Result<Rebuilding<'a>, StoreError> {
        let fold = Fold::without(self.annulled(category).await?);
        Ok(Rebuilding { refold: self, category, fold, generation: self.now.0, changed: HashSet::new() })
    }

    /// Computes the ratings of all categories again, or of one.
    ///
    /// # Errors
    /// Those of [`Refold::rebuild`].
    pub async fn rebuild_all(&self, only: Option<&str>) -> Result<Vec<(String, Rebuilt)>, StoreError> {
        let mut done = Vec::new();
        for category in self.store.rating_categories().await? {
            if only.is_none_or(|only| only == category) {
                let rebuilt = self.rebuild(&category).await?;
                done.push((category, rebuilt));
            }
        }
        Ok(done)
    }

    /// The players of a category whose rating is not what follows from the log.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub(crate) async fn differing(&self, category: &str) -> Result<usize, StoreError> {
        let mut fold = Fold::without(self.annulled(category).await?);
        while let Some(entries) = self.entries(category, fold.length).await? {
            entries.into_iter().for_each(|entry| drop(fold.pass(entry)));
        }
        let (mut differing, all) = (0, fold.players.into_iter().collect::<Vec<_>>());
        for some in all.chunks(AT_ONCE) {
            let players: Vec<_> = some.iter().map(|(player, _)| player.clone()).collect();
            let found = self.store.ratings(category, &players, None).await?;
            if found.length != fold.length {
                // The log has gone on; what it has changed is not known here.
                return Ok(0);
            }
            for ((player, stored), found) in some.iter().zip(found.stored) {
                differing += usize::from(found != self.put(category, player.clone(), stored)?.stored);
            }
        }
        Ok(differing)
    }

    /// Appends entries that come from another store's log to the log here, as far as it does not have them.
    ///
    /// # Errors
    /// If the store is away or an entry cannot be read.
    pub(crate) async fn restore(
        &self,
        category: &str,
        from: u64,
        entries: Vec<Vec<u8>>,
    ) -> Result<Restored, StoreError> {
        let length = self.store.ratings(category, &[], None).await?.length;
        let Some(known) = length.checked_sub(from).and_then(|known| usize::try_from(known).ok()) else {
            return Ok(Restored::Kept);
        };
        let there = self.store.rating_log(category, from, known.min(entries.len())).await?;
        if there != entries[..there.len()] {
            return Ok(Restored::Kept);
        }
        let new: Vec<RatingEntry> = entries
            .into_iter()
            .skip(there.len())
            .map(|entry| Entry::decode(&entry).map(|read| (entry, read.match_id().cloned())))
            .collect::<Result<_, _>>()?;
        if new.is_empty() {
            return Ok(Restored::Same);
        }
        let restored = self.store.change_ratings(category, length, new, Vec::new()).await?;
        Ok(if restored { Restored::Written } else { Restored::Kept })
    }

    /// The rating as it is written: none for a player who has left for good.
    pub(super) fn put(&self, category: &str, player: PlayerId, stored: &StoredRating) -> Result<PutRating, StoreError> {
        if self.is_gone(&player, stored) {
            return Ok(PutRating { player, stored: None, key: None });
        }
        let lately = stored.counts.is_some() || stored.rating.at.is_some_and(|at| is_shown(at, self.now));
        let listed = lately && stored.is_listed(has_two_seats(category));
        let key = listed.then(|| key_of(&stored.rating));
        Ok(PutRating { player, stored: Some(stored.encode()?), key })
    }

    /// Returns true if one of the players of a rating or row has left for good.
    fn is_gone(&self, player: &PlayerId, stored: &StoredRating) -> bool {
        let players = stored.counts.iter().flat_map(|counts| &counts.players);
        std::iter::once(player).chain(players).any(|player| self.known.is_gone(player))
    }

    async fn annulled(&self, category: &str) -> Result<HashSet<MatchId>, StoreError> {
        let (mut annulled, mut from) = (HashSet::new(), 0);
        while let Some(entries) = self.entries(category, from).await? {
            from += entries.len() as u64;
            annulled.extend(entries.into_iter().filter_map(|entry| match entry {
                Entry::Annulled { match_id, .. } => Some(match_id),
                _ => None,
            }));
        }
        Ok(annulled)
    }

    /// The next entries of a log; `None` behind the last.
    async fn entries(&self, category: &str, from: u64) -> Result<Option<Vec<Entry>>, StoreError> {
        let read = self.store.rating_log(category, from, AT_ONCE).await?;
        let entries = read.iter().map(|entry| Entry::decode(entry)).collect::<Result<Vec<_>, _>>()?;
        Ok(Some(entries).filter(|entries| !entries.is_empty()))
    }
}

/// A category whose ratings are computed again.
pub(super) struct Rebuilding<'a> {
    refold: &'a Refold<'a>,
    category: &'a str,
    fold: Fold,
    generation: i64,
    /// The players whose ratings are still to be written.
    pub(super) changed: HashSet<PlayerId>,
}

impl Rebuilding<'_> {
    /// Passes the entries that the log has meanwhile.
    pub(super) async fn read_on(&mut self) -> Result<(), StoreError> {
        let Rebuilding { refold, category, .. } = *self;
        while let Some(entries) = refold.entries(category, self.fold.length).await? {
            if entries.iter().any(|entry| self.fold.comes_too_late(entry)) {
                self.fold = Fold::without(refold.annulled(category).await?);
                self.generation += 1;
                self.changed.clear();
            } else {
                self.changed.extend(entries.into_iter().flat_map(|entry| self.fold.pass(entry)));
            }
        }
        Ok(())
    }

    /// Writes the ratings that have changed. Answers how many there are in all.
    pub(super) async fn stage(&mut self) -> Result<usize, StoreError> {
        let (refold, category, known) = (self.refold, self.category, &self.fold.players);
        // A player who has left since it was written has no rating.
        let gone: Vec<_> = known.iter().filter(|(player, stored)| refold.is_gone(player, stored)).collect();
        let players = known.len() - gone.len();
        self.changed.extend(gone.into_iter().map(|(player, _)| player.clone()));
        let puts = self.changed.drain().map(|player| match known.get(&player) {
            Some(stored) => refold.put(category, player, stored),
            None => Ok(PutRating { player, stored: None, key: None }),
        });
        refold.store.stage_ratings(category, self.generation, puts.collect::<Result<_, _>>()?).await?;
        Ok(players)
    }

    /// Puts what was written in the place of the present ratings, unless the log has gone on.
    pub(super) async fn switch(&self, players: usize) -> Result<bool, StoreError> {
        self.refold.store.replace_ratings(self.category, self.fold.length, self.generation, players).await
    }
}
