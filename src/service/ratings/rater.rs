//! The ratings in a store: rating a match, and looking up what follows.

use std::sync::Arc;

use super::category::Category;
use super::contention::{ATTEMPTS, busy};
use super::entry::{Entry, StoredRating};
use super::fold;
use super::formula::{Rating, shown};
use super::rebuilding::{Rebuilt, Refold};
use sarsen_accounts::player_status::KnownStatuses;
use sarsen_base::ambient::{Ambient, Timestamp};
use sarsen_base::ids::PlayerId;
use sarsen_games::Games;
use sarsen_matches::rated_result::{RatedResult, RatingJob};
use sarsen_store::{Job, JobKind, JobStore, PutRating, RatingStore, StoreError, Work};

/// The ratings of players.
#[derive(Clone)]
pub struct Ratings {
    pub(super) store: Arc<dyn RatingStore>,
    pub(super) jobs: Arc<dyn JobStore>,
    pub(super) known: Arc<KnownStatuses>,
    pub(super) games: Arc<Games>,
    pub(super) ambient: Ambient,
}

impl Ratings {
    /// The ratings in this store, and their jobs. `known` are the statuses of players that this instance goes by.
    pub fn new(
        store: Arc<dyn RatingStore>,
        jobs: Arc<dyn JobStore>,
        known: Arc<KnownStatuses>,
        games: Arc<Games>,
        ambient: Ambient,
    ) -> Ratings {
        Ratings { store, jobs, known, games, ambient }
    }

    /// Rates a match, unless that was done before. Returns true if it was not.
    ///
    /// # Errors
    /// If the store is away or damaged; handing in the result again does the rest.
    pub async fn rate(&self, result: &RatedResult) -> Result<bool, StoreError> {
        let RatedResult { match_id, category, at, seats, private, .. } = result;
        let players: Vec<PlayerId> = seats.iter().map(|seat| seat.player.clone()).collect();
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, &players, Some(match_id)).await?;
            if found.entry.is_some() {
                return Ok(false);
            }
            let stored = found.stored.iter().map(|stored| stored.as_deref().map(StoredRating::decode).transpose());
            let stored: Vec<_> = stored.collect::<Result<_, _>>()?;
            let (rated, changed) = fold::rate((match_id.clone(), *private), *at, seats, &stored, found.length);
            let suspicious = fold::is_suspicious(*at, seats, &changed);
            let puts = changed.into_iter().map(|(player, stored)| self.put(category, player, &stored));
            let entry = vec![(Entry::Match(rated).encode()?, Some(match_id.clone()))];
            let puts = puts.collect::<Result<_, _>>()?;
            if self.store.change_ratings(category, found.length, entry, puts).await? {
                if suspicious {
                    tracing::warn!(category, %match_id, ?players, "no more matches of these players count today");
                }
                return Ok(true);
            }
        }
        Err(busy())
    }

    pub(super) fn put(&self, category: &str, player: PlayerId, stored: &StoredRating) -> Result<PutRating, StoreError> {
        self.refold().put(category, player, stored)
    }

    /// The fold of the logs of this store.
    pub(super) fn refold(&self) -> Refold<'_> {
        Refold { store: &*self.store, known: &self.known, now: self.now() }
    }

    /// Orders a job of ratings, unless it waits already.
    pub(super) async fn order(&self, id: String, job: &RatingJob) -> Result<(), StoreError> {
        let (kind, at, body) = (JobKind::Rate, self.now(), job.to_body()?);
        self.jobs.order_jobs(&[Job { kind, id, at, body }]).await
    }

    /// Removes the ratings of a player who leaves, everywhere. What others have won or lost against them stays.
    ///
    /// # Errors
    /// If the store is away; asking again does the rest.
    pub(crate) async fn forget(&self, player: &PlayerId) -> Result<bool, StoreError> {
        let mut had = false;
        for category in self.store.rating_categories().await? {
            for row in self.rows_with(&category, player).await? {
                had |= self.remove(&category, &row, |_| None).await?.is_some();
            }
        }
        Ok(had)
    }

    /// Removes the rating of a player in a category, with the log entry that `entry` makes, if any. Returns the rating.
    pub(super) async fn remove(
        &self,
        category: &str,
        player: &PlayerId,
        entry: impl Fn(Rating) -> Option<Entry>,
    ) -> Result<Option<Rating>, StoreError> {
        for _ in 0..ATTEMPTS {
            let found = self.store.ratings(category, std::slice::from_ref(player), None).await?;
            let Some(stored) = found.stored.into_iter().flatten().next() else { return Ok(None) };
            let StoredRating { rating, .. } = StoredRating::decode(&stored)?;
            let entry = entry(rating).map(|entry| entry.encode().map(|entry| (entry, None))).transpose()?;
            let none = PutRating { player: player.clone(), stored: None, key: None };
            let entries = entry.into_iter().collect();
            if self.store.change_ratings(category, found.length, entries, vec![none]).await? {
                return Ok(Some(rating));
            }
        }
        Err(busy())
    }

    /// Computes ratings and board of a category again, see [`Refold::rebuild`].
    ///
    /// # Errors
    /// Those of [`Refold::rebuild`].
    pub async fn rebuild(&self, category: &str) -> Result<Rebuilt, StoreError> {
        self.refold().rebuild(category).await
    }

    /// The ratings of a player, by category.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn of_player(&self, player: &PlayerId) -> Result<Vec<(Category, Rating)>, StoreError> {
        let mut all = Vec::new();
        let names = self.store.rating_categories().await?;
        for category in names.iter().filter_map(|name| Category::read(name)).filter(Category::is_rated) {
            let rating = self.rating(&category.name, player).await?;
            all.extend(rating.map(|stored| (category, stored.rating)));
        }
        Ok(all)
    }

    /// The rating with which a player is shown in a category: the one that everybody begins with, if they have none.
    ///
    /// # Errors
    /// If the store is away or damaged.
    pub async fn shown_in(&self, category: &str, player: &PlayerId) -> Result<i32, StoreError> {
        let rating = self.rating(category, player).await?.map_or_else(Rating::default, |stored| stored.rating);
        Ok(shown(rating.rating) as i32)
    }

    pub(super) async fn rating(&self, category: &str, player: &PlayerId) -> Result<Option<StoredRating>, StoreError> {
        let found = self.store.ratings(category, std::slice::from_ref(player), None).await?;
        found.stored.into_iter().flatten().next().map(|stored| StoredRating::decode(&stored)).transpose()
    }

    /// The entry at a place of a log.
    pub(super) async fn entry(&self, category: &str, place: u64) -> Result<Entry, StoreError> {
        let found = self.store.rating_log(category, place, 1).await?;
        let found = found.first().ok_or_else(|| StoreError::Corrupt("a log of ratings has a gap".to_owned()))?;
        Entry::decode(found)
    }

    pub(super) fn now(&self) -> Timestamp {
        self.ambient.now()
    }
}
